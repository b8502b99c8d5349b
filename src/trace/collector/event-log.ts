// The events between the start and the end of a root call, as a collector keeps them. The usual ones are rows of numbers with their texts beside them;
// what is rare about an event (a wait, an error, a result of many parts) is an object. `readEvents` reads them back.
import type {
  ToolExecutionEndEvent,
  ToolExecutionStartEvent,
  ToolExecutionUpdateEvent,
  ToolExecutionWaitEvent,
} from "../../executor/tool-execution-event.js";
import { EventRows, ROW_BYTES } from "./event-rows.js";
import { KeptArguments, keepArguments } from "./kept-arguments.js";
import { keptName, keptWait } from "./kept-names.js";
import { type KeepLimits, keepResult, shortText } from "./kept-result.js";
import { type RowExtra, RowExtras } from "./row-extras.js";
import { StringTable } from "./string-table.js";
import { TextBlocks } from "./text-blocks.js";

/** What kind of event a row is. */
export const RowKind = { start: 0, end: 1, wait: 2, update: 3 } as const;
/** What the first number of an end's row means. */
export const END_STATUSES = ["ok", "error", "aborted"] as const;
/** Stands for "none" in a row. */
export const NONE = -1;

/** How many texts, arguments or results are let go of at once. */
const THIN_STEP = 128;

export class EventLog {
  /** Kind, ordinal, timestamp; then of a start: bytes of the arguments, caller, name; of an end: duration, status, text. */
  readonly rows = new EventRows();
  readonly names = new StringTable();
  /** The calls that made others. */
  readonly callers = new StringTable();
  /** One for each start. */
  readonly args = new KeptArguments();
  readonly texts = new TextBlocks();
  readonly extras = new RowExtras();
  readonly #limits: KeepLimits;
  /** The rows of the updates of calls that run, by ordinal. */
  readonly #updates = new Map<number, { readonly row: number; count: number }>();
  #hasGaps = false;

  constructor(limits: KeepLimits) {
    this.#limits = limits;
  }

  /** About how many bytes of memory it takes. Each `add` gives how many more they are. */
  get bytes(): number {
    return (
      this.rows.length * ROW_BYTES +
      this.callers.bytes +
      this.names.bytes +
      this.args.bytes +
      this.texts.units +
      this.extras.bytes
    );
  }

  /** Calls that are kept. */
  get calls(): number {
    return this.args.length;
  }

  /** Of a nested call. */
  addStart(event: ToolExecutionStartEvent): number {
    const { argumentsBytes = Number.NaN, parentToolCallId = "", ordinal, timestamp } = event;
    const tableBytes = this.callers.bytes + this.names.bytes;
    const caller = this.callers.numberOf(parentToolCallId);
    const name = this.names.numberOf(keptName(event, this.#limits));
    const row = this.rows.add(RowKind.start, ordinal, timestamp, argumentsBytes, caller, name);
    const tables = this.callers.bytes + this.names.bytes - tableBytes;
    const more = ROW_BYTES + tables + this.args.add(keepArguments(event, this.#limits));
    return this.#hasGaps ? more + this.extras.set(row, { id: event.toolCallId }) : more;
  }

  /** @param hasRoom - False: nothing is kept of its result. */
  addEnd(event: ToolExecutionEndEvent, hasRoom: boolean): number {
    const limits = hasRoom ? this.#limits : { ...this.#limits, maxResultBytes: 0 };
    const { ordinal, timestamp, status, durationMs = Number.NaN, result } = event;
    if (this.#updates.size > 0) this.#updates.delete(ordinal);
    if (status === "ok") {
      const text = shortText(result, limits);
      if (text !== undefined) {
        this.rows.add(RowKind.end, ordinal, timestamp, durationMs, 0, this.texts.add(text));
        return text.length + ROW_BYTES;
      }
    }
    const row = this.rows.add(RowKind.end, ordinal, timestamp, durationMs, END_STATUSES.indexOf(status), NONE);
    return this.#addExtra(row, { code: event.code, kept: keepResult(result, limits) });
  }

  addWait(event: ToolExecutionWaitEvent): number {
    return this.#addExtra(this.#addPlain(RowKind.wait, event), { wait: keptWait(event, this.#limits) });
  }

  /** Only the latest update of a call is kept, in the place of its first. */
  addUpdate(event: ToolExecutionUpdateEvent): number {
    const kept = keepResult(event.partialResult, this.#limits);
    const known = this.#updates.get(event.ordinal);
    if (known !== undefined) {
      known.count += 1;
      return this.extras.set(known.row, { updates: known.count, kept });
    }
    const row = this.#addPlain(RowKind.update, event);
    this.#updates.set(event.ordinal, { row, count: 1 });
    return this.#addExtra(row, { updates: 1, kept });
  }

  /** From here on some call has no place, so that ids of later ones can no longer be counted out. */
  noteGap(): void {
    this.#hasGaps = true;
  }

  /**
   * Lets go of arguments and results, the earliest first, until so many bytes are free or none is left.
   *
   * @returns How many bytes are free.
   */
  thin(bytes: number): number {
    this.texts.flush();
    let freed = 0;
    while (freed < bytes) {
      const texts = this.texts.dropEarliest();
      const hasMore = texts !== undefined || this.args.hasMore || this.extras.hasMore;
      if (!hasMore) break;
      freed += (texts ?? 0) + this.args.dropEarliest(THIN_STEP) + this.extras.thinEarliest(THIN_STEP);
    }
    return freed;
  }

  #addPlain(kind: number, { ordinal, timestamp }: { readonly ordinal: number; readonly timestamp: number }): number {
    return this.rows.add(kind, ordinal, timestamp, Number.NaN, NONE, NONE);
  }

  #addExtra(row: number, extra: RowExtra): number {
    return ROW_BYTES + this.extras.set(row, extra);
  }
}
