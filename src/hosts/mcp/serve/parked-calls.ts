// Calls that wait for an answer which comes with a later request (8.1). A call is found again by an unguessable text that is
// good for one answer, and given up after a stated time. It is never run again.
import { randomBytes } from "node:crypto";
import { isSameJson } from "../../../records/json-snapshot.js";
import type { ClientCall } from "./client-call.js";

interface Parked {
  readonly call: ClientCall;
  readonly timer: NodeJS.Timeout;
}
type Fate = "expired" | "answered";

/** How many states are remembered that are no good any more, to say why. */
const MAX_REMEMBERED = 1_000;

export interface ParkedCallsOptions {
  readonly keepMs: number;
  /** A call was given up. */
  readonly onExpire: (call: ClientCall) => void;
}

export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #parked = new Map<string, Parked>();
  readonly #fates = new Map<string, Fate>();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#parked.size;
  }

  /** Keeps a call; the text that comes back is the only way to it. */
  put(call: ClientCall): string {
    const state = randomBytes(32).toString("base64url");
    const timer = setTimeout(() => this.#expire(state), this.#options.keepMs).unref();
    this.#parked.set(state, { call, timer });
    return state;
  }

  /** The call of this state, once; or a sentence that says why there is none. */
  take(state: unknown, name: string, args: unknown): ClientCall | string {
    const parked = typeof state === "string" ? this.#parked.get(state) : undefined;
    if (typeof state !== "string" || parked === undefined) return this.#problemOf(state);
    const { call, timer } = parked;
    if (call.name !== name || !isSameJson(call.args ?? {}, args ?? {})) {
      return `This requestState belongs to a call of the tool "${call.name}" with other arguments; send those again with it.`;
    }
    clearTimeout(timer);
    this.#forget(state, "answered");
    return call;
  }

  /** The client of these calls is gone. */
  drop(calls: ReadonlySet<ClientCall>): void {
    for (const [state, { call, timer }] of this.#parked) {
      if (!calls.has(call)) continue;
      clearTimeout(timer);
      this.#forget(state, "expired");
    }
  }

  #expire(state: string): void {
    const parked = this.#parked.get(state);
    this.#forget(state, "expired");
    if (parked !== undefined) this.#options.onExpire(parked.call);
  }

  #forget(state: string, fate: Fate): void {
    this.#parked.delete(state);
    this.#fates.set(state, fate);
    if (this.#fates.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#fates.keys();
    if (oldest !== undefined) this.#fates.delete(oldest);
  }

  #problemOf(state: unknown): string {
    const fate = typeof state === "string" ? this.#fates.get(state) : undefined;
    if (fate === "answered") return "This requestState has been answered already; each is good for one answer.";
    if (fate === "expired") {
      return `This requestState has expired: the answer has to come within ${this.#options.keepMs / 1_000} s. Call the tool again.`;
    }
    return "This requestState is not known here. Call the tool again.";
  }
}
