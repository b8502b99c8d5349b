import type { ErrorCode } from "../errors/error-code.js";
import type { ToolResult } from "../tools/tool.js";

interface EventBase {
  readonly toolCallId: string;
  /** Absent for a root call. */
  readonly parentToolCallId?: string;
  readonly toolName: string;
  /** 0 for a root call. */
  readonly depth: number;
  /** Which of the root call's calls this is, at every depth, in the order in which they were made; 0 for the root call. */
  readonly ordinal: number;
  /** Which root call of this process it belongs to, in the order in which they were made, from 1: a host may give two one id (S2). */
  readonly rootOrdinal: number;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
}
export interface ToolExecutionStartEvent extends EventBase {
  readonly type: "tool_execution_start";
  /** As called, frozen; absent when they have no JSON form. */
  readonly arguments?: unknown;
  /** UTF-8 bytes of their compact JSON, so that nobody who keeps them within a bound has to measure them again. */
  readonly argumentsBytes?: number | undefined;
}
export interface ToolExecutionUpdateEvent extends EventBase {
  readonly type: "tool_execution_update";
  readonly partialResult: Partial<ToolResult>;
}
export interface ToolExecutionEndEvent extends EventBase {
  readonly type: "tool_execution_end";
  readonly result: ToolResult;
  readonly status: "ok" | "error" | "aborted";
  readonly isError: boolean;
  /** What went wrong; its message is the text of the result. Absent for `ok`. */
  readonly code?: ErrorCode;
  /** How long `execute` ran, in milliseconds; absent if it never ran. */
  readonly durationMs?: number;
}
/** A call begins to wait. Only those hear of it who ask for it by name: `executor.on("tool_execution_wait", …)`. */
export interface ToolExecutionWaitEvent extends EventBase {
  readonly type: "tool_execution_wait";
  readonly reason: "files" | "lane" | "concurrency" | "approval";
  /** With `files`: the physical names of those that others hold. */
  readonly paths?: readonly string[];
  /** The id of the call that holds what this one waits for, when a call holds it. */
  readonly heldBy?: string;
}

/** Each start is followed by exactly one end, whatever happens between them. */
export type ToolExecutionEvent =
  | ToolExecutionStartEvent
  | ToolExecutionUpdateEvent
  | ToolExecutionEndEvent
  | ToolExecutionWaitEvent;
/** What `subscribe` delivers. */
export type ToolExecutionProgressEvent = Exclude<ToolExecutionEvent, ToolExecutionWaitEvent>;

/** What an observer threw, or a field of usage that could not be counted. It changed no outcome. */
export interface ObserverErrorEvent {
  readonly error: unknown;
  readonly source: "listener" | "update" | "usage";
  readonly toolCallId?: string;
}
