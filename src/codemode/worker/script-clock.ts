// Three clocks of a script: what it computed, what has passed since its first instruction, and what it is told.

export class ScriptClock {
  readonly #cpuMs: number;
  readonly #wallMs: number;
  /** What `Date` reads: it moves with results only, and never back. */
  now: number;
  /** How long calls have waited for a person. */
  pausedMs = 0;
  #usedMs = 0;
  #beganAt: number | undefined;
  #enteredAt: number | undefined;

  constructor(limits: { readonly cpuMs: number; readonly wallMs: number }, startedAt: number) {
    this.#cpuMs = limits.cpuMs;
    this.#wallMs = limits.wallMs;
    this.now = startedAt;
  }

  /** The script begins or goes on. Gives when it must stop at the latest, as `performance.now` counts. */
  enter(): number {
    const now = performance.now();
    this.#beganAt ??= now;
    this.#enteredAt = now;
    return Math.min(now + this.#cpuMs - this.#usedMs, this.#beganAt + this.pausedMs + this.#wallMs);
  }

  leave(): void {
    if (this.#enteredAt === undefined) return;
    this.#usedMs += performance.now() - this.#enteredAt;
    this.#enteredAt = undefined;
  }

  get cpuMs(): number {
    return this.#usedMs + (this.#enteredAt === undefined ? 0 : performance.now() - this.#enteredAt);
  }

  get wallMs(): number {
    return this.#beganAt === undefined ? 0 : performance.now() - this.#beganAt;
  }

  get wallLeftMs(): number {
    return this.#wallMs - (this.wallMs - this.pausedMs);
  }

  /** Which limit has been passed. */
  get passed(): "cpu" | "wall" | undefined {
    if (this.cpuMs > this.#cpuMs) return "cpu";
    return this.wallLeftMs < 0 ? "wall" : undefined;
  }
}
