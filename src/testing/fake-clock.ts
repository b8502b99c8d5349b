import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { Clock } from "../executor/engine.js";

/** A clock that stands still until it is moved. It moves what the executor reads; timers are the test runner's affair. */
export interface FakeClock extends Clock {
  /** Moves both readings on by this many milliseconds. */
  advance(ms: number): void;
}

/** @param startMs - What `now` says at first, in milliseconds since the Unix epoch. `monotonic` starts at 0. */
export function createFakeClock(startMs = 0): FakeClock {
  if (!Number.isFinite(startMs))
    throw wrong(`createFakeClock takes a number of milliseconds, not ${describeValue(startMs)}`);
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    advance(ms) {
      if (!(ms >= 0)) throw wrong(`advance takes milliseconds from 0 up, not ${describeValue(ms)}`);
      elapsedMs += ms;
    },
  };
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `${problem}.`);
}
