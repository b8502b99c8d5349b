// A stream of events as a trace. It may be any part of a stream: what it does not tell of a call stays open.
import type { Usage } from "../../records/usage.js";
import { UsageSum } from "../../records/usage-sum.js";
import type { Trace, TraceCall } from "../trace.js";
import { rootIdOf, type TraceEvent } from "../trace-event.js";
import { RootRun } from "./root-run.js";

/**
 * The calls of a stream, of one or more root calls; each root call's events in the order in which they happened.
 *
 * @param notes - What else a reader should know, of the file for example.
 */
export function traceOfEvents(events: Iterable<TraceEvent>, notes: readonly string[] = []): Trace {
  const runs: RootRun[] = [];
  const latest = new Map<string, RootRun>(); // of an id: a host may use one again (S2)
  let dropped = 0;
  for (const event of events) {
    if (event.type === "trace_dropped") {
      dropped += event.calls;
      continue;
    }
    const rootId = rootIdOf(event);
    const key = `${event.rootOrdinal ?? ""} ${rootId}`;
    let run = latest.get(key);
    if (run === undefined || (event.type === "tool_execution_start" && event.depth === 0)) {
      run = new RootRun(rootId);
      runs.push(run);
      latest.set(key, run);
    }
    run.read(event);
  }
  return traceOfRuns(runs, dropped, notes);
}

function traceOfRuns(runs: readonly RootRun[], dropped: number, notes: readonly string[]): Trace {
  const zeroMs = runs.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  const calls: TraceCall[] = [];
  for (const run of runs) run.addTo(calls, zeroMs);
  const usage = usageOf(calls);
  return {
    source: "events",
    calls,
    ...(calls.length === 0 ? {} : { startedAt: zeroMs }),
    durationMs: calls.reduce((most, { endMs }) => Math.max(most, endMs), 0),
    ...(usage === undefined ? {} : { usage }),
    dropped,
    notes: [...notes, ...droppedNote(dropped)],
  };
}

function usageOf(calls: readonly TraceCall[]): Usage | undefined {
  const sum = new UsageSum();
  for (const { usage } of calls) if (usage !== undefined) sum.addReported(usage);
  return sum.toUsage();
}

export function droppedNote(dropped: number): string[] {
  if (dropped === 0) return [];
  return [`${dropped.toLocaleString("en-US")} more ${dropped === 1 ? "call" : "calls"} ran that had no place here.`];
}
