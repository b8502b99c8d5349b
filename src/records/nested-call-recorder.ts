// R1 to R6: the bounded list of what a root call's tools called. It never holds results.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { cutText, describeValue } from "../errors/text.js";
import { mapTexts, takeSnapshot } from "./json-snapshot.js";
import type { Usage } from "./usage.js";
import { UsageSum } from "./usage-sum.js";

/** What one record keeps at most; the rest still runs and is counted. */
export const NESTED_CALL_LIMITS = Object.freeze({
  maxCalls: 256,
  maxArgumentBytesPerCall: 8192,
  maxArgumentBytesTotal: 32_768,
  maxErrorChars: 500,
  maxNameChars: 128,
});

export interface NestedCallRecord {
  readonly id: string;
  readonly name: string;
  /** Absent when they were too large for the record, or could not be read. Frozen. */
  readonly arguments?: unknown;
  /** UTF-8 bytes of arguments that were left out. */
  readonly argumentsBytes?: number;
  readonly status: "ok" | "error" | "aborted" | "unfinished";
  /** How long the tool ran, in milliseconds. */
  readonly durationMs?: number;
  readonly error?: string;
  readonly code?: ErrorCode;
  /** Parts of `options.access` that asked for more than the caller had, and were ignored. */
  readonly ignoredAccess?: readonly string[];
}
export interface NestedCalls {
  /** All depths, flat, in the order in which the calls were made. */
  readonly calls: readonly NestedCallRecord[];
  /** False when a call was dropped, its arguments were left out, or it did not finish. */
  readonly complete: boolean;
  /** How many calls ran without a place in the record. */
  readonly dropped?: number;
}

/** How a recorded call ended. */
export interface RecordedOutcome {
  readonly status: "ok" | "error" | "aborted";
  readonly durationMs?: number | undefined;
  readonly error?: { readonly code: ErrorCode; readonly message: string } | undefined;
}

/** One call's place in a record; a dropped call has one too, which keeps nothing. */
export class NestedCallHandle {
  readonly id: string;
  readonly name: string;
  readonly isDropped: boolean;
  arguments: unknown = undefined;
  argumentsBytes: number | undefined = undefined;
  keptBytes = 0;
  isLossy = false;
  status: NestedCallRecord["status"] = "unfinished";
  durationMs: number | undefined = undefined;
  error: string | undefined = undefined;
  code: ErrorCode | undefined = undefined;
  ignoredAccess: readonly string[] | undefined = undefined;

  constructor(id: string, name: string, isDropped: boolean) {
    this.id = id;
    this.name = name;
    this.isDropped = isDropped;
  }
}

/** Keeps the record and the usage of one root call. The engine uses one per root call; a host may use it alone. */
export class NestedCallRecorder {
  readonly #calls: NestedCallHandle[] = [];
  readonly #usage = new UsageSum();
  #keptBytes = 0;
  #dropped = 0;

  /**
   * Records that a call began.
   *
   * @param call - `arguments` is any JSON value; it is copied when it fits, else only measured.
   * @throws NestcallError `INVALID_ARGUMENTS` when `id` or `name` is not a string.
   */
  start(call: { readonly id: string; readonly name: string; readonly arguments?: unknown }): NestedCallHandle {
    for (const field of ["id", "name"] as const) {
      if (typeof call?.[field] === "string") continue;
      const message = `NestedCallRecorder.start takes { id, name, arguments }; ${field} is ${describeValue(call?.[field])}, not a string.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    const snapshot = takeSnapshot(call.arguments ?? {});
    if ("problem" in snapshot) return this.startMeasured(call.id, call.name, undefined, undefined);
    const { frozen, bytes, isWellFormed } = snapshot;
    return this.startMeasured(call.id, call.name, isWellFormed ? frozen : mendTexts(frozen), bytes);
  }

  /** `start` for arguments that are frozen, well-formed JSON of known size; both `undefined` for unreadable ones. */
  startMeasured(id: string, name: string, frozen: unknown, bytes: number | undefined): NestedCallHandle {
    const isDropped = this.#calls.length >= NESTED_CALL_LIMITS.maxCalls;
    const handle = new NestedCallHandle(wellFormed(id), isDropped ? "" : recordedName(name), isDropped);
    if (isDropped) {
      this.#dropped += 1;
    } else {
      this.#calls.push(handle);
      this.#keep(handle, frozen, bytes);
    }
    return handle;
  }

  /** E43: what the caller asked for and could not give. */
  noteIgnoredAccess(handle: NestedCallHandle, parts: readonly string[]): void {
    handle.ignoredAccess = parts;
  }

  /** H2: repair or a hook changed the arguments; their old bytes are given back first. */
  replaceArguments(handle: NestedCallHandle, frozen: unknown, bytes: number): void {
    if (handle.isDropped) return;
    this.#keptBytes -= handle.keptBytes;
    this.#keep(handle, frozen, bytes);
  }

  /**
   * Records how the call ended. A second call for one handle is ignored.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `handle` is none of `start`, or `outcome` has no status or a bad error.
   */
  finish(handle: NestedCallHandle, outcome: RecordedOutcome): void {
    checkFinish(handle, outcome);
    this.finishKnown(handle, outcome);
  }

  /** `finish` for the engine, which knows what it hands over. */
  finishKnown(handle: NestedCallHandle, outcome: RecordedOutcome): void {
    if (handle.isDropped || handle.status !== "unfinished") return;
    handle.status = outcome.status;
    handle.durationMs = outcome.durationMs;
    if (outcome.error === undefined) return;
    handle.code = outcome.error.code;
    handle.error = cutText(wellFormed(outcome.error.message), NESTED_CALL_LIMITS.maxErrorChars);
  }

  /**
   * Adds usage to the sum of the root call; fields that are no finite, non-negative numbers are left out.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `usage` is no object.
   */
  addUsage(usage: Usage): void {
    if (typeof usage !== "object" || usage === null || Array.isArray(usage)) {
      const message = `NestedCallRecorder.addUsage takes an object of numbers; it got ${describeValue(usage)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    this.#usage.addReported(usage);
  }

  /** The record and the usage of this moment, independent of what comes later; each absent when there is none. */
  snapshot(): { readonly nestedCalls?: NestedCalls; readonly usage?: Usage } {
    const usage = this.#usage.toUsage();
    const nestedCalls = this.#nestedCalls();
    return { ...(nestedCalls === undefined ? {} : { nestedCalls }), ...(usage === undefined ? {} : { usage }) };
  }

  #keep(handle: NestedCallHandle, frozen: unknown, bytes: number | undefined): void {
    const { maxArgumentBytesPerCall, maxArgumentBytesTotal } = NESTED_CALL_LIMITS;
    const fits =
      bytes !== undefined && bytes <= maxArgumentBytesPerCall && this.#keptBytes + bytes <= maxArgumentBytesTotal;
    handle.isLossy = !fits;
    handle.arguments = fits ? frozen : undefined;
    handle.argumentsBytes = fits ? undefined : bytes;
    handle.keptBytes = fits ? bytes : 0;
    this.#keptBytes += handle.keptBytes;
  }

  #nestedCalls(): NestedCalls | undefined {
    if (this.#calls.length === 0) return undefined;
    const calls = this.#calls.map(recordOf);
    const hasGap = this.#calls.some((call) => call.isLossy || call.status === "unfinished");
    if (this.#dropped === 0) return { calls, complete: !hasGap };
    return { calls, complete: false, dropped: this.#dropped };
  }
}

function checkFinish(handle: unknown, outcome: unknown): void {
  const { status, error, durationMs } = (outcome ?? {}) as {
    readonly status?: unknown;
    readonly durationMs?: unknown;
    readonly error?: { readonly message?: unknown };
  };
  let problem: string | undefined;
  if (!(handle instanceof NestedCallHandle))
    problem = `the handle is ${describeValue(handle)}, not one that start gave`;
  else if (status !== "ok" && status !== "error" && status !== "aborted") {
    problem = `status is ${describeValue(status)}, not "ok", "error" or "aborted"`;
  } else if (error !== undefined && typeof error?.message !== "string") {
    problem = `error is ${describeValue(error)}, not { code, message }`;
  }
  if (problem === undefined && durationMs !== undefined && typeof durationMs !== "number") {
    problem = `durationMs is ${describeValue(durationMs)}, not a number of milliseconds`;
  }
  if (problem === undefined) return;
  throw new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `NestedCallRecorder.finish takes a handle and an outcome; ${problem}.`,
  );
}

function recordOf(call: NestedCallHandle): NestedCallRecord {
  const { id, name, status, durationMs, error, code, argumentsBytes, ignoredAccess } = call;
  // The usual record is written out: building it field by field takes three times as long.
  if (status === "ok" && !call.isLossy && durationMs !== undefined && ignoredAccess === undefined) {
    return { id, name, status, arguments: call.arguments, durationMs };
  }
  const record: { -readonly [K in keyof NestedCallRecord]: NestedCallRecord[K] } = { id, name, status };
  if (!call.isLossy) record.arguments = call.arguments;
  if (argumentsBytes !== undefined) record.argumentsBytes = argumentsBytes;
  if (durationMs !== undefined) record.durationMs = durationMs;
  if (error !== undefined && error !== "") record.error = error;
  if (code !== undefined) record.code = code;
  if (ignoredAccess !== undefined) record.ignoredAccess = ignoredAccess;
  return record;
}

function recordedName(name: string): string {
  return cutText(wellFormed(name), NESTED_CALL_LIMITS.maxNameChars);
}

function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** R4: a lone half of a surrogate pair becomes U+FFFD, in keys as well. */
export function mendTexts(frozen: unknown): unknown {
  return mapTexts(frozen, wellFormed, true);
}
