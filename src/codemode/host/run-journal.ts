// C5: what a run's journal holds, and where in it a replay stands. Calls are found by number, results come in their order.

import { type Payload, PROTOCOL } from "../protocol.js";
import type { CodemodeJournal } from "../run-types.js";
import { fromPayload, type ResultPayload } from "./result-payload.js";
import type { Seed } from "./seed.js";

interface StartEntry {
  readonly type: "start";
  readonly protocol: string;
  readonly seed: Seed;
  readonly startedAt: number;
  /** What `load` finds: keys and JSON texts. Absent when it is empty. */
  readonly store?: StoreEntries;
}
interface CallEntry {
  readonly type: "call";
  readonly id: number;
  readonly name: string;
  /** JSON text; absent for a call without arguments. */
  readonly args?: string;
}
interface ResultEntry {
  readonly type: "result";
  readonly id: number;
  /** The script's time from then on. */
  readonly now: number;
  readonly kind: number;
  readonly text?: string;
}
interface EndEntry {
  readonly type: "end";
  readonly status: string;
}
type Entry = StartEntry | CallEntry | ResultEntry | EndEntry;

type StoreEntries = readonly (readonly [string, string])[];

/** What a run begins with, besides its source. */
export interface RunBeginning {
  readonly seed: Seed;
  readonly startedAt: number;
  readonly store: StoreEntries;
}

/** What the journal holds is not what a run of this kind begins with. */
export class NotReplayable extends Error {}

export class RunJournal implements RunBeginning {
  readonly seed: Seed;
  readonly startedAt: number;
  /** As it was when the run began first: a run that is resumed must not find what others have stored since. */
  readonly store: StoreEntries;
  /** The highest number of a recorded call. */
  readonly recordedCalls: number;
  readonly isFinished: boolean;
  readonly #log: CodemodeJournal | undefined;
  readonly #calls = new Map<number, CallEntry>();
  readonly #results: ResultEntry[] = [];
  readonly #settled = new Set<number>();
  #next = 0;
  #tellBroken: ((error: unknown) => void) | undefined;
  #broken: { readonly error: unknown } | undefined;
  #unmade: Set<number>;

  /** @throws NotReplayable when the journal is that of another run; else what the log itself throws. */
  constructor(log: CodemodeJournal | undefined, fresh: RunBeginning) {
    this.#log = log;
    const entries = log === undefined ? [] : readEntries(log);
    const [start] = entries;
    if (start !== undefined && start.type !== "start")
      throw new NotReplayable("The journal's first entry is no start of a run.");
    if (start !== undefined && start.protocol !== PROTOCOL) {
      throw new NotReplayable(`The journal was written for ${String(start.protocol)}, this is ${PROTOCOL}.`);
    }
    this.seed = start?.seed ?? fresh.seed;
    this.startedAt = start?.startedAt ?? fresh.startedAt;
    this.store = start === undefined ? fresh.store : (start.store ?? []);
    for (const entry of entries.slice(1)) this.#read(entry);
    let recordedCalls = 0;
    this.isFinished = entries.at(-1)?.type === "end";
    for (const id of this.#calls.keys()) recordedCalls = Math.max(recordedCalls, id);
    this.recordedCalls = recordedCalls;
    this.#unmade = new Set(this.#calls.keys());
    if (start !== undefined) return;
    const { seed, startedAt, store } = this;
    this.#push({ type: "start", protocol: PROTOCOL, seed, startedAt, ...(store.length === 0 ? {} : { store }) });
  }

  /** Told when a log fails after its `push` has returned; later than this, if it has failed by now. */
  onBroken(tell: (error: unknown) => void): void {
    this.#tellBroken = tell;
    const broken = this.#broken;
    if (broken !== undefined) queueMicrotask(() => tell(broken.error));
  }

  #read(entry: Entry): void {
    if (entry.type === "call") this.#calls.set(entry.id, entry);
    if (entry.type !== "result") return;
    if (!this.#calls.has(entry.id))
      throw new NotReplayable(`The journal has a result of call ${entry.id} before the call.`);
    this.#results.push(entry);
    this.#settled.add(entry.id);
  }

  get keepsTexts(): boolean {
    return this.#log !== undefined;
  }

  /** The recorded result that the script is to get next. */
  get nextResult(): ResultEntry | undefined {
    return this.#results[this.#next];
  }

  takeResult(): void {
    this.#next += 1;
  }

  /** How a call compares with the journal: it is new, its result is there, or it may or may not have happened. */
  compare(
    id: number,
    name: string,
    payload: Payload | undefined,
  ): "new" | "recorded" | "in doubt" | { readonly problem: string } {
    const recorded = this.#calls.get(id);
    if (recorded === undefined) return "new";
    this.#unmade.delete(id);
    if (recorded.name !== name) return { problem: differs(id, `${recorded.name}`, name) };
    const args = fromPayload(payload);
    if (recorded.args !== args)
      return { problem: differs(id, shown(recorded), shown({ name, ...(args === undefined ? {} : { args }) })) };
    return this.#settled.has(id) ? "recorded" : "in doubt";
  }

  /** A recorded call that the script has not made. */
  get firstUnmade(): { readonly id: number; readonly name: string } | undefined {
    const [id] = this.#unmade;
    return id === undefined ? undefined : this.#calls.get(id);
  }

  pushCall(id: number, name: string, args: Payload | undefined): void {
    if (this.#log === undefined) return;
    const text = fromPayload(args);
    this.#push({ type: "call", id, name, ...(text === undefined ? {} : { args: text }) });
  }

  pushResult(id: number, now: number, { kind, text }: ResultPayload): void {
    this.#push({ type: "result", id, now, kind, ...(text === undefined ? {} : { text }) });
  }

  pushEnd(status: string): void {
    if (!this.isFinished) this.#push({ type: "end", status });
  }

  #push(entry: Entry): void {
    const kept: unknown = this.#log?.push(entry);
    // A log may say later that it failed; nobody else would hear of it.
    if (kept instanceof Promise) kept.catch((error: unknown) => this.#noteBroken(error));
  }

  #noteBroken(error: unknown): void {
    this.#broken ??= { error };
    this.#tellBroken?.(error);
  }
}

function readEntries(log: CodemodeJournal): readonly Entry[] {
  const entries = [...log];
  const wrong = entries.findIndex((entry) => !isEntry(entry));
  if (wrong !== -1) throw new NotReplayable(`Entry ${wrong} of the journal is none that nestcall wrote.`);
  return entries as Entry[]; // each was looked at
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Readonly<Record<string, unknown>>;
  const isText = (key: string) => entry[key] === undefined || typeof entry[key] === "string";
  switch (entry.type) {
    case "start":
      return (
        Array.isArray(entry.seed) &&
        entry.seed.length === 4 &&
        typeof entry.startedAt === "number" &&
        (entry.store === undefined || isStore(entry.store))
      );
    case "call":
      return typeof entry.id === "number" && typeof entry.name === "string" && isText("args");
    case "result":
      return ["id", "now", "kind"].every((key) => typeof entry[key] === "number") && isText("text");
    case "end":
      return true;
    default:
      return false;
  }
}

function isStore(value: unknown): boolean {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return Array.isArray(value) && value.every(isPair);
}

function differs(id: number, recorded: string, made: string): string {
  return `Call ${id} differs from the journal: recorded is ${recorded}, the script made ${made}.`;
}

function shown({ name, args = "" }: { readonly name: string; readonly args?: string }): string {
  return `${name}(${args.length > 200 ? `${args.slice(0, 200)}…` : args})`;
}
