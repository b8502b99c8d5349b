// Whatever tells of calls, as a trace.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { CallTree, RecordedCall } from "../record-tree.js";
import type { Trace } from "../trace.js";
import type { TraceEvent } from "../trace-event.js";
import { traceOfEvents } from "./trace-of-events.js";
import { traceOfRecord, traceOfTree } from "./trace-of-record.js";

/** What the engine leaves of a root call, or what an observer heard. */
export type TraceSource = RecordedCall | CallTree | Iterable<TraceEvent>;

/**
 * The trace of a record (or an outcome, or its message) or of a stream of events, as a host or a collector keeps it.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `source` is neither; the message says what is wrong.
 */
export function traceOf(source: TraceSource): Trace {
  if (typeof source !== "object" || source === null) {
    const message = `traceOf takes a record, an outcome or a list of events, not ${describeValue(source)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (Symbol.iterator in source) return traceOfEvents(source);
  return "root" in source ? traceOfTree(source) : traceOfRecord(source);
}
