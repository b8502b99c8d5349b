// What a log keeps, as events again.
import type { ToolResult } from "../../tools/tool.js";
import type { TraceEndEvent, TraceEvent, TraceStartEvent } from "../trace-event.js";
import { END_STATUSES, type EventLog, NONE, RowKind } from "./event-log.js";
import { type KeptResult, textBytesOf } from "./kept-result.js";
import type { RowExtra } from "./row-extras.js";
import type { KeptText } from "./text-blocks.js";

type Place = Pick<TraceStartEvent, "toolCallId" | "parentToolCallId" | "toolName" | "depth" | "rootOrdinal">;
type Base = Place & Pick<TraceStartEvent, "timestamp">;

/** The events of a log, which are those between the start and the end of a root call, in the order in which they happened. */
export function readEvents(log: EventLog, root: Place): TraceEvent[] {
  const places = placesOf(log, root);
  const texts = log.texts[Symbol.iterator]();
  const events: TraceEvent[] = [];
  let starts = 0;
  let row = 0;
  for (const [kind, ordinal = 0, timestamp = 0, amount = Number.NaN, first = 0, second = NONE] of log.rows) {
    const place = places.get(ordinal);
    const extra = log.extras.get(row) ?? {};
    row += 1;
    if (place === undefined) continue; // its start came before the collector
    const base = { ...place, timestamp };
    if (kind === RowKind.start) {
      events.push(startEvent(base, log.args.at(starts), known(amount)));
      starts += 1;
    } else if (kind === RowKind.end) {
      const kept = second === NONE ? extra.kept : shortResult(texts.next().value);
      const { code } = extra;
      events.push(endEvent(base, { status: END_STATUSES[first] ?? "ok", code, durationMs: known(amount) }, kept));
    } else events.push(otherEvent(base, extra));
  }
  return events;
}

/** Ids are not kept: the calls of one caller are numbered in the order in which they were made (S1). */
function placesOf(log: EventLog, root: Place): ReadonlyMap<number, Place> {
  const starts: { ordinal: number; caller: number; toolName: string; id: string | undefined }[] = [];
  let row = 0;
  for (const [kind, ordinal = 0, , , caller = NONE, name = NONE] of log.rows) {
    const toolName = log.names.textOf(name) ?? "";
    if (kind === RowKind.start) starts.push({ ordinal, caller, toolName, id: log.extras.get(row)?.id });
    row += 1;
  }
  starts.sort((one, other) => one.ordinal - other.ordinal);
  const counts: number[] = [];
  const { rootOrdinal = 0 } = root;
  const places = new Map<number, Place>([[0, root]]);
  for (const { ordinal, caller, toolName, id } of starts) {
    const parentToolCallId = log.callers.textOf(caller) ?? root.toolCallId;
    const number = (counts[caller] ?? 0) + 1;
    counts[caller] = number;
    const depth = parentToolCallId.slice(root.toolCallId.length).split("/").length;
    places.set(ordinal, {
      toolCallId: id ?? `${parentToolCallId}/${number}`,
      parentToolCallId,
      toolName,
      depth,
      rootOrdinal,
    });
  }
  return places;
}

export function startEvent(base: Base, args: unknown, argumentsBytes: number | undefined): TraceEvent {
  return {
    type: "tool_execution_start",
    ...base,
    ...(args === undefined ? {} : { arguments: args }),
    ...(argumentsBytes === undefined ? {} : { argumentsBytes }),
  };
}

interface End {
  readonly status: TraceEndEvent["status"];
  readonly code?: TraceEndEvent["code"] | undefined;
  readonly durationMs?: number | undefined;
}

export function endEvent(base: Base, { status, code, durationMs }: End, kept: KeptResult | undefined): TraceEndEvent {
  const result = resultOf(kept);
  return {
    type: "tool_execution_end",
    ...base,
    status,
    isError: status !== "ok",
    ...(code === undefined ? {} : { code }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(result === undefined ? {} : { result }),
    ...(kept === undefined ? {} : { resultBytes: textBytesOf(kept) }),
    ...(kept?.isCut === true ? { isResultCut: true } : {}),
  };
}

export function otherEvent(base: Base, { wait, updates, kept }: RowExtra): TraceEvent {
  if (wait !== undefined) {
    const { reason, paths, heldBy } = wait;
    const files = paths === undefined ? {} : { paths };
    return { type: "tool_execution_wait", ...base, reason, ...files, ...(heldBy === undefined ? {} : { heldBy }) };
  }
  const result = resultOf(kept);
  const partial = result === undefined ? {} : { partialResult: result };
  return { type: "tool_execution_update", ...base, ...partial, ...(updates === undefined ? {} : { updates }) };
}

function shortResult({ text, units }: KeptText = { text: undefined, units: 0 }): KeptResult {
  const textBytes = text === undefined ? units : Buffer.byteLength(text);
  return { text, result: undefined, textBytes, bytes: textBytes, isCut: text === undefined };
}

function resultOf(kept: KeptResult | undefined): Partial<ToolResult> | undefined {
  if (kept?.text === undefined) return kept?.result;
  return { content: [{ type: "text", text: kept.text }], ...kept.result };
}

/** An amount of a row; none when it says so. */
function known(amount: number): number | undefined {
  return Number.isNaN(amount) ? undefined : amount;
}
