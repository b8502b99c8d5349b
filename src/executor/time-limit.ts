// One limit of a call's time. It stands still while a person is asked (8.1): how long people take is no fault of a tool.

export class TimeLimit {
  readonly #limitMs: number;
  readonly #onPassed: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onPassed: () => void) {
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
    this.#onPassed = onPassed;
  }

  /** Lets the time run, from where it stood. */
  run(): void {
    if (this.#timer !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onPassed, this.#leftMs);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt));
  }

  /** Begins anew; one that stands still goes on standing. */
  renew(): void {
    if (this.#timer !== undefined && this.#leftMs === this.#limitMs) {
      this.#startedAt = performance.now();
      this.#timer.refresh();
      return;
    }
    const isRunning = this.#timer !== undefined;
    this.stop();
    this.#leftMs = this.#limitMs;
    if (isRunning) this.run();
  }
}
