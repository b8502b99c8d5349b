// What `grep` looks for, made from what the model wrote.

export type ExpressionAnswer =
  | { readonly kind: "expression"; readonly expression: RegExp }
  /** Half a sentence. */
  | { readonly kind: "bad"; readonly reason: string };

export interface ExpressionOptions {
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
}

/** Reads the pattern with the Unicode rules and, where those are stricter than its author, without. */
export function compileExpression(pattern: string, { isLiteral, ignoresCase }: ExpressionOptions): ExpressionAnswer {
  const inline = isLiteral ? null : /^\(\?i\)/.exec(pattern); // as ripgrep and others write it
  const source = isLiteral ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern.slice(inline?.[0].length ?? 0);
  const flags = ignoresCase || inline !== null ? "i" : "";
  try {
    return { kind: "expression", expression: new RegExp(source, `${flags}u`) };
  } catch {
    return withoutUnicodeRules(source, flags);
  }
}

/** There an escape that means nothing, such as `\-`, is the character itself. */
function withoutUnicodeRules(source: string, flags: string): ExpressionAnswer {
  try {
    return { kind: "expression", expression: new RegExp(source, flags) };
  } catch (error) {
    const { message } = error as SyntaxError; // RegExp throws nothing else for texts
    return { kind: "bad", reason: message.replace(/^Invalid regular expression: /, "") };
  }
}
