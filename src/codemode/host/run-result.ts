// What a run resolves to, made from what the worker told and what the host knows.
import { cutText } from "../../errors/text.js";
import type { EndingReport, Outcome } from "../protocol.js";
import type { CodemodeCall, CodemodeError, CodemodeFailure, CodemodeReport, CodemodeRun } from "../run-types.js";
import { fromPayload } from "./result-payload.js";

const MAX_TEXT_CHARACTERS = 64 * 1024;
const MAX_NAMED_CALLS = 10;

export interface RunFacts {
  readonly ending: EndingReport | undefined;
  readonly warnings: readonly string[];
  readonly calls: readonly CodemodeCall[];
  readonly timings: CodemodeReport["timings"];
}

/** The end that the script itself came to. */
export function resultOf(outcome: Outcome, facts: RunFacts): CodemodeRun {
  switch (outcome.kind) {
    case "value": {
      const json = fromPayload(outcome.json);
      const value: unknown = json === undefined ? undefined : JSON.parse(json);
      return { status: "ok", value, ...reportOf(facts, true) };
    }
    case "error":
      return failed("error", outcome.error, facts);
    case "limit": {
      const { limit, message, error } = outcome;
      return failed("limit", { ...error, name: "LimitError", message, limit }, facts);
    }
    case "deadlock":
      return failed("deadlock", { name: "DeadlockError", message: outcome.message }, facts);
    case "stopped":
      return failed("aborted", { name: "AbortError", message: "The run was aborted." }, facts);
    default:
      return outcome satisfies never;
  }
}

export function failed(status: CodemodeFailure["status"], error: CodemodeError, facts: RunFacts): CodemodeFailure {
  return { status, error: cutError(error), ...reportOf(facts, false) };
}

function reportOf({ ending, warnings, calls, timings }: RunFacts, isOk: boolean): CodemodeReport {
  return {
    output: ending?.output ?? [],
    console: ending?.console ?? [],
    warnings: [...(ending?.warnings ?? []), ...warnings],
    calls,
    storeWrites: storeWritesOf(isOk ? ending : undefined),
    timings,
  };
}

function storeWritesOf(ending: EndingReport | undefined): CodemodeReport["storeWrites"] {
  const set: [string, unknown][] = [];
  const removed: string[] = [];
  for (const [key, json] of ending?.stored ?? []) {
    if (json === undefined) removed.push(key);
    else set.push([key, JSON.parse(json)]);
  }
  return { set: Object.fromEntries(set), delete: removed };
}

function cutError(error: CodemodeError): CodemodeError {
  const { message, stack, cause } = error;
  return {
    ...error,
    message: cutText(message, MAX_TEXT_CHARACTERS),
    ...(stack === undefined ? {} : { stack: cutText(stack, MAX_TEXT_CHARACTERS) }),
    ...(cause === undefined ? {} : { cause: cutError(cause) }),
  };
}

/** C2: what a script is told whose calls nobody awaited. */
export function unawaitedWarning(names: readonly string[], wereAborted: boolean): string {
  const shown = [...new Set(names)].slice(0, MAX_NAMED_CALLS).join(", ");
  const calls = names.length === 1 ? "1 call was" : `${names.length} calls were`;
  const end = wereAborted
    ? "still running after the time that they may hold the script (drainMs), so they were aborted"
    : "waited for";
  return `${calls} not awaited (${shown}) and ${end}. Write await before every call.`;
}
