// What the script of the page gets: the trace in its JSON form. Used in browsers too.
import type { Usage } from "../../records/usage.js";
import type { TraceStatus, TraceWait } from "../trace.js";

/** A value for people to look at. */
export interface PageText {
  readonly text: string;
  /** UTF-16 units that were left out at its end. */
  readonly left?: number;
}

/** A call. Times are milliseconds from the start of its root call. */
export interface PageCall {
  readonly id: string;
  readonly name?: string;
  /** The place of its caller among the calls of the root call. */
  readonly parent?: number;
  readonly depth: number;
  readonly status: TraceStatus;
  readonly code?: string;
  readonly startMs: number;
  readonly runMs?: number;
  readonly endMs: number;
  readonly durationMs?: number;
  readonly arguments?: unknown;
  /** Instead of arguments that are too large for the page: the beginning of their JSON. */
  readonly argumentsText?: PageText;
  readonly argumentsBytes?: number;
  /** The call on one line, when its tool draws it in a way of its own. */
  readonly line?: string;
  /** The same as HTML, made by `drawingToHtml`. */
  readonly callHtml?: string;
  readonly error?: PageText;
  readonly result?: PageText;
  /** The structured part of the result, as JSON text. */
  readonly structured?: PageText;
  readonly resultHtml?: string;
  readonly resultBytes?: number;
  readonly isResultCut?: boolean;
  readonly usage?: Usage;
  readonly waits?: readonly TraceWait[];
  readonly updates?: number;
  readonly latestUpdate?: PageText;
}

export interface PageRoot {
  /** Tells root calls apart. */
  readonly key: number;
  /** Milliseconds since the Unix epoch, or from the start of the trace when that is not known. */
  readonly startedAt: number;
  /** Parents before their children; the root call first. */
  readonly calls: readonly PageCall[];
}

export interface PageData {
  readonly title: string;
  readonly source: "events" | "record";
  /** Whether `startedAt` is a time of day. */
  readonly hasClock: boolean;
  readonly roots: readonly PageRoot[];
  readonly dropped: number;
  readonly notes: readonly string[];
  /** The usage of a record, which does not tell it call by call. */
  readonly usage?: Usage;
  readonly savedTokens?: number;
  /** The page listens to its server for more. */
  readonly isLive?: boolean;
}

/** What a live page is told. */
export interface PagePatch {
  /** Forget everything before. */
  readonly isWhole: boolean;
  /** The keys of root calls that are there; others are forgotten. */
  readonly keys: readonly number[];
  readonly changes: readonly {
    readonly key: number;
    readonly startedAt: number;
    /** Calls that are new or have changed, with their places. */
    readonly calls: readonly (readonly [place: number, call: PageCall])[];
  }[];
  readonly dropped: number;
  readonly savedTokens?: number;
  /** The server's time, in milliseconds since the Unix epoch. */
  readonly now: number;
}
