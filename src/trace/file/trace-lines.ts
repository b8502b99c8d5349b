// A trace as JSON lines (`.nestcall.jsonl`): the first line says what it is, each other one is an event. Lines are only
// ever added, so that what a process wrote before it died can be read.
import type { TraceEvent } from "../trace-event.js";

export const TRACE_TYPE = "nestcall_trace";
/** Raised when an older reader would misread the file; what is only added does not raise it. */
export const TRACE_VERSION = 1;

/** The first line, with its line end. */
export function headerLine(createdAt: number): string {
  return `${JSON.stringify({ type: TRACE_TYPE, version: TRACE_VERSION, createdAt })}\n`;
}

/** The line of an event, with its line end. */
export function eventLine(event: TraceEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** A whole file. */
export function traceLines(events: Iterable<TraceEvent>, createdAt = Date.now()): string {
  const lines = [headerLine(createdAt)];
  for (const event of events) lines.push(eventLine(event));
  return lines.join("");
}
