// What happened, as it is drawn: the calls of one or more root calls with their places in time. A record and a stream of
// events both become one; a record does not know when calls began, so the places of its calls are guesses.

import type { Usage } from "../records/usage.js";
import type { ToolResult } from "../tools/tool.js";

export type TraceStatus =
  | "ok"
  /** Refused by a guard or a rule of access (`BLOCKED`). */
  | "blocked"
  | "error"
  | "aborted"
  /** It has no end: it still runs, or the trace ends before it does. */
  | "unfinished"
  /** Nothing is known of the call but that there was one. */
  | "unknown";

/** A time of waiting before a call ran. It ends where the next one begins, or where the tool began to run. */
export interface TraceWait {
  readonly reason: "files" | "lane" | "concurrency" | "approval";
  readonly fromMs: number;
  readonly toMs: number;
  readonly paths?: readonly string[];
  /** The id of the call that held what this one waited for. */
  readonly heldBy?: string;
}

/**
 * One call. Times are milliseconds from the beginning of the trace. Those of events are right to a millisecond, which is
 * what events tell, and in the right order; `durationMs` is exact.
 */
export interface TraceCall {
  /** Its place in `calls`. */
  readonly index: number;
  readonly id: string;
  /** The place of the call that made it; absent for a root call. */
  readonly parent?: number;
  /** 0 for a root call. */
  readonly depth: number;
  /** Absent when nothing is known of the call. */
  readonly name?: string;
  readonly status: TraceStatus;
  readonly code?: string;
  readonly startMs: number;
  /** Where the tool began to run, about; absent when it never ran. */
  readonly runMs?: number;
  readonly endMs: number;
  /** How long the tool ran. */
  readonly durationMs?: number;
  /** As called. Absent when they were left out. */
  readonly arguments?: unknown;
  /** UTF-8 bytes of their compact JSON. */
  readonly argumentsBytes?: number;
  /** The text of the error, or of the guard's decision. */
  readonly error?: string;
  readonly result?: Partial<ToolResult>;
  /** UTF-8 bytes of the texts of the result. */
  readonly resultBytes?: number;
  readonly isResultCut?: boolean;
  /** The call's own usage, without that of the calls below. */
  readonly usage?: Usage;
  readonly waits: readonly TraceWait[];
  /** How many updates it sent, when it sent any. */
  readonly updates?: number;
  /** The text of the latest update. */
  readonly latestUpdate?: string;
}

export interface Trace {
  /** Where it comes from. Of a record the times are guesses: a record holds how long calls ran, not when. */
  readonly source: "events" | "record";
  /** Parents before their children, siblings in the order in which they were made. */
  readonly calls: readonly TraceCall[];
  /** Milliseconds since the Unix epoch; absent for a record. */
  readonly startedAt?: number;
  /** From the first start to the last end. */
  readonly durationMs: number;
  /** Usage of all calls. */
  readonly usage?: Usage;
  /** Calls that ran and have no place. */
  readonly dropped: number;
  /** What a reader should know: what was left out, cut, guessed. */
  readonly notes: readonly string[];
}
