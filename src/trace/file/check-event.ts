// One event as it comes from a file, which may hold anything.
import { describeValue } from "../../errors/text.js";
import { isAmount } from "../amount.js";
import type { TraceEvent } from "../trace-event.js";

type Fields = { readonly [field: string]: unknown };
type Kind = "text" | "number" | "flag" | "object" | "texts";
type Shape = { readonly [field: string]: { readonly kind: Kind; readonly isOptional?: boolean } };

const BASE: Shape = {
  toolCallId: { kind: "text" },
  parentToolCallId: { kind: "text", isOptional: true },
  toolName: { kind: "text" },
  depth: { kind: "number" },
  rootOrdinal: { kind: "number", isOptional: true },
  timestamp: { kind: "number" },
};
const SHAPES: { readonly [type: string]: Shape } = {
  tool_execution_start: { ...BASE, argumentsBytes: { kind: "number", isOptional: true } },
  tool_execution_update: {
    ...BASE,
    partialResult: { kind: "object", isOptional: true },
    updates: { kind: "number", isOptional: true },
  },
  tool_execution_wait: {
    ...BASE,
    reason: { kind: "text" },
    paths: { kind: "texts", isOptional: true },
    heldBy: { kind: "text", isOptional: true },
  },
  tool_execution_end: {
    ...BASE,
    status: { kind: "text" },
    isError: { kind: "flag" },
    code: { kind: "text", isOptional: true },
    durationMs: { kind: "number", isOptional: true },
    result: { kind: "object", isOptional: true },
    resultBytes: { kind: "number", isOptional: true },
    isResultCut: { kind: "flag", isOptional: true },
  },
  trace_dropped: { toolCallId: { kind: "text" }, calls: { kind: "number" }, timestamp: { kind: "number" } },
};
const WORDS: Readonly<Record<Kind, string>> = {
  text: "a text",
  number: "a number from 0 up that a time can be",
  flag: "true or false",
  object: "an object",
  texts: "a list of texts",
};
const STATUSES: readonly unknown[] = ["ok", "error", "aborted"];
const REASONS: readonly unknown[] = ["files", "lane", "concurrency", "approval"];

/** An event, `unknown` for one of a later version, or what is wrong with it. */
export type CheckedEvent =
  | { readonly event: TraceEvent }
  | { readonly unknownType: string }
  | { readonly problem: string };

export function checkEvent(value: unknown): CheckedEvent {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: `it is ${describeValue(value)}, not an object` };
  const fields = value as Fields;
  const { type } = fields;
  if (typeof type !== "string") return { problem: `its type is ${describeValue(type)}, not a text` };
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
  if (shape === undefined) return { unknownType: type };
  const problem =
    fieldProblem(fields, shape) ?? statusProblem(fields) ?? reasonProblem(fields) ?? contentProblem(fields);
  return problem === undefined ? { event: value as TraceEvent } : { problem }; // each field was checked just now
}

function fieldProblem(fields: Fields, shape: Shape): string | undefined {
  for (const [field, { kind, isOptional }] of Object.entries(shape)) {
    const value = fields[field];
    if (value === undefined ? isOptional === true : isOfKind(value, kind)) continue;
    return `its ${field} is ${describeValue(value)}, not ${WORDS[kind]}`;
  }
  return undefined;
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return isAmount(value);
    case "flag":
      return typeof value === "boolean";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return Array.isArray(value) && value.every((item) => typeof item === "string");
  }
}

function statusProblem({ type, status }: Fields): string | undefined {
  if (type !== "tool_execution_end" || STATUSES.includes(status)) return undefined;
  return `its status is ${describeValue(status)}; known are ${STATUSES.join(", ")}`;
}

function reasonProblem({ type, reason }: Fields): string | undefined {
  if (type !== "tool_execution_wait" || REASONS.includes(reason)) return undefined;
  return `its reason is ${describeValue(reason)}; known are ${REASONS.join(", ")}`;
}

/** What a result holds is drawn by code that may look at every block. */
function contentProblem({ result, partialResult }: Fields): string | undefined {
  const { content } = (result ?? partialResult ?? {}) as { readonly content?: unknown };
  if (content === undefined) return undefined;
  const isList = Array.isArray(content) && content.every((block) => isOfKind(block, "object") && isBlock(block));
  return isList ? undefined : "the content of its result is not a list of blocks";
}

function isBlock({ type, text }: Fields): boolean {
  return typeof type === "string" && (type !== "text" || typeof text === "string");
}
