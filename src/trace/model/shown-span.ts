// From where to where a call is drawn. Runs in browsers too.
import type { TraceWait } from "../trace.js";

export interface TimedCall {
  readonly startMs: number;
  readonly endMs: number;
  readonly waits: readonly TraceWait[];
  readonly parent?: number | undefined;
}

/**
 * Where the bar of a call begins: at its start, or where its turn came. Of a thousand calls that are made at once and run
 * 64 at a time, only 64 are beside each other then.
 */
export function shownFromMs({ startMs, waits }: TimedCall): number {
  const [first] = waits;
  return first?.reason === "concurrency" ? Math.max(startMs, first.toMs) : startMs;
}
