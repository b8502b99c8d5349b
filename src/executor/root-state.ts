// What all calls below one root call share.
import { NestedCallRecorder } from "../records/nested-call-recorder.js";

/** Of this process, in all executors. */
let rootCalls = 0;

/** Shared by all calls below one root call. */
export class RootState {
  /** Tells root calls apart that have one id (S2); from 1. */
  readonly ordinal: number;
  readonly recorder = new NestedCallRecorder();
  readonly startedAt: number;
  calls = 0;
  #waitedMs = 0;
  #waitingSince: number | undefined;

  constructor(startedAt: number) {
    rootCalls += 1;
    this.ordinal = rootCalls;
    this.startedAt = startedAt;
  }

  /** How long the root call has taken at `now`, without the time in which a person was asked (8.1). */
  elapsedMs(now: number): number {
    const waitedMs = this.#waitedMs + (this.#waitingSince === undefined ? 0 : now - this.#waitingSince);
    return now - this.startedAt - waitedMs;
  }

  noteApprovalWait(isWaiting: boolean, now: number): void {
    if (this.#waitingSince !== undefined) this.#waitedMs += now - this.#waitingSince;
    this.#waitingSince = isWaiting ? now : undefined;
  }
}
