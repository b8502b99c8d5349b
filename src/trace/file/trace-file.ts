// Traces in files.
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { TraceCollector } from "../collector/create-trace-collector.js";
import type { Trace } from "../trace.js";
import type { TraceEvent } from "../trace-event.js";
import { parseTrace } from "./parse-trace.js";
import { PRIVATE_MODE } from "./private-mode.js";
import { traceLines } from "./trace-lines.js";

/**
 * Writes what a collector keeps, or any events, as JSON lines. Give the file a name that ends in `.nestcall.jsonl`.
 *
 * @throws What Node's file system throws.
 */
export async function saveTrace(path: string, source: TraceCollector | Iterable<TraceEvent>): Promise<void> {
  const events = Symbol.iterator in source ? source : source.events();
  await writeFile(path, traceLines(events), { mode: PRIVATE_MODE });
}

/**
 * Reads a trace or a record from a file; see `parseTrace`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when the file holds neither.
 * @throws What Node's file system throws.
 */
export async function readTraceFile(path: string): Promise<Trace> {
  return parseTrace(await readFile(path, "utf8"), basename(path));
}
