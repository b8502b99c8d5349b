// Step 13 of a call: the one place where calls end. Keeps S4, R7, R8, H4, H6, T5.
import { ErrorCode } from "../errors/error-code.js";
import { shortenText, thrownText } from "../errors/text.js";
import type { NestedCallHandle } from "../records/nested-call-recorder.js";
import type { Usage } from "../records/usage.js";
import { copyUsage, UsageSum } from "../records/usage-sum.js";
import type { ToolCallOutcome } from "../tools/tool.js";
import { textOfContent } from "../tools/tool-result.js";
import { endApprovalWait } from "./approval-wait.js";
import type { RootCallOutcome } from "./batch-outcome.js";
import type { CallScope } from "./call-scope.js";
import { type Ending, failure } from "./ending.js";
import { emitEnd } from "./events.js";
import { redactText } from "./redaction.js";
import { leaveTurn } from "./slots.js";

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Ends the call with one outcome, one end event and one record. Does nothing when it has ended already. */
export function settleCall(scope: CallScope, ending: Ending, isUnfinished = false): void {
  if (scope.isSettled) return;
  const wasRunning = scope.phase === "running";
  scope.phase = "settled";
  scope.isClosed = true;
  stopWatching(scope);
  // A tool that still runs keeps its files and the lane until it settles (T2).
  if (scope.lease !== undefined && !wasRunning) scope.lease.end();
  const outcome = safeOutcomeOf(scope, ending);
  if (scope.record !== undefined && !isUnfinished) recordEnd(scope, scope.record, outcome);
  if (scope.parent === undefined) addRecord(scope, outcome);
  emitEnd(scope, outcome);
  scope.finish(outcome);
  if (scope.turn !== undefined) leaveTurn(scope);
}

function stopWatching(scope: CallScope): void {
  scope.stopListening?.();
  scope.stopListening = undefined;
  scope.onStop = undefined;
  if (scope.isAskedAbout) endApprovalWait(scope);
  if (scope.timers !== undefined) for (const timer of scope.timers) clearTimeout(timer);
  scope.timers = undefined;
  if (scope.timeLimits !== undefined) for (const limit of scope.timeLimits) limit.stop();
  scope.timeLimits = undefined;
  scope.restartIdleTimer = undefined;
}

/** Whatever a result does when it is read, the call has an outcome. */
function safeOutcomeOf(scope: CallScope, ending: Ending): Draft<RootCallOutcome> {
  try {
    return outcomeOf(scope, ending);
  } catch (error) {
    const text = `The result of tool "${shortenText(scope.name, 128)}" cannot be read: ${thrownText(error)}`;
    return outcomeOf(scope, failure(ErrorCode.INVALID_RESULT, text));
  }
}

function outcomeOf(scope: CallScope, { status, code, result: given }: Ending): ToolCallOutcome {
  // H4: the flags agree, also when a hook wrote into the result that it may only read.
  const isError = status !== "ok";
  const result = (given.isError === true) === isError ? given : { ...given, isError };
  const outcome: Draft<ToolCallOutcome> = {
    // H2: a call that never ran keeps the arguments it was called with.
    toolCall: { id: scope.id, name: scope.name, arguments: scope.ranInput },
    status,
    isError,
    result,
  };
  if (code !== undefined) {
    // H4: the message is the text of the final content.
    outcome.error = { code, message: textOfContent(result.content) };
  }
  if (scope.durationMs !== undefined) outcome.durationMs = scope.durationMs;
  const usage = usageOf(scope, result.usage);
  if (usage !== undefined) outcome.usage = usage;
  return outcome;
}

/** R7: the call's own usage and that of every settled call below; the caller's sum grows by it. */
function usageOf(scope: CallScope, own: unknown): Usage | undefined {
  const { parent } = scope;
  if (own === undefined || own === null) {
    if (scope.usage !== undefined) parent?.addUsage(scope.usage);
    return scope.usage?.toUsage();
  }
  const isLeaf = scope.usage === undefined && parent !== undefined;
  if (isLeaf) {
    // Most calls: one usage, which needs no sum of its own.
    parent.usage ??= new UsageSum();
    const isWhole = parent.usage.addReported(own, (problem) => reportUsage(scope, problem));
    return isWhole ? copyUsage(own as Usage) : sumOf(own).toUsage(); // counted in full, so it is a usage
  }
  scope.usage ??= new UsageSum();
  scope.usage.addReported(own, (problem) => reportUsage(scope, problem));
  parent?.addUsage(scope.usage);
  return scope.usage.toUsage();
}

function sumOf(own: unknown): UsageSum {
  const sum = new UsageSum();
  sum.addReported(own);
  return sum;
}

function reportUsage(scope: CallScope, problem: string): void {
  const text = redactText(scope, `The usage that tool "${scope.name}" reported is not counted in full: ${problem}.`);
  const error = new Error(text);
  scope.engine.observers.report({ error, source: "usage", toolCallId: scope.id }, scope.entry?.tool ?? scope);
}

function recordEnd(scope: CallScope, record: NestedCallHandle, outcome: ToolCallOutcome): void {
  const { status, error, durationMs } = outcome;
  const { redact } = scope.engine;
  const shown =
    error === undefined || redact === undefined ? error : { ...error, message: redactText(scope, error.message) };
  scope.root.recorder.finishKnown(record, { status, durationMs, error: shown });
}

function addRecord(scope: CallScope, outcome: Draft<RootCallOutcome>): void {
  const { nestedCalls } = scope.root.recorder.snapshot();
  if (nestedCalls !== undefined) outcome.nestedCalls = nestedCalls;
}

export function durationOf(scope: CallScope): number {
  const ms = scope.engine.clock.monotonic() - (scope.startedRunningAt as number); // set when execute began
  return Math.round(ms * 1000) / 1000;
}
