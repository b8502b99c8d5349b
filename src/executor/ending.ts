// How a call ended, before it becomes an outcome.
import { ErrorCode } from "../errors/error-code.js";
import type { ToolResult } from "../tools/tool.js";
import { textOfContent } from "../tools/tool-result.js";

export interface Ending {
  readonly status: "ok" | "error" | "aborted";
  /** Absent for `ok`. */
  readonly code?: ErrorCode;
  readonly result: ToolResult;
}

/** The end of a call that was refused or failed without a result. */
export function failure(code: ErrorCode, message: string, terminate?: boolean): Ending {
  const content = [{ type: "text", text: message } as const];
  const result = { content, isError: true, ...(terminate === true ? { terminate } : {}) };
  return { status: code === ErrorCode.ABORTED ? "aborted" : "error", code, result };
}

/** A failure that keeps the data of a result. `text` is said when the content has no text of its own. */
export function failureWith(code: ErrorCode, result: ToolResult, text: string): Ending {
  const hasText = textOfContent(result.content) !== "";
  const content = hasText ? result.content : [...result.content, { type: "text", text } as const];
  return {
    status: code === ErrorCode.ABORTED ? "aborted" : "error",
    code,
    result: { ...result, content, isError: true },
  };
}
