/**
 * Every code an outcome or a `NestcallError` can carry. A code never changes its meaning and is never reused.
 * The README explains each one and what to do about it.
 */
export const ErrorCode = {
  INVALID_TOOL: "INVALID_TOOL",
  UNKNOWN_TOOL: "UNKNOWN_TOOL",
  INVALID_ARGUMENTS: "INVALID_ARGUMENTS",
  BLOCKED: "BLOCKED",
  ABORTED: "ABORTED",
  TIMEOUT: "TIMEOUT",
  DEPTH_EXCEEDED: "DEPTH_EXCEEDED",
  CALLS_EXCEEDED: "CALLS_EXCEEDED",
  DEADLOCK: "DEADLOCK",
  CALLER_FINISHED: "CALLER_FINISHED",
  INVALID_RESULT: "INVALID_RESULT",
  INVALID_OUTPUT: "INVALID_OUTPUT",
  TOOL_FAILED: "TOOL_FAILED",
  TRANSPORT_FAILED: "TRANSPORT_FAILED",
  HOOK_FAILED: "HOOK_FAILED",
  CLOSED: "CLOSED",
} as const;

export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
