// The calls of one run as the host makes them: started when they leave the sandbox, aborted with the run, listed at its end.
import { setMaxListeners } from "node:events";
import { withinScript } from "../nesting.js";
import { FAILURE, type Payload } from "../protocol.js";
import type { CodemodeCall, CodemodeRunOptions } from "../run-types.js";
import { timeToWork } from "./host-turns.js";
import { errorPayload, fromPayload, type ResultPayload, valuePayload } from "./result-payload.js";

/** As many calls as may come at once, each with less than this, are soon read. */
const HEAVY_CHARACTERS = 8 * 1024;

interface MadeCall {
  readonly id: number;
  readonly name: string;
  startedAt: number | undefined;
  status: CodemodeCall["status"] | undefined;
  durationMs: number | undefined;
  isWaiting: boolean;
}

export interface RunCallsOwner {
  readonly depth: number;
  readonly resultBytes: number;
  settled(id: number, result: ResultPayload): void;
  /** Whether any call waits for a person. */
  waits(isWaiting: boolean): void;
}

export class RunCalls {
  readonly #callTool: CodemodeRunOptions["callTool"];
  readonly #owner: RunCallsOwner;
  readonly #calls = new Map<number, MadeCall>();
  readonly #controller = new AbortController();
  #waiting = 0;
  /** Calls that wait for a turn of the host; those that come later keep behind them. */
  #behind = 0;
  #isAborted = false;

  constructor(callTool: CodemodeRunOptions["callTool"], owner: RunCallsOwner) {
    this.#callTool = callTool;
    this.#owner = owner;
    // All calls of the run share it, and there may be more of them than anyone expects (T5).
    setMaxListeners(0, this.#controller.signal);
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  nameOf(id: number): string {
    return this.#calls.get(id)?.name ?? "";
  }

  note(id: number, name: string): void {
    this.#calls.set(id, { id, name, startedAt: undefined, status: undefined, durationMs: undefined, isWaiting: false });
  }

  /** A call whose result the journal has. */
  replayed(id: number, isOk: boolean): void {
    const call = this.#calls.get(id);
    if (call !== undefined) call.status = isOk ? "ok" : "error";
  }

  /** Makes a call that was noted, with the JSON of its arguments. Its result comes later, never within this function. */
  start(id: number, args: Payload | undefined, isInDoubt: boolean): void {
    const call = this.#calls.get(id);
    if (call === undefined || this.#isAborted) return;
    // Many calls may come at once, each with arguments that take a while to read.
    const isHeavy = args !== undefined && args.length > HEAVY_CHARACTERS;
    if (isHeavy || this.#behind > 0) void this.#startInTime(call, args, isInDoubt);
    else this.#begin(call, args, isInDoubt);
  }

  async #startInTime(call: MadeCall, args: Payload | undefined, isInDoubt: boolean): Promise<void> {
    this.#behind += 1;
    await timeToWork();
    this.#behind -= 1;
    if (!this.#isAborted) this.#begin(call, args, isInDoubt);
  }

  #begin(call: MadeCall, args: Payload | undefined, isInDoubt: boolean): void {
    call.startedAt = performance.now();
    const json = fromPayload(args);
    void this.#make(call, json === undefined ? undefined : JSON.parse(json), isInDoubt);
  }

  async #make(call: MadeCall, args: unknown, isInDoubt: boolean): Promise<void> {
    const context = {
      id: call.id,
      signal: this.#controller.signal,
      ...(isInDoubt ? { inDoubt: true as const } : {}),
      onApprovalWait: (isWaiting: boolean) => this.#wait(call, isWaiting),
    };
    try {
      const value = await withinScript(this.#owner.depth, () => this.#callTool(call.name, args, context));
      const payload = valuePayload(value, this.#owner.resultBytes);
      const result = payload instanceof Promise ? await payload : payload;
      this.#settle(call, result.kind === FAILURE ? "error" : "ok", result);
    } catch (error) {
      const payload = errorPayload(error, this.#owner.resultBytes);
      this.#settle(call, "error", payload instanceof Promise ? await payload : payload);
    }
  }

  #settle(call: MadeCall, status: "ok" | "error", result: ResultPayload): void {
    this.#wait(call, false);
    if (call.status !== undefined) return;
    // What failed after the abort failed because of it; what was done all the same is done.
    call.status = this.#isAborted && status === "error" ? "aborted" : status;
    call.durationMs = performance.now() - (call.startedAt ?? 0);
    if (this.#isAborted) return;
    this.#owner.settled(call.id, result);
  }

  #wait(call: MadeCall, isWaiting: boolean): void {
    if (call.isWaiting === isWaiting || (isWaiting && call.status !== undefined)) return;
    call.isWaiting = isWaiting;
    this.#waiting += isWaiting ? 1 : -1;
    this.#owner.waits(this.#waiting > 0);
  }

  /** Names of the calls that have no result. */
  get openNames(): readonly string[] {
    return [...this.#calls.values()].filter(({ status }) => status === undefined).map(({ name }) => name);
  }

  /** Whether a call that was made runs on. */
  get isRunning(): boolean {
    return [...this.#calls.values()].some(({ status, startedAt }) => status === undefined && startedAt !== undefined);
  }

  /** Aborts what still runs; its results are no longer wanted. */
  abort(reason: Error): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    for (const call of this.#calls.values()) if (call.startedAt === undefined) call.status ??= "aborted";
    this.#controller.abort(reason);
  }

  /** Nothing is known of the calls that run: they stay as they are now. */
  giveUp(): void {
    for (const call of this.#calls.values()) if (call.startedAt !== undefined) call.status ??= "unfinished";
  }

  /** In the order of their numbers. What has not ended by now has not heeded its signal. */
  list(): readonly CodemodeCall[] {
    const calls = [...this.#calls.values()].sort((a, b) => a.id - b.id);
    return calls.map(({ id, name, status = "unfinished", durationMs }) => ({
      id,
      name,
      status,
      ...(durationMs === undefined ? {} : { durationMs }),
    }));
  }
}
