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
  const lengths = lengthsBelow(root);
  const durationMs = lengths.get(root) ?? 0;
  const calls = placedCalls(root, lengths);
  const notes = ["A record does not hold when calls began: their places in time are guesses.", ...droppedNote(dropped)];
  return { source: "record", calls, durationMs, dropped, notes };
}

interface Place {
  readonly node: CallNode;
  readonly parent?: number;
  readonly depth: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Parents before their children. Without recursion: what somebody has put together may be of any depth. */
function placedCalls(root: CallNode, lengths: ReadonlyMap<CallNode, number>): TraceCall[] {
  const calls: TraceCall[] = [];
  const open: Place[] = [{ node: root, depth: 0, startMs: 0, endMs: lengths.get(root) ?? 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const parent = calls.push(placedCall(place, calls.length)) - 1;
    const below: Place[] = [];
    let nextMs = place.startMs;
    for (const node of place.node.children) {
      const lengthMs = lengths.get(node) ?? 0;
      const startMs = Math.max(place.startMs, Math.min(nextMs, place.endMs - lengthMs));
      const endMs = Math.min(place.endMs, startMs + lengthMs);
      below.push({ node, parent, depth: place.depth + 1, startMs, endMs });
      nextMs = startMs + lengthMs;
    }
    for (const each of below.reverse()) open.push(each);
  }
  return calls;
}

function placedCall({ node, parent, depth, startMs, endMs }: Place, index: number): TraceCall {
  const { id, name, code, durationMs, argumentsBytes, error } = node;
  return {
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
  };
}

function statusOf({ status, code }: CallNode): TraceStatus {
  return code === "BLOCKED" ? "blocked" : status;
}

/** How long each call ran; of one that does not say, as long as what is below it took one after another. */
function lengthsBelow(root: CallNode): ReadonlyMap<CallNode, number> {
  const nodes = [root];
  for (let at = 0; at < nodes.length; at += 1) for (const child of nodes[at]?.children ?? []) nodes.push(child);
  const lengths = new Map<CallNode, number>();
  for (const node of nodes.reverse()) {
    const below = node.children.reduce((sum, child) => sum + (lengths.get(child) ?? 0), 0);
    lengths.set(node, node.durationMs ?? below);
  }
  return lengths;
}
