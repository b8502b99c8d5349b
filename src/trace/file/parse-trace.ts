// The text of a trace file, or of a saved record, as a trace.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import { traceOfEvents } from "../model/trace-of-events.js";
import { traceOfRecord } from "../model/trace-of-record.js";
import type { RecordedCall } from "../record-tree.js";
import type { Trace } from "../trace.js";
import type { TraceEvent } from "../trace-event.js";
import { checkEvent } from "./check-event.js";
import { TRACE_TYPE, TRACE_VERSION } from "./trace-lines.js";

/** Some editors put it before the text. */
const BOM = "\ufeff";

/**
 * Reads JSON lines as a collector or a writer saves them, or the JSON of a record, an outcome or a message. A last line that
 * was torn in the middle, because the process died, is left out, and the trace says so.
 *
 * @param name - What to call the text in errors; a file's name.
 * @throws NestcallError `INVALID_ARGUMENTS` that names the line and what is wrong with it.
 */
export function parseTrace(text: string, name = "The trace"): Trace {
  if (typeof text !== "string") throw wrong(`parseTrace takes a text, not ${describeValue(text)}`);
  return parseText(text.startsWith(BOM) ? text.slice(1) : text, name);
}

function parseText(text: string, name: string): Trace {
  if (text.trim() === "")
    throw wrong(`${name} is empty; a trace is written while calls run, a record once they have ended`);
  const end = text.indexOf("\n");
  const header = jsonOf(end === -1 ? text : text.slice(0, end));
  if (header === undefined && end === -1 && text.startsWith(`{"type":"${TRACE_TYPE}"`.slice(0, text.length)))
    throw wrong(`${name} was torn in its first line: the process that wrote it ended before any call was in it`);
  if (!isHeader(header)) return parseRecord(text, name);
  if (header.version !== TRACE_VERSION) {
    const version = describeValue(header.version);
    throw wrong(
      `${name} is a trace of version ${version}; this nestcall reads version ${TRACE_VERSION}. Update nestcall to read it`,
    );
  }
  return parseLines(end === -1 ? "" : text.slice(end + 1), name);
}

function parseLines(text: string, name: string): Trace {
  const events: TraceEvent[] = [];
  const notes: string[] = [];
  const lines = text.split("\n");
  const last = lines.length - 1; // what follows the last line end: nothing, unless it was torn
  let unknown = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = jsonOf(line);
    if (value === undefined) {
      if (index !== last) throw wrong(`Line ${index + 2} of ${name} is no JSON: ${shortenText(line, 60)}`);
      notes.push("The last line of the file was torn and is left out: the process that wrote it did not end in order.");
      break;
    }
    const checked = checkEvent(value);
    if ("problem" in checked) throw wrong(`Line ${index + 2} of ${name} is no event: ${checked.problem}`);
    if ("event" in checked) events.push(checked.event);
    else unknown += 1;
  }
  if (unknown > 0) notes.push(`${unknown} events of kinds that this version does not know are left out.`);
  return traceOfEvents(events, notes);
}

function parseRecord(text: string, name: string): Trace {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(
      `${name} is neither JSON lines with a first line of type "${TRACE_TYPE}", nor a JSON record: ${thrownText(error)}`,
    );
  }
  try {
    return traceOfRecord(value as RecordedCall); // checked field by field
  } catch (error) {
    throw wrong(`${name} is neither a trace nor a record. ${thrownText(error)}`.replace(/\.$/, ""));
  }
}

function isHeader(value: unknown): value is { readonly version: unknown } {
  return typeof value === "object" && value !== null && "type" in value && value.type === TRACE_TYPE;
}

/** The value of a JSON text; `undefined` when it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `${problem}.`);
}
