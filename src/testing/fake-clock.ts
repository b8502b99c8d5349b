import type { Clock } from "../executor/engine.js";

/** A clock that stands still until it is moved. It moves what the executor reads; timers are the test runner's affair. */
export interface FakeClock extends Clock {
  /** Moves both readings on by this many milliseconds. */
  advance(ms: number): void;
}

/** @param startMs - What `now` says at first, in milliseconds since the Unix epoch. `monotonic` starts at 0. */
export function createFakeClock(startMs = 0): FakeClock {
  if (!Number.isFinite(startMs))
    throw new RangeError(`A fake clock starts at a number of milliseconds, not at ${String(startMs)}.`);
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A fake clock moves on by milliseconds from 0 up, not by ${ms}.`);
      elapsedMs += ms;
    },
  };
}
