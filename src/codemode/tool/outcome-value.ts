// C2: what a script gets of a call.
import type { ContentBlock, ToolCallOutcome } from "../../tools/tool.js";
import { textOfContent } from "../../tools/tool-result.js";

/** A failed call as its script sees it. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: string;
  readonly details?: unknown;

  constructor(message: string, code: string, details?: unknown) {
    super(message);
    this.code = code;
    if (details !== undefined) this.details = details;
  }
}

/**
 * The tool's data when it declares an output schema, else its text, else its content blocks; never `undefined`.
 *
 * @throws ToolError when the call failed: with the tool's text, the code, and as `details` its data. The
 *   result's own `details` are the host's.
 */
export function valueOfOutcome({ error, result }: ToolCallOutcome, hasOutputSchema: boolean): unknown {
  if (error !== undefined) throw new ToolError(error.message, error.code, result.structuredContent);
  if (hasOutputSchema && result.structuredContent !== undefined) return result.structuredContent;
  return isTextOnly(result.content) ? textOfContent(result.content) : result.content;
}

function isTextOnly(content: readonly ContentBlock[]): boolean {
  return content.every(({ type }) => type === "text");
}
