// The options of a call, checked. A bad one refuses the call; it never throws, since a call always has an outcome.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import type { UpdateCallback } from "../tools/tool.js";

export interface CallOptions {
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: UpdateCallback | undefined;
  readonly timeoutMs: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly toolCallId: string | undefined;
  /** What is wrong with the options, and where. */
  readonly problem: string | undefined;
}

const NONE: CallOptions = {
  signal: undefined,
  onUpdate: undefined,
  timeoutMs: undefined,
  idleTimeoutMs: undefined,
  toolCallId: undefined,
  problem: undefined,
};

/** Reads the options of `where`, a function's name for messages. */
export function readCallOptions(where: string, options: unknown): CallOptions {
  if (options === undefined || options === null) return NONE;
  if (typeof options !== "object")
    return { ...NONE, problem: `${where}: options must be an object, not ${describeValue(options)}.` };
  try {
    return checkOptions(where, options as { readonly [name: string]: unknown });
  } catch (error) {
    return { ...NONE, problem: `${where}: the options cannot be read: ${shortenText(thrownText(error), 200)}` };
  }
}

function checkOptions(where: string, options: { readonly [name: string]: unknown }): CallOptions {
  const { signal, onUpdate, timeoutMs, idleTimeoutMs, toolCallId } = options;
  const problem =
    wrong(where, "signal", signal, signal instanceof AbortSignal, "an AbortSignal") ??
    wrong(where, "onUpdate", onUpdate, typeof onUpdate === "function", "a function") ??
    wrong(where, "timeoutMs", timeoutMs, isTime(timeoutMs), "a number of milliseconds above 0") ??
    wrong(where, "idleTimeoutMs", idleTimeoutMs, isTime(idleTimeoutMs), "a number of milliseconds above 0") ??
    wrong(where, "toolCallId", toolCallId, typeof toolCallId === "string", "a string");
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    onUpdate: typeof onUpdate === "function" ? (onUpdate as UpdateCallback) : undefined,
    timeoutMs: isTime(timeoutMs) ? timeoutMs : undefined,
    idleTimeoutMs: isTime(idleTimeoutMs) ? idleTimeoutMs : undefined,
    toolCallId: typeof toolCallId === "string" ? toolCallId : undefined,
    problem,
  };
}

function wrong(where: string, name: string, value: unknown, isRight: boolean, wanted: string): string | undefined {
  if (value === undefined || value === null || isRight) return undefined;
  return `${where}: options.${name} must be ${wanted}, not ${describeValue(value)}.`;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
