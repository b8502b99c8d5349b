// The flat record of a root call as a tree. What the record does not hold is said, not guessed: dropped calls, calls that
// did not finish, parents that are missing in a record that somebody has cut.
import type { ErrorCode } from "../errors/error-code.js";
import type { NestedCalls } from "../records/nested-call-recorder.js";
import { readRecord } from "./read-record.js";

export interface CallNode {
  readonly id: string;
  /** Absent when nothing is known of the call but that there was one. */
  readonly name?: string;
  /** `unknown`: the record does not say; of the root of a bare record, and of parents that are missing. */
  readonly status: "ok" | "error" | "aborted" | "unfinished" | "unknown";
  /** Absent when they were left out. */
  readonly arguments?: unknown;
  /** UTF-8 bytes of arguments that were left out. */
  readonly argumentsBytes?: number;
  /** How long the tool ran, in milliseconds. */
  readonly durationMs?: number;
  readonly error?: string;
  readonly code?: ErrorCode;
  /** In the order in which they were made. */
  readonly children: readonly CallNode[];
}
export interface CallTree {
  readonly root: CallNode;
  /** False when a call was dropped, arguments were left out, or a call did not finish. */
  readonly complete: boolean;
  /** How many calls ran, at any depth, that the record has no place for. */
  readonly dropped: number;
}

/** What a root call leaves: its outcome, the message made from it, or the record alone, which does not name the root. */
export type RecordedCall =
  | NestedCalls
  | {
      readonly toolCall: { readonly id: string; readonly name: string; readonly arguments?: unknown };
      readonly status: "ok" | "error" | "aborted";
      readonly error?: { readonly code: ErrorCode; readonly message: string };
      readonly durationMs?: number;
      readonly nestedCalls?: NestedCalls;
    }
  | {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly isError: boolean;
      readonly durationMs?: number;
      readonly nestedCalls?: NestedCalls;
    };

/**
 * Puts every call below the one that made it, by its id. Takes what was read from a file too.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `record` is none of the three; the message names the place.
 */
export function recordTree(record: RecordedCall): CallTree {
  const { root, calls, complete, dropped } = readRecord(record);
  const top: MutableNode = { ...root, id: root.id ?? commonRoot(calls), children: [] };
  const known = new Map<string, MutableNode>();
  for (const call of calls) {
    const expected = known.get(call.id);
    // A child that stands before its parent has made a place for it; a second call of this id is a call of its own.
    if (expected?.status === "unknown") Object.assign(expected, call);
    else {
      const node: MutableNode = { ...call, children: [] };
      parentNode(call.id, top, known).children.push(node);
      known.set(call.id, node);
    }
  }
  return { root: top, complete, dropped };
}

interface MutableNode extends Omit<CallNode, "children"> {
  readonly children: MutableNode[];
}

function parentNode(id: string, root: MutableNode, known: Map<string, MutableNode>): MutableNode {
  const parentId = parentOf(id);
  if (parentId === root.id || parentId === "") return root;
  const parent = known.get(parentId);
  if (parent !== undefined) return parent;
  const missing: MutableNode = { id: parentId, status: "unknown", children: [] };
  ancestorNode(parentId, root, known).children.push(missing);
  known.set(parentId, missing);
  return missing;
}

/** The nearest call above that is known. */
function ancestorNode(id: string, root: MutableNode, known: ReadonlyMap<string, MutableNode>): MutableNode {
  for (let above = parentOf(id); above !== "" && above !== root.id; above = parentOf(above)) {
    const node = known.get(above);
    if (node !== undefined) return node;
  }
  return root;
}

/** What all calls are below of: a bare record does not name its root, and one that was cut may begin anywhere. */
function commonRoot(calls: readonly { readonly id: string }[]): string {
  let root = parentOf(calls[0]?.id ?? "");
  for (const { id } of calls) while (root !== "" && !id.startsWith(`${root}/`)) root = parentOf(root);
  return root;
}

function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}
