// What stands around a script: byte order mark, hash-bang, fence, prose, the line of options. Lines keep their numbers.

export interface SourceText {
  readonly code: string;
  /** What the `@options` line says, as it was parsed. */
  readonly options: object;
  readonly warnings: readonly string[];
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$/;
const OPTIONS = /^[ \t]*\/\/[ \t]*@options\b:?[ \t]*(.*)$/;

export function readSourceText(source: string): SourceText {
  const warnings: string[] = [];
  let code = source.startsWith("\ufeff") ? source.slice(1) : source;
  code = withoutFence(code, warnings);
  code = code.replace(/^(\s*)#![^\n]*/, "$1"); // the line stays, empty
  return { code, options: readOptions(code, warnings), warnings };
}

/** The text of the enclosing fence, or of the only one in prose, on the lines where it stood. */
function withoutFence(source: string, warnings: string[]): string {
  if (!source.includes("```") && !source.includes("~~~")) return source;
  const lines = source.split("\n");
  const isBlank = (line: string | undefined) => line === undefined || line.trim() === "";
  const open = lines.findIndex((line) => FENCE.test(line));
  if (open === -1) return source;
  const mark = FENCE.exec(lines[open] ?? "")?.[1] ?? "";
  const isProse = lines.slice(0, open).some((line) => !isBlank(line));
  if (isProse && !looksLikeProse(lines.slice(0, open).join("\n"))) return source;
  const close = closingLine(lines, open, mark);
  if (close === -1) return isProse ? source : onlyLines(lines, open + 1, lines.length);
  const after = lines.slice(close + 1);
  if (after.some((line) => FENCE.test(line))) {
    if (isProse || after.some((line) => !isBlank(line))) {
      warnings.push("The text has more than one fenced block of code; only the first one was run.");
    }
  } else if (isProse || after.some((line) => !isBlank(line))) {
    warnings.push("Only the fenced block of code was run; the prose around it was left out.");
  }
  return onlyLines(lines, open + 1, close);
}

function closingLine(lines: readonly string[], open: number, mark: string): number {
  const isLine = (line: string) => line.length >= mark.length && line === mark.charAt(0).repeat(line.length);
  return lines.findIndex((line, index) => index > open && isLine(line.trim()));
}

/** Code may hold a fence inside a template or a comment; prose does not end its sentences like statements. */
function looksLikeProse(text: string): boolean {
  return !/[;{}`]\s*$|^\s*(\/\/|\/\*|import\b|export\b|const\b|let\b|var\b|return\b|await\b|function\b|async\b)/m.test(
    text,
  );
}

function onlyLines(lines: readonly string[], start: number, end: number): string {
  return "\n".repeat(start) + lines.slice(start, end).join("\n");
}

function readOptions(code: string, warnings: string[]): object {
  const line = /\S[^\n]*/.exec(code)?.[0] ?? "";
  const text = OPTIONS.exec(line.trimEnd())?.[1];
  if (text === undefined) return {};
  try {
    const options: unknown = JSON.parse(text);
    if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  } catch {}
  warnings.push('The @options line is no JSON object, so it is ignored: // @options: { "cpuMs": 1000 }.');
  return {};
}
