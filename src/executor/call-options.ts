// The options of a call, checked. A bad one refuses the call; it never throws, since a call always has an outcome.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import type { Registry } from "../registry/registry.js";
import type { RegistrySession } from "../registry/registry-session.js";
import { sessionBehind } from "../registry/session-view.js";
import { type AccessRestriction, restrictionProblem } from "../tools/access.js";
import type { UpdateCallback } from "../tools/tool.js";

export interface CallOptions {
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: UpdateCallback | undefined;
  readonly timeoutMs: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly toolCallId: string | undefined;
  /** For root calls. */
  readonly session: RegistrySession | undefined;
  /** For nested calls. */
  readonly access: AccessRestriction | undefined;
  /** What is wrong with the options, and where. */
  readonly problem: string | undefined;
}

const NONE: CallOptions = {
  signal: undefined,
  onUpdate: undefined,
  timeoutMs: undefined,
  idleTimeoutMs: undefined,
  toolCallId: undefined,
  session: undefined,
  access: undefined,
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
  const { signal, onUpdate, timeoutMs, idleTimeoutMs, toolCallId, session, access } = options;
  const problem =
    wrong(where, "signal", signal, signal instanceof AbortSignal, "an AbortSignal") ??
    wrong(where, "onUpdate", onUpdate, typeof onUpdate === "function", "a function") ??
    wrong(where, "timeoutMs", timeoutMs, isTime(timeoutMs), "a number of milliseconds above 0") ??
    wrong(where, "idleTimeoutMs", idleTimeoutMs, isTime(idleTimeoutMs), "a number of milliseconds above 0") ??
    wrong(where, "toolCallId", toolCallId, typeof toolCallId === "string", "a string") ??
    sessionProblem(where, session) ??
    accessProblem(where, access);
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    onUpdate: typeof onUpdate === "function" ? (onUpdate as UpdateCallback) : undefined,
    timeoutMs: isTime(timeoutMs) ? timeoutMs : undefined,
    idleTimeoutMs: isTime(idleTimeoutMs) ? idleTimeoutMs : undefined,
    toolCallId: typeof toolCallId === "string" ? toolCallId : undefined,
    session: sessionBehind(session),
    access: problem === undefined && access !== null ? (access as AccessRestriction | undefined) : undefined,
    problem,
  };
}

function wrong(where: string, name: string, value: unknown, isRight: boolean, wanted: string): string | undefined {
  if (value === undefined || value === null || isRight) return undefined;
  return `${where}: options.${name} must be ${wanted}, not ${describeValue(value)}.`;
}

/** `null` too: a look-up that found no session must not mean that there is no restriction. */
function sessionProblem(where: string, session: unknown): string | undefined {
  if (session === undefined || sessionBehind(session) !== undefined) return undefined;
  return `${where}: options.session must be what registry.forSession gave, not ${describeValue(session)}.`;
}

/** A session of another executor has other tools, so nothing here would be in its scope. */
export function foreignSession(where: string, registry: Registry, { session }: CallOptions): string | undefined {
  if (session === undefined || session.registry === registry) return undefined;
  return `${where}: options.session belongs to another executor; take one from this executor's registry.forSession().`;
}

function accessProblem(where: string, access: unknown): string | undefined {
  const problem = access === undefined || access === null ? undefined : restrictionProblem(access);
  return problem === undefined ? undefined : `${where}: options.access${problem}.`;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
