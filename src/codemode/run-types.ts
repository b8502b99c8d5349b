// What `run` takes and gives (DESIGN 7, 7.1).
import type { DeclaredTool } from "./declarations/declared-tool.js";
import type { CodemodeLimits } from "./limits.js";

/** A tool that a script may call. */
export type CodemodeTool = DeclaredTool;

export interface CodemodeCallContext {
  /** The n of `<call>/<n>`. */
  readonly id: number;
  /** Aborts when the run ends, by whatever reason. */
  readonly signal: AbortSignal;
  /** The journal has the call and not its result: it may have happened. Reject if it must not be repeated. */
  readonly inDoubt?: true;
  /** Tells that the call waits for a person, or no longer does; the time does not count in `wallMs`. */
  onApprovalWait(isWaiting: boolean): void;
}

/** Entries are JSON values. Those that are there are replayed, new ones are pushed. An array is one. */
export interface CodemodeJournal extends Iterable<unknown> {
  push(entry: unknown): unknown;
}

export interface CodemodeRunOptions {
  readonly tools: readonly CodemodeTool[];
  /** Makes one call. Resolves to what the script gets, rejects with its error: message, `code` and `details` are seen. */
  callTool(name: string, args: unknown, context: CodemodeCallContext): Promise<unknown> | unknown;
  readonly signal?: AbortSignal | undefined;
  /** What `load` finds: values that JSON can hold. It is not changed; see `storeWrites`. */
  readonly store?: Readonly<Record<string, unknown>> | undefined;
  /** Of `Math.random`. Default: different for every run. */
  readonly seed?: number | string | undefined;
  /** What the script's clock begins with, in milliseconds since the epoch. Default: now. */
  readonly startedAt?: number | undefined;
  readonly journal?: CodemodeJournal | undefined;
  readonly limits?: Partial<CodemodeLimits> | undefined;
}

export type CodemodeLimitName = "cpu" | "wall" | "queue" | "memory" | "stack" | "calls" | "depth";

export interface CodemodeError {
  readonly name: string;
  readonly message: string;
  /** Of the text as it was given, from 1. */
  readonly line?: number;
  /** Frames of the script only. */
  readonly stack?: string;
  readonly limit?: CodemodeLimitName;
  readonly code?: string | number;
  readonly details?: unknown;
  readonly cause?: CodemodeError;
  readonly errors?: readonly CodemodeError[];
}

export type CodemodeOutputItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface CodemodeConsoleLine {
  readonly level: "log" | "warn" | "error";
  readonly text: string;
}

export interface CodemodeCall {
  readonly id: number;
  readonly name: string;
  /** `unfinished`: it ran when the run ended and had not heeded its signal, or its worker died; nothing is known of it. */
  readonly status: "ok" | "error" | "aborted" | "unfinished";
  readonly durationMs?: number;
}

export interface CodemodeStoreWrites {
  readonly set: Readonly<Record<string, unknown>>;
  readonly delete: readonly string[];
}

export interface CodemodeReport {
  readonly output: readonly CodemodeOutputItem[];
  readonly console: readonly CodemodeConsoleLine[];
  readonly warnings: readonly string[];
  /** In the order of their numbers. */
  readonly calls: readonly CodemodeCall[];
  /** Empty unless the run is `ok`. */
  readonly storeWrites: CodemodeStoreWrites;
  readonly timings: { readonly cpuMs: number; readonly wallMs: number; readonly queuedMs: number };
}

export interface CodemodeSuccess extends CodemodeReport {
  readonly status: "ok";
  readonly value: unknown;
}

export interface CodemodeFailure extends CodemodeReport {
  readonly status: "error" | "limit" | "deadlock" | "aborted" | "divergence" | "engine";
  readonly error: CodemodeError;
}

export type CodemodeRun = CodemodeSuccess | CodemodeFailure;
