// One call of a client. It outlives the request that began it: while a person is asked in the newer protocol nobody waits for
// it, and a later request of the client comes back to it. Owns the questions that are open.
import { onAbort } from "../../../errors/abort-listeners.js";
import type { RootCallOutcome } from "../../../executor/batch-outcome.js";
import { isConsent } from "./approval-form.js";

/**
 * How the client of a request asks its person: by a form at once; by an answer that leaves the call parked; or not at all.
 */
export type AskWay = "none" | "park" | ((message: string, signal: AbortSignal) => Promise<boolean>);

/** One request of the client that waits for the call. */
export interface Visit {
  /** Any of them ends the call. */
  readonly signals: readonly AbortSignal[];
  readonly way: AskWay;
  /** Shows a line of progress, if the client wants that. */
  readonly say: ((line: string) => void) | undefined;
}

export interface OpenQuestion {
  readonly key: string;
  readonly message: string;
}
/** Why a visit is over: the call is, or a person has to be asked. */
export type Attended =
  | { readonly kind: "settled"; readonly outcome: RootCallOutcome }
  | { readonly kind: "asks"; readonly questions: readonly OpenQuestion[] };

export interface ClientCallStart {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly visit: Visit;
  readonly run: (signal: AbortSignal) => Promise<RootCallOutcome>;
}

/** Calls that a script makes together are asked about together. */
const GATHER_MS = 20;
/** Clients give a call up that says nothing for a minute. */
const SAY_AGAIN_MS = 15_000;

export class ClientCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly #controller = new AbortController();
  readonly #questions = new Map<string, OpenQuestion & { readonly settle: (answer: boolean) => void }>();
  #outcome!: Promise<RootCallOutcome>; // set by `begin`, which is the only way to get a call
  #visit: Visit;
  #asked = 0;
  #wake: (() => void) | undefined;
  #gathering: NodeJS.Timeout | undefined;

  private constructor({ id, name, args, visit }: ClientCallStart) {
    this.id = id;
    this.name = name;
    this.args = args;
    this.#visit = visit;
  }

  /** `register` makes the call known before it runs: its first question may come at once. */
  static begin(start: ClientCallStart, register: (call: ClientCall) => void): ClientCall {
    const call = new ClientCall(start);
    register(call);
    call.#outcome = start.run(call.#controller.signal);
    return call;
  }

  get outcome(): Promise<RootCallOutcome> {
    return this.#outcome;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Waits, for one request, until the call has settled or a person has to be asked by the answer to that request. */
  async attend(visit: Visit): Promise<Attended> {
    this.#visit = visit;
    const woken = new Promise<undefined>((resolve) => {
      this.#wake = () => resolve(undefined);
    });
    const stops = visit.signals.map((signal) => {
      if (signal.aborted) this.abort(signal.reason);
      return onAbort(signal, () => this.abort(signal.reason));
    });
    this.#wakeSoon();
    try {
      const outcome = await Promise.race([this.#outcome, woken]);
      if (outcome !== undefined) return { kind: "settled", outcome };
      return { kind: "asks", questions: [...this.#questions.values()] };
    } finally {
      for (const stop of stops) stop();
      this.#wake = undefined;
    }
  }

  /** What a person said to the open questions. Those without an answer stay open. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) this.#questions.get(key)?.settle(isConsent(response));
  }

  /**
   * @param about - The call in question, as progress names it.
   * @param signal - Of the call in question: when it aborts, the answer does not matter any more.
   */
  async ask(message: string, about: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { way } = this.#visit;
    if (way === "none") return undefined;
    if (way === "park") return this.#leaveOpen(message, signal);
    const line = `${about} … waits for approval`;
    this.#visit.say?.(line);
    const timer = setInterval(() => this.#visit.say?.(line), SAY_AGAIN_MS).unref();
    try {
      return await way(message, signal);
    } finally {
      clearInterval(timer);
    }
  }

  get isParking(): boolean {
    return this.#visit.way === "park";
  }

  #leaveOpen(message: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    this.#asked += 1;
    const key = `approval-${this.#asked}`;
    return new Promise((resolve) => {
      const settle = (answer: boolean) => {
        stop();
        this.#questions.delete(key);
        resolve(answer);
      };
      const stop = onAbort(signal, () => settle(false));
      this.#questions.set(key, { key, message, settle });
      this.#wakeSoon();
    });
  }

  #wakeSoon(): void {
    if (this.#questions.size === 0 || this.#gathering !== undefined) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      if (this.#questions.size > 0) this.#wake?.();
    }, GATHER_MS);
  }
}
