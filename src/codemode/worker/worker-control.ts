// The worker's side of the shared control block: what runs here, until when, and whether the host wants it to stop.
import { CONTROL, stopCell } from "../protocol.js";

export class WorkerControl {
  readonly #cells: Int32Array;
  /** From this thread's `performance.now` to the host's. */
  readonly #shiftMs: number;

  constructor(buffer: SharedArrayBuffer, hostTimeOrigin: number) {
    this.#cells = new Int32Array(buffer);
    this.#shiftMs = performance.timeOrigin - hostTimeOrigin;
  }

  enter(run: number, deadline: number): void {
    const now = performance.now();
    Atomics.store(this.#cells, CONTROL.lastPoll, now + this.#shiftMs);
    Atomics.store(this.#cells, CONTROL.enteredAt, now + this.#shiftMs);
    Atomics.store(this.#cells, CONTROL.deadline, Math.min(deadline + this.#shiftMs, 0x7fff_ffff));
    Atomics.store(this.#cells, CONTROL.running, run);
  }

  leave(): void {
    Atomics.store(this.#cells, CONTROL.running, 0);
  }

  /** Whether the run is to stop. */
  poll(run: number): boolean {
    Atomics.store(this.#cells, CONTROL.lastPoll, performance.now() + this.#shiftMs);
    return Atomics.load(this.#cells, stopCell(run)) === run;
  }
}
