// How often a server that keeps dying is started: by the next call, but three times a minute at most (DESIGN 8.1).
import { MCP_LIMITS } from "./limits.js";

export class StartBudget {
  readonly #now: () => number;
  #restarts: readonly number[] = [];
  #hasStarted = false;

  /** @param now - Milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes one start. Gives 0 when there was one left, else the milliseconds until there will be. */
  take(): number {
    const now = this.#now();
    this.#restarts = this.#restarts.filter((at) => now - at < MCP_LIMITS.restartWindowMs);
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      return 0;
    }
    const [oldest] = this.#restarts;
    if (oldest !== undefined && this.#restarts.length >= MCP_LIMITS.restarts)
      return oldest + MCP_LIMITS.restartWindowMs - now;
    this.#restarts = [...this.#restarts, now];
    return 0;
  }
}
