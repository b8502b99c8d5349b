// A script's calls on the worker's side: numbers, limits, and the queue of those that wait for their turn. What waits here has
// not left the sandbox; the host hears of a call when it may run.
import { type CodemodeLimits, MAX_ARGUMENT_LEVELS } from "../limits.js";
import type { CallMessage, Payload } from "../protocol.js";
import { isDeeperThan } from "./json-depth.js";

/** All arguments that wait for their turn; a flood must not fill the worker's memory. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export class ScriptCalls {
  readonly #limits: CodemodeLimits;
  readonly #recorded: number;
  #lastId = 0;
  #refused = 0;
  #running = 0;
  readonly #open = new Set<number>();
  #waiting: CallMessage[] = [];
  #waitingBytes = 0;

  constructor(limits: CodemodeLimits, recordedCalls: number) {
    this.#limits = limits;
    this.#recorded = recordedCalls;
  }

  /** Calls without a result, those that wait included. */
  get open(): ReadonlySet<number> {
    return this.#open;
  }

  /** Whether no call was ever made. */
  get isUnused(): boolean {
    return this.#lastId === 0;
  }

  /** Takes a number for a call; gives why it is refused, or `undefined` when the script is over by its number of calls. */
  add(tool: number, args: Payload | undefined): number | string | undefined {
    const { maxCalls, argumentBytes } = this.#limits;
    const bytes = args === undefined ? 0 : typeof args === "string" ? Buffer.byteLength(args) : args.length;
    if (bytes > argumentBytes)
      return `The arguments have ${bytes} bytes of JSON; at most ${argumentBytes} can be sent (argumentBytes).`;
    if (args !== undefined && isDeeperThan(args, MAX_ARGUMENT_LEVELS)) {
      return `The arguments are nested more than ${MAX_ARGUMENT_LEVELS} levels deep.`;
    }
    if (this.#lastId >= maxCalls) {
      this.#refused += 1;
      return this.#refused > 1
        ? undefined
        : `The script has made ${maxCalls} calls, and no more are allowed (maxCalls).`;
    }
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      return `Calls with ${this.#waitingBytes} bytes of arguments wait already; await some of them first.`;
    }
    this.#lastId += 1;
    this.#open.add(this.#lastId);
    this.#waiting.push([this.#lastId, tool, args]);
    this.#waitingBytes += bytes;
    return this.#lastId;
  }

  /** Whether the call was made and has no result yet. */
  settle(id: number): boolean {
    if (!this.#open.delete(id)) return false;
    if (id > this.#recorded) this.#running -= 1;
    return true;
  }

  /** Calls that may leave now. */
  take(): readonly CallMessage[] {
    const room = this.#limits.maxConcurrentCalls - this.#running;
    if (this.#waiting.length === 0) return [];
    let count = 0;
    let running = 0;
    while (count < this.#waiting.length) {
      const isRecorded = (this.#waiting[count]?.[0] ?? 0) <= this.#recorded;
      if (!isRecorded && running >= room) break;
      if (!isRecorded) running += 1;
      count += 1;
    }
    if (count === 0) return [];
    const taken = count === this.#waiting.length ? this.#waiting : this.#waiting.splice(0, count);
    if (taken === this.#waiting) this.#waiting = [];
    for (const [, , args] of taken) {
      if (args !== undefined) this.#waitingBytes -= typeof args === "string" ? Buffer.byteLength(args) : args.length;
    }
    this.#running += running;
    return taken;
  }

  /** Whether a call could leave now. */
  get canSend(): boolean {
    return this.#waiting.length > 0 && this.#running < this.#limits.maxConcurrentCalls;
  }
}
