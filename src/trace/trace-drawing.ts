// A trace as a drawing for a terminal: every root call with all it called, what was waited for, and what it adds up to.
import type { ErrorCode } from "../errors/error-code.js";
import { shortenText } from "../errors/text.js";
import type { Drawing, TextDrawing } from "../tools/drawing.js";
import {
  type CallTreeOptions,
  callDrawings,
  callPage,
  type DrawnCall,
  droppedWords,
  milliseconds,
} from "./call-tree-drawing.js";
import { type DrawingTextOptions, drawingToText } from "./drawing-to-text.js";
import { harmlessLine } from "./harmless-text.js";
import { STATUS_WORDS } from "./model/status-words.js";
import { type TraceTotals, totalsOf } from "./model/trace-totals.js";
import type { Trace, TraceCall, TraceStatus } from "./trace.js";
import { placesBelow, waitWords } from "./wait-words.js";

/** Waits shorter than this are none that anybody would look for. */
const MIN_WAIT_MS = 1;
const MAX_WAITS = 3;
const MAX_NAME_CHARS = 40;

/** Draws a trace; of very deep and very long parts some is counted instead, what went wrong last. */
export function traceDrawing(trace: Trace, options: CallTreeOptions = {}): Drawing {
  const { calls, dropped, notes } = trace;
  const trees = callDrawings(drawnRoots(calls), 0, callPage(options));
  const lines: TextDrawing[] = [plain(totalsLine(trace, totalsOf(calls)), "muted")];
  if (dropped > 0) lines.push(plain(`${droppedWords(dropped)} the trace has no place for`, "warning"));
  for (const note of notes) lines.push(plain(harmlessLine(note), "warning"));
  return { type: "stack", items: [...trees, ...lines] };
}

/**
 * A trace for a terminal; see `traceDrawing` and `drawingToText`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when an option is wrong.
 */
export function drawTrace(trace: Trace, options: CallTreeOptions & DrawingTextOptions = {}): string {
  const { width = 80, colors = false } = options;
  return drawingToText(traceDrawing(trace, { ...options, width }), { width, colors });
}

function plain(text: string, tone: "muted" | "warning"): TextDrawing {
  return { type: "text", text, tone };
}

type MutableCall = Omit<DrawnCall, "children"> & { readonly children: DrawnCall[] };

/** Calls that held what others waited for are named as the others name them. */
function drawnRoots(calls: readonly TraceCall[]): DrawnCall[] {
  const roots = calls.filter(({ parent }) => parent === undefined);
  const holders = new Set(calls.flatMap(({ waits }) => waits.flatMap(({ heldBy }) => heldBy ?? [])));
  const placeOf = placesBelow(new Map(roots.map(({ id }, index) => [id, roots.length === 1 ? "T" : `T${index + 1}`])));
  const drawn: MutableCall[] = [];
  for (const call of calls) {
    const isNamed = holders.has(call.id) || (call.parent === undefined && roots.length > 1 && holders.size > 0);
    const place = isNamed ? { place: placeOf(call.id) } : {};
    const node: MutableCall = { ...drawnCall(call, placeOf), ...place };
    drawn.push(node);
    if (call.parent !== undefined) drawn[call.parent]?.children.push(node);
  }
  return drawn.filter((_, index) => calls[index]?.parent === undefined);
}

function drawnCall(call: TraceCall, place: (id: string) => string): MutableCall {
  const { id, name, status, code, error, argumentsBytes, durationMs } = call;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    status: status === "blocked" ? "error" : status,
    ...(code === undefined ? {} : { code: code as ErrorCode }), // of a file it may be one that is not known here; it is only drawn
    ...(error === undefined ? {} : { error }),
    ...(call.arguments === undefined ? {} : { arguments: call.arguments }),
    ...(argumentsBytes === undefined ? {} : { argumentsBytes }),
    ...(durationMs === undefined ? {} : { durationMs }),
    children: [],
    notes: waitNotes(call, place),
  };
}

/** Waits for the same are told together. */
function waitNotes({ waits }: TraceCall, place: (id: string) => string): string[] {
  const times = new Map<string, number>();
  for (const wait of waits) {
    const words = waitWords(wait, place);
    times.set(words, (times.get(words) ?? 0) + wait.toMs - wait.fromMs);
  }
  const long = Array.from(times).filter(([, ms]) => ms >= MIN_WAIT_MS);
  const notes = long.slice(0, MAX_WAITS).map(([words, ms]) => `waited ${milliseconds(ms)} ${words}`);
  return long.length > MAX_WAITS ? [...notes, `and ${long.length - MAX_WAITS} more waits`] : notes;
}

/** `40 calls: 37 ok, 1 blocked, 2 failed · 821 ms · usage: input 400` */
function totalsLine({ durationMs }: Trace, { calls, byStatus, usage }: TraceTotals): string {
  const ends = Object.entries(STATUS_WORDS)
    .map(([status, word]) => ({ count: byStatus[status as TraceStatus], word })) // its keys are the statuses
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count.toLocaleString("en-US")} ${word}`);
  const used = Array.from(
    usage,
    ([name, amount]) => `${harmlessLine(shortenText(name, MAX_NAME_CHARS))} ${amount.toLocaleString("en-US")}`,
  );
  const head = calls === 1 ? "1 call" : `${calls.toLocaleString("en-US")} calls`;
  const parts = [calls === 0 ? "no calls" : `${head}: ${ends.join(", ")}`, milliseconds(durationMs)];
  return [...parts, ...(used.length === 0 ? [] : [`usage: ${used.slice(0, 6).join(", ")}`])].join(" · ");
}
