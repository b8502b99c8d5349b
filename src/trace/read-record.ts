// A record as it comes, from the engine or from a file: checked field by field, since a file may hold anything.

import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { NestedCallRecord } from "../records/nested-call-recorder.js";
import { isAmount } from "./amount.js";

type Fields = { readonly [field: string]: unknown };

/** A root call and the calls of its record. Without an id the record does not name its root. */
export interface ReadRecord {
  readonly root: Omit<NestedCallRecord, "id" | "name" | "status"> & {
    readonly id?: string;
    readonly name?: string;
    readonly status: NestedCallRecord["status"] | "unknown";
  };
  readonly calls: readonly NestedCallRecord[];
  readonly complete: boolean;
  readonly dropped: number;
}

/** @throws NestcallError `INVALID_ARGUMENTS` that names the place. */
export function readRecord(record: unknown): ReadRecord {
  const fields = fieldsOf(record, "it");
  if (Array.isArray(fields.calls)) return { root: { status: "unknown" }, ...readCalls(fields, "") };
  const nested =
    fields.nestedCalls === undefined
      ? { calls: [], complete: true, dropped: 0 }
      : readCalls(fieldsOf(fields.nestedCalls, "nestedCalls"), "nestedCalls.");
  return { root: fields.toolCall === undefined ? rootOfMessage(fields) : rootOfOutcome(fields), ...nested };
}

function rootOfOutcome(fields: Fields): ReadRecord["root"] {
  const toolCall = fieldsOf(fields.toolCall, "toolCall");
  const error = fields.error === undefined ? {} : fieldsOf(fields.error, "error");
  return {
    ...readCall({ ...toolCall, status: fields.status, durationMs: fields.durationMs }, "toolCall"),
    ...textField("error", error.message),
    ...codeField(error.code),
  };
}

function rootOfMessage(fields: Fields): ReadRecord["root"] {
  const { toolCallId, toolName, isError, durationMs } = fields;
  if (typeof toolCallId !== "string" || typeof toolName !== "string") {
    throw wrong("it has neither a list of calls, nor a toolCall, nor toolCallId and toolName");
  }
  return readCall({ id: toolCallId, name: toolName, status: isError === true ? "error" : "ok", durationMs }, "it");
}

function readCalls(fields: Fields, place: string): Pick<ReadRecord, "calls" | "complete" | "dropped"> {
  const { calls, complete, dropped } = fields;
  if (!Array.isArray(calls)) throw wrong(`${place}calls is ${describeValue(calls)}, not a list`);
  return {
    calls: calls.map((call: unknown, index) =>
      readCall(fieldsOf(call, `${place}calls[${index}]`), `${place}calls[${index}]`),
    ),
    complete: complete === true,
    dropped: typeof dropped === "number" && dropped > 0 ? Math.floor(dropped) : 0,
  };
}

const STATUSES: readonly unknown[] = ["ok", "error", "aborted", "unfinished"];

function readCall(fields: Fields, place: string): NestedCallRecord {
  const { id, name, status, durationMs, argumentsBytes, error, code } = fields;
  if (typeof id !== "string") throw wrong(`${place}.id is ${describeValue(id)}, not a text`);
  if (typeof name !== "string") throw wrong(`${place}.name is ${describeValue(name)}, not a text`);
  if (!STATUSES.includes(status))
    throw wrong(`${place}.status is ${describeValue(status)}; known are ${STATUSES.join(", ")}`);
  return {
    id,
    name,
    status: status as NestedCallRecord["status"], // one of the list
    ...(fields.arguments === undefined ? {} : { arguments: fields.arguments }),
    ...(isAmount(argumentsBytes) ? { argumentsBytes } : {}),
    ...(isAmount(durationMs) ? { durationMs } : {}),
    ...textField("error", error),
    ...codeField(code),
  };
}

function textField(field: "error", value: unknown): { readonly error?: string } {
  return typeof value === "string" && value !== "" ? { [field]: value } : {};
}

function codeField(value: unknown): { readonly code?: ErrorCode } {
  // A code of a later version is shown as it is.
  return typeof value === "string" && value !== "" ? { code: value as ErrorCode } : {};
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(`${place} is ${describeValue(value)}, not an object`);
}

function wrong(problem: string): NestcallError {
  const message = `recordTree takes a record { calls, complete }, an outcome of a root call, or its message; ${problem}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
