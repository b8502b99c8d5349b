// How calls ended, in words. Runs in browsers too.
import type { TraceStatus } from "../trace.js";

/** In the order in which they are told. */
export const STATUS_WORDS: Readonly<Record<TraceStatus, string>> = {
  ok: "ok",
  blocked: "blocked",
  error: "failed",
  aborted: "aborted",
  unfinished: "unfinished",
  unknown: "unknown",
};
