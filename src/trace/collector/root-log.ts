// One root call that is kept. Its own start and end are here: a root call that calls nothing, as many do, needs no more.
import type { ToolExecutionEndEvent, ToolExecutionStartEvent } from "../../executor/tool-execution-event.js";
import type { TraceEvent } from "../trace-event.js";
import { EventLog } from "./event-log.js";
import { type KeptValue, keepArguments } from "./kept-arguments.js";
import { keptName } from "./kept-names.js";
import { type KeepLimits, type KeptResult, keepResult } from "./kept-result.js";
import { endEvent, readEvents, startEvent } from "./read-events.js";

/** About what a root call takes besides its arguments and its result. */
const ROOT_BYTES = 400;

export class RootLog {
  /** Told apart by this, since a host may give two root calls one id (S2). */
  readonly key: number;
  readonly rootOrdinal: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly startedAt: number;
  /** It has ended, or is not listened to any more. */
  isFinished = false;
  /** Calls that ran and have no place here. */
  dropped = 0;
  readonly #limits: KeepLimits;
  readonly #arguments: KeptValue | undefined;
  readonly #argumentsBytes: number | undefined;
  #events: EventLog | undefined = undefined;
  #status: ToolExecutionEndEvent["status"] | undefined = undefined;
  #code: ToolExecutionEndEvent["code"];
  #durationMs: number | undefined = undefined;
  #endedAt: number | undefined = undefined;
  #kept: KeptResult | undefined = undefined;
  /** Calls that are open and have no place, by ordinal. */
  #placeless: Set<number> | undefined = undefined;

  constructor(key: number, event: ToolExecutionStartEvent, limits: KeepLimits) {
    const { toolCallId, timestamp, argumentsBytes, rootOrdinal } = event;
    this.key = key;
    this.rootOrdinal = rootOrdinal;
    this.toolCallId = toolCallId;
    this.toolName = keptName(event, limits);
    this.startedAt = timestamp;
    this.#limits = limits;
    this.#arguments = keepArguments(event, limits);
    this.#argumentsBytes = argumentsBytes;
  }

  /** What happens between its start and its end. */
  get events(): EventLog {
    this.#events ??= new EventLog(this.#limits);
    return this.#events;
  }

  /** Calls that are kept, the root itself among them. */
  get calls(): number {
    return 1 + (this.#events?.calls ?? 0);
  }

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    const texts = this.toolCallId.length + this.toolName.length;
    return ROOT_BYTES + texts + (this.#arguments?.bytes ?? 0) + (this.#kept?.bytes ?? 0) + (this.#events?.bytes ?? 0);
  }

  /** @returns About how many bytes more are kept now. */
  end(event: ToolExecutionEndEvent): number {
    this.#status = event.status;
    this.#code = event.code;
    this.#durationMs = event.durationMs;
    this.#endedAt = event.timestamp;
    this.#kept = keepResult(event.result, this.#limits);
    this.#events?.texts.flush(); // what they are slices of need not wait for more
    return this.#kept.bytes;
  }

  /** Lets go of arguments and results of the calls below; see `EventLog`. */
  thin(bytes: number): number {
    return this.#events?.thin(bytes) ?? 0;
  }

  /** Notes a call that has no place; what else is heard of it has none either. */
  drop(ordinal: number): void {
    this.dropped += 1;
    this.#placeless ??= new Set();
    this.#placeless.add(ordinal);
    this.events.noteGap();
  }

  isPlaceless(ordinal: number): boolean {
    return this.#placeless?.has(ordinal) === true;
  }

  forget(ordinal: number): void {
    this.#placeless?.delete(ordinal);
  }

  traceEvents(): TraceEvent[] {
    const { toolCallId, toolName, startedAt, dropped: calls } = this;
    const place = { toolCallId, toolName, depth: 0, rootOrdinal: this.rootOrdinal };
    const start = startEvent({ ...place, timestamp: startedAt }, this.#arguments?.value, this.#argumentsBytes);
    const events = [start, ...(this.#events === undefined ? [] : readEvents(this.#events, place))];
    const timestamp = this.#endedAt ?? events.at(-1)?.timestamp ?? startedAt;
    if (calls > 0) events.push({ type: "trace_dropped", toolCallId, calls, timestamp });
    if (this.#status !== undefined) {
      const end = { status: this.#status, code: this.#code, durationMs: this.#durationMs };
      events.push(endEvent({ ...place, timestamp }, end, this.#kept));
    }
    return events;
  }
}
