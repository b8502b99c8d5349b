// Which root call an event belongs to, and the budget of all of them. Owns the logs.
import type {
  ToolExecutionEndEvent,
  ToolExecutionEvent,
  ToolExecutionProgressEvent,
  ToolExecutionStartEvent,
  ToolExecutionUpdateEvent,
  ToolExecutionWaitEvent,
} from "../../executor/tool-execution-event.js";
import type { CollectorSettings } from "./collector-options.js";
import { RootLog } from "./root-log.js";

/** Hears that an event of a root call was kept. */
export type KeptListener = (rootKey: number) => void;

/** Taking so many root calls at once from the beginning of the list costs as much as taking one. */
const DROP_STEP = 32;
/** Freeing a little more than is needed makes that rare. */
const FREE_PART = 0.2;

export class RootLogs {
  readonly #settings: CollectorSettings;
  /** The earliest first. */
  readonly #logs: RootLog[] = [];
  /** The open root calls that are kept, by their ordinals: two may have one id (S2). */
  readonly #open = new Map<number, RootLog>();
  #lastLog: RootLog | undefined = undefined;
  #listeners: readonly KeptListener[] = [];
  #bytes = 0;
  #keys = 0;

  constructor(settings: CollectorSettings) {
    this.#settings = settings;
  }

  take(event: ToolExecutionProgressEvent): void {
    if (event.type === "tool_execution_start") this.#takeStart(event);
    else if (event.type === "tool_execution_end") this.#takeEnd(event);
    else this.#takeUpdate(event);
  }

  takeWait(event: ToolExecutionWaitEvent): void {
    const log = this.#logOf(event);
    if (log === undefined || log.isPlaceless(event.ordinal) || !this.#hasRoom()) return;
    this.#kept(log, log.events.addWait(event));
  }

  /** The logs of these keys, or all; the earliest first. */
  list(keys?: readonly number[]): readonly RootLog[] {
    const kept = this.#logs.slice(-this.#settings.maxRoots);
    return keys === undefined ? kept : kept.filter(({ key }) => keys.includes(key));
  }

  subscribe(listener: KeptListener): () => void {
    const own: KeptListener = (key) => listener(key); // one function may subscribe twice
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
    };
  }

  clear(): void {
    for (let index = this.#logs.length - 1; index >= 0; index -= 1) {
      if (this.#logs[index]?.isFinished === true) this.#dropAt(index);
    }
  }

  #takeStart(event: ToolExecutionStartEvent): void {
    if (event.depth === 0) {
      this.#begin(event);
      return;
    }
    const log = this.#logOf(event);
    if (log === undefined) return;
    if (this.#hasRoom()) this.#kept(log, log.events.addStart(event));
    else log.drop(event.ordinal);
  }

  #begin(event: ToolExecutionStartEvent): void {
    const { isWanted, maxRoots } = this.#settings;
    if (!isWanted(event)) return;
    this.#keys += 1;
    const log = new RootLog(this.#keys, event, this.#settings);
    this.#logs.push(log);
    this.#open.set(log.rootOrdinal, log);
    if (this.#logs.length >= maxRoots + DROP_STEP) this.#dropEarliest(DROP_STEP);
    this.#kept(log, log.bytes);
  }

  #takeEnd(event: ToolExecutionEndEvent): void {
    const log = this.#logOf(event);
    if (log === undefined) return;
    if (event.depth === 0) {
      this.#endRoot(log);
      this.#kept(log, log.end(event));
    } else if (log.isPlaceless(event.ordinal)) log.forget(event.ordinal);
    else this.#kept(log, log.events.addEnd(event, this.#hasRoom()));
  }

  #takeUpdate(event: ToolExecutionUpdateEvent): void {
    const log = this.#logOf(event);
    if (log === undefined || log.isPlaceless(event.ordinal) || !this.#hasRoom()) return;
    this.#kept(log, log.events.addUpdate(event));
  }

  #kept(log: RootLog, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#settings.maxBytes) this.#makeRoom();
    if (this.#listeners.length > 0) this.#tell(log.key);
  }

  #tell(key: number): void {
    const failures: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(key);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0]; // to the executor, which reports what observers throw
  }

  #endRoot(log: RootLog): void {
    log.isFinished = true;
    this.#open.delete(log.rootOrdinal);
    if (this.#lastLog === log) this.#lastLog = undefined;
  }

  #logOf({ rootOrdinal }: ToolExecutionEvent): RootLog | undefined {
    if (rootOrdinal === this.#lastLog?.rootOrdinal) return this.#lastLog;
    this.#lastLog = this.#open.get(rootOrdinal);
    return this.#lastLog;
  }

  #hasRoom(): boolean {
    return this.#bytes <= this.#settings.maxBytes || this.#makeRoom();
  }

  /** Whether it is within the budget afterwards. */
  #makeRoom(): boolean {
    const { maxBytes } = this.#settings;
    const target = maxBytes * (1 - FREE_PART);
    for (let index = 0; this.#bytes > target && index < this.#logs.length - 1; ) {
      if (this.#logs[index]?.isFinished === true) this.#dropAt(index);
      else index += 1;
    }
    for (const log of this.#logs) {
      if (this.#bytes > target) this.#bytes -= log.thin(this.#bytes - target);
    }
    return this.#bytes <= maxBytes;
  }

  #dropEarliest(count: number): void {
    for (const log of this.#logs.splice(0, count)) this.#dropped(log);
  }

  #dropAt(index: number): void {
    for (const log of this.#logs.splice(index, 1)) this.#dropped(log);
  }

  #dropped(log: RootLog): void {
    this.#bytes -= log.bytes;
    if (!log.isFinished) this.#endRoot(log);
  }
}
