// The host's clocks of one run: how long it waited for a place, what the worker measured, and the wall limit while the script
// is parked.

import type { SlotReport } from "../protocol.js";
import type { CodemodeReport } from "../run-types.js";

const LONGEST_TIMER_MS = 0x7fff_ffff;

export class ScriptTime {
  readonly #queuedAt: number;
  readonly #wallPassed: () => void;
  #sentAt: number | undefined;
  /** The first instruction, as far as the worker has told. */
  #beganAt: number | undefined;
  #cpuMs = 0;
  #lastNow = 0;
  #endsAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitingSince: number | undefined;
  #pausedMs = 0;

  constructor(queuedAt: number, wallPassed: () => void) {
    this.#queuedAt = queuedAt;
    this.#wallPassed = wallPassed;
  }

  /** How long calls have waited for a person. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  sent(): void {
    this.#sentAt = performance.now();
  }

  reported({ cpuMs, wallMs }: SlotReport): void {
    this.#cpuMs = cpuMs;
    this.#beganAt ??= performance.now() - wallMs;
  }

  /** The script waits and has this much time left. */
  parked(wallLeftMs: number): void {
    if (wallLeftMs === Number.POSITIVE_INFINITY) return;
    this.#endsAt ??= performance.now() + wallLeftMs;
    if (this.#waitingSince === undefined) this.#timer ??= setTimeout(() => this.#look(), clipped(wallLeftMs));
  }

  /** A timer may be early, and a wait may have moved the end. */
  #look(): void {
    this.#timer = undefined;
    if (this.#endsAt === undefined || this.#waitingSince !== undefined) return;
    const leftMs = this.#endsAt - performance.now();
    if (leftMs <= 0) this.#wallPassed();
    else this.#timer = setTimeout(() => this.#look(), clipped(leftMs));
  }

  stopWall(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#endsAt = undefined;
  }

  waits(isWaiting: boolean): void {
    const now = performance.now();
    if (isWaiting) this.#waitingSince ??= now;
    else if (this.#waitingSince !== undefined) {
      const waitedMs = now - this.#waitingSince;
      this.#pausedMs += waitedMs;
      this.#waitingSince = undefined;
      if (this.#endsAt === undefined) return;
      this.#endsAt += waitedMs;
      clearTimeout(this.#timer);
      this.#look();
    }
  }

  /** What the script's clock reads from now on: whole milliseconds, never back. */
  scriptNow(startedAt: number): number {
    const passedMs = this.#beganAt === undefined ? 0 : performance.now() - this.#beganAt;
    this.#lastNow = Math.max(this.#lastNow, Math.floor(startedAt + passedMs));
    return this.#lastNow;
  }

  replayed(now: number): void {
    this.#lastNow = Math.max(this.#lastNow, now);
  }

  timings(): CodemodeReport["timings"] {
    const now = performance.now();
    const beganAt = this.#beganAt ?? this.#sentAt;
    return {
      cpuMs: this.#cpuMs,
      wallMs: this.#beganAt === undefined ? 0 : now - this.#beganAt,
      queuedMs: Math.max(0, (beganAt ?? now) - this.#queuedAt),
    };
  }
}

function clipped(ms: number): number {
  return Math.max(0, Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
}
