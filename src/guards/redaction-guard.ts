// Keeps patterns out of what the model, and every caller, gets back. What observers and records get is redacted by the
// executor's `redact` option; `redactor` makes the function for both.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { ToolResultHook } from "../executor/hook.js";
import { mapTexts, takeSnapshot } from "../records/json-snapshot.js";
import type { ContentBlock } from "../tools/tool.js";

export interface RedactionOptions {
  /** Texts, found as they are, and regular expressions, of which every match is replaced. */
  readonly patterns: readonly (string | RegExp)[];
  /** What stands in their place. Default `[redacted]`. */
  readonly replacement?: string;
}

/**
 * A function that replaces every match of the patterns in a text; also what `createExecutor({ redact })` takes.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a list without patterns, or a pattern that is neither text nor expression.
 */
export function redactor(options: RedactionOptions): (text: string) => string {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const unknown = Object.keys(options).find((name) => name !== "patterns" && name !== "replacement");
  if (unknown !== undefined) throw wrong("options", unknown, "an object of patterns and replacement only");
  const { patterns, replacement = "[redacted]" } = options;
  if (!Array.isArray(patterns) || patterns.length === 0)
    throw wrong("options.patterns", patterns, "a list of patterns");
  if (typeof replacement !== "string") throw wrong("options.replacement", replacement, "a text");
  const expressions = patterns.map((pattern: unknown, index) => {
    if (typeof pattern === "string" && pattern !== "") return new RegExp(escapeText(pattern), "g");
    if (pattern instanceof RegExp) return new RegExp(pattern.source, withFlag(pattern.flags.replace("y", ""), "g"));
    throw wrong(`options.patterns[${index}]`, pattern, "a text that is not empty, or a regular expression");
  });
  return (text) => {
    let redacted = text;
    for (const expression of expressions) redacted = redacted.replace(expression, () => replacement);
    return redacted;
  };
}

/**
 * A `tool_result` hook that takes the patterns out of what the model and callers read: texts, the texts of resources and
 * links, and structured content, keys included. Structured content without a JSON form fails the call. `details` are for
 * the host and stay. Results of aborted and timed-out calls do not come to hooks.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` as `redactor` does.
 */
export function redactionGuard(options: RedactionOptions): ToolResultHook {
  const redact = redactor(options);
  return ({ result: { content, structuredContent } }) => ({
    content: content.map((block) => redactBlock(block, redact)),
    ...(structuredContent === undefined ? {} : { structuredContent: redactJson(structuredContent, redact) }),
  });
}

/** What says what a block or a resource is, and encoded bytes, are no texts. */
const NO_TEXTS = new Set(["type", "mimeType", "data", "blob"]);

/** One block of a content, its texts redacted. */
export function redactBlock(block: ContentBlock, redact: (text: string) => string): ContentBlock {
  const fields = Object.entries(block).map(([field, value]) => {
    if (NO_TEXTS.has(field)) return [field, value];
    if (field !== "resource") return [field, redactJson(value, redact)];
    const parts = Object.entries(value as object).map(([part, inner]) => [
      part,
      NO_TEXTS.has(part) ? inner : redactJson(inner, redact),
    ]);
    return [field, Object.fromEntries(parts)];
  });
  return Object.fromEntries(fields) as ContentBlock; // the same fields, texts for texts
}

function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (value === undefined) return undefined;
  const snapshot = takeSnapshot(value);
  if ("problem" in snapshot) throw new TypeError("a part of the result has no JSON form, so it cannot be searched");
  return mapTexts(snapshot.frozen, redact, true);
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function withFlag(flags: string, flag: string): string {
  return flags.includes(flag) ? flags : flags + flag;
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  return new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `redactor: ${where} must be ${wanted}, not ${describeValue(value)}.`,
  );
}
