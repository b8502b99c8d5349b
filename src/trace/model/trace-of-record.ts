// A record as a trace. It tells how long calls ran and in which order they were made, not when: each call is put behind the
// one before it, or beside it where their caller did not run long enough for that.
import type { Usage } from "../../records/usage.js";
import type { CallNode, CallTree, RecordedCall } from "../record-tree.js";
import { recordTree } from "../record-tree.js";
import type { Trace, TraceCall, TraceStatus } from "../trace.js";
import { droppedNote } from "./trace-of-events.js";

/**
 * The record of a root call, its outcome, or its message, as a trace.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `record` is none of the three; the message names the place.
 */
export function traceOfRecord(record: RecordedCall): Trace {
  const trace = traceOfTree(recordTree(record));
  const { usage } = record as { readonly usage?: unknown };
  const isUsage = typeof usage === "object" && usage !== null && !Array.isArray(usage);
  return isUsage ? { ...trace, usage: usage as Usage } : trace; // its fields are looked at one by one
}

/** The tree of a record as a trace. */
export function traceOfTree({ root, dropped }: CallTree): Trace {
  const calls: TraceCall[] = [];
  const durationMs = lengthOf(root);
  addCall(root, { calls, depth: 0, startMs: 0, endMs: durationMs });
  const notes = ["A record does not hold when calls began: their places in time are guesses.", ...droppedNote(dropped)];
  return { source: "record", calls, durationMs, dropped, notes };
}

interface Place {
  readonly calls: TraceCall[];
  readonly parent?: number;
  readonly depth: number;
  readonly startMs: number;
  readonly endMs: number;
}

function addCall(node: CallNode, { calls, parent, depth, startMs, endMs }: Place): void {
  const index = calls.length;
  const { id, name, code, durationMs, argumentsBytes, error } = node;
  calls.push({
    index,
    id,
    ...(parent === undefined ? {} : { parent }),
    depth,
    ...(name === undefined ? {} : { name }),
    status: statusOf(node),
    ...(code === undefined ? {} : { code }),
    startMs,
    endMs,
    ...(durationMs === undefined ? {} : { runMs: startMs, durationMs }),
    ...(node.arguments === undefined ? {} : { arguments: node.arguments }),
    ...(argumentsBytes === undefined ? {} : { argumentsBytes }),
    ...(error === undefined ? {} : { error }),
    waits: [],
  });
  let nextMs = startMs;
  for (const child of node.children) {
    const lengthMs = lengthOf(child);
    const childMs = Math.max(startMs, Math.min(nextMs, endMs - lengthMs));
    addCall(child, {
      calls,
      parent: index,
      depth: depth + 1,
      startMs: childMs,
      endMs: Math.min(endMs, childMs + lengthMs),
    });
    nextMs = childMs + lengthMs;
  }
}

function statusOf({ status, code }: CallNode): TraceStatus {
  return code === "BLOCKED" ? "blocked" : status;
}

/** How long a call ran; of one that does not say, as long as what is below it took one after another. */
function lengthOf({ durationMs, children }: CallNode): number {
  return durationMs ?? children.reduce((sum, child) => sum + lengthOf(child), 0);
}
