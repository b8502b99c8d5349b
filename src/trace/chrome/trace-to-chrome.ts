// A trace for Perfetto and the other viewers of Chrome's trace events.
import { harmlessLine } from "../harmless-text.js";
import { assignLanes } from "../model/lanes.js";
import { shownFromMs } from "../model/shown-span.js";
import type { Trace, TraceCall, TraceStatus, TraceWait } from "../trace.js";
import type { ChromeEvent, ChromeTrace, CompleteEvent, MetadataEvent } from "./chrome-event.js";

/** A call with its place in the viewer. */
interface PlacedCall {
  readonly call: TraceCall;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly end: number;
}

const COLORS: Readonly<Record<TraceStatus, string>> = {
  ok: "good",
  blocked: "bad",
  error: "terrible",
  aborted: "grey",
  unfinished: "yellow",
  unknown: "grey",
};
/** So far before its end an arrow leaves a slice: at the end itself the slice is over. */
const INSIDE_US = 0.001;

/**
 * The trace as JSON data of Chrome's trace event format, which https://ui.perfetto.dev opens: a process for each root call,
 * a thread for each lane, a slice for each call with its waits inside, arrows from the call that held a file or a lane to
 * the one that waited for it. Write it with `JSON.stringify`.
 */
export function traceToChrome(trace: Trace): ChromeTrace {
  const placed = placedCalls(trace);
  const traceEvents = [...metadata(placed), ...placed.map(callSlice), ...placed.flatMap(waitEvents), ...arrows(placed)];
  const { source, startedAt, notes } = trace;
  const started = startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() };
  const note = notes.length === 0 ? {} : { notes: notes.join(" ") };
  return { traceEvents, displayTimeUnit: "ms", otherData: { tool: "nestcall", source, ...started, ...note } };
}

/** Lanes are counted anew for each root call. */
function placedCalls({ calls }: Trace): PlacedCall[] {
  const placed: PlacedCall[] = [];
  let pid = 0;
  for (let from = 0; from < calls.length; ) {
    let to = from + 1;
    while (to < calls.length && calls[to]?.parent !== undefined) to += 1;
    pid += 1;
    const group = calls.slice(from, to);
    const spans = group.map((call) => ({
      startMs: shownFromMs(call),
      endMs: Math.max(call.endMs, shownFromMs(call)),
      parent: call.parent === undefined ? undefined : call.parent - from,
    }));
    const lanes = assignLanes(spans);
    for (const [index, call] of group.entries()) {
      const { startMs, endMs } = spans[index] as (typeof spans)[number]; // one for each
      placed.push({
        call,
        pid,
        tid: (lanes[index]?.lane ?? 0) + 1,
        ts: microseconds(startMs),
        end: microseconds(endMs),
      });
    }
    from = to;
  }
  return placed;
}

function microseconds(ms: number): number {
  return Math.round(ms * 1000);
}

function metadata(placed: readonly PlacedCall[]): MetadataEvent[] {
  const events: MetadataEvent[] = [];
  const threads = new Map<string, { readonly pid: number; readonly tid: number }>();
  for (const { call, pid, tid } of placed) {
    if (call.parent === undefined) {
      const name = `${nameOf(call)} (${harmlessLine(call.id)})`;
      events.push({ ph: "M", pid, tid: 0, name: "process_name", args: { name } });
      events.push({ ph: "M", pid, tid: 0, name: "process_sort_index", args: { sort_index: pid } });
    }
    threads.set(`${pid} ${tid}`, { pid, tid });
  }
  for (const { pid, tid } of threads.values()) {
    events.push({ ph: "M", pid, tid, name: "thread_name", args: { name: `lane ${tid}` } });
    events.push({ ph: "M", pid, tid, name: "thread_sort_index", args: { sort_index: tid } });
  }
  return events;
}

function callSlice({ call, pid, tid, ts, end }: PlacedCall): CompleteEvent {
  const { id, status, code, error, durationMs, usage, argumentsBytes, resultBytes } = call;
  const given = { code, error, durationMs, arguments: call.arguments, argumentsBytes, resultBytes, usage };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  const args = { id, status, ...Object.fromEntries(known) };
  return {
    ph: "X",
    cat: `tool,${status}`,
    name: nameOf(call),
    pid,
    tid,
    ts,
    dur: end - ts,
    cname: COLORS[status],
    args,
  };
}

/** A wait for a turn is before the slice of the call; any other is in it. */
function waitEvents({ call, pid, tid, ts, end }: PlacedCall): ChromeEvent[] {
  return call.waits.flatMap((wait, index): ChromeEvent[] => {
    const from = microseconds(wait.fromMs);
    const to = Math.max(from, microseconds(wait.toMs));
    if (index === 0 && wait.reason === "concurrency") {
      const base = { cat: "queue", id: `${pid} ${call.id}`, pid, tid, name: `${nameOf(call)} waits for its turn` };
      return [
        { ph: "b", ...base, ts: from, args: { call: call.id } },
        { ph: "e", ...base, ts: to },
      ];
    }
    const start = Math.min(end, Math.max(ts, from));
    const dur = Math.min(end, Math.max(start, to)) - start;
    const { reason, paths, heldBy } = wait;
    const args = { reason, ...(paths === undefined ? {} : { paths }), ...(heldBy === undefined ? {} : { heldBy }) };
    return [{ ph: "X", cat: "wait", name: waitName(wait), pid, tid, ts: start, dur, args }];
  });
}

function waitName({ reason, paths = [], heldBy }: TraceWait): string {
  const names = paths.map((path) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));
  const what = { files: names.join(", ") || "files", lane: "the lane", concurrency: "its turn", approval: "approval" };
  return harmlessLine(`waits for ${what[reason]}${heldBy === undefined ? "" : ` (held by ${heldBy})`}`);
}

function arrows(placed: readonly PlacedCall[]): ChromeEvent[] {
  const byId = new Map(
    placed.flatMap((one) => [[one.call.id, one] as const, [`${one.pid} ${one.call.id}`, one] as const]),
  );
  const events: ChromeEvent[] = [];
  for (const to of placed) {
    for (const { heldBy, toMs } of to.call.waits) {
      const from = heldBy === undefined ? undefined : (byId.get(`${to.pid} ${heldBy}`) ?? byId.get(heldBy));
      if (from === undefined || from.end === from.ts || to.end === to.ts) continue;
      const arrival = clamp(microseconds(toMs), to);
      const departure = Math.min(arrival, clamp(from.end, from));
      if (departure < from.ts) continue;
      const base = { cat: "lock", name: "released", id: events.length / 2 + 1 };
      events.push({ ph: "s", ...base, pid: from.pid, tid: from.tid, ts: departure });
      events.push({ ph: "f", bp: "e", ...base, pid: to.pid, tid: to.tid, ts: arrival });
    }
  }
  return events;
}

/** A point of time inside the slice. */
function clamp(at: number, { ts, end }: PlacedCall): number {
  return Math.min(Math.max(at, ts), end - INSIDE_US);
}

function nameOf({ name }: TraceCall): string {
  return name === undefined ? "(unknown)" : harmlessLine(name) || "(no name)";
}
