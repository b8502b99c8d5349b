// What a collector keeps of the engine's events, and what a file of them holds. An event of the engine is one too, so a
// host that keeps its own list can have it drawn.
import type { ErrorCode } from "../errors/error-code.js";
import type { ToolResult } from "../tools/tool.js";

interface TraceEventBase {
  readonly toolCallId: string;
  /** Absent for a root call. */
  readonly parentToolCallId?: string;
  readonly toolName: string;
  /** 0 for a root call. */
  readonly depth: number;
  /** Tells root calls apart that have one id (S2). */
  readonly rootOrdinal?: number;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
}
export interface TraceStartEvent extends TraceEventBase {
  readonly type: "tool_execution_start";
  /** As called; absent when they were too large, or have no JSON form. */
  readonly arguments?: unknown;
  /** UTF-8 bytes of their compact JSON, whether they were kept or not. */
  readonly argumentsBytes?: number | undefined;
}
export interface TraceUpdateEvent extends TraceEventBase {
  readonly type: "tool_execution_update";
  readonly partialResult?: Partial<ToolResult>;
  /** How many updates this one stands for: only the latest of a call is kept. Absent: one. */
  readonly updates?: number;
}
export interface TraceWaitEvent extends TraceEventBase {
  readonly type: "tool_execution_wait";
  readonly reason: "files" | "lane" | "concurrency" | "approval";
  readonly paths?: readonly string[];
  /** The id of the call that holds what this one waits for. */
  readonly heldBy?: string;
}
export interface TraceEndEvent extends TraceEventBase {
  readonly type: "tool_execution_end";
  readonly status: "ok" | "error" | "aborted";
  readonly isError: boolean;
  readonly code?: ErrorCode;
  /** How long `execute` ran, in milliseconds; absent if it never ran. */
  readonly durationMs?: number;
  /** What was kept of it; absent when nothing was. */
  readonly result?: Partial<ToolResult>;
  /** UTF-8 bytes of the texts in its content, kept or not. */
  readonly resultBytes?: number;
  /** Parts of the result were cut or left out. */
  readonly isResultCut?: boolean;
}
/** Calls of a root call that ran and have no place in the trace. */
export interface TraceDroppedEvent {
  readonly type: "trace_dropped";
  /** The root call; empty when whole root calls have no place. */
  readonly toolCallId: string;
  readonly calls: number;
  readonly timestamp: number;
}

export type TraceEvent = TraceStartEvent | TraceUpdateEvent | TraceWaitEvent | TraceEndEvent | TraceDroppedEvent;

/**
 * The root call of an event, from its id and depth alone: nested ids are `<parent>/<n>`, and what a host gives a root call
 * may itself have slashes in it (S2).
 */
export function rootIdOf({ toolCallId, depth }: { readonly toolCallId: string; readonly depth: number }): string {
  let end = toolCallId.length;
  for (let level = 0; level < depth && end > 0; level += 1) end = toolCallId.lastIndexOf("/", end - 1);
  return end > 0 ? toolCallId.slice(0, end) : toolCallId;
}
