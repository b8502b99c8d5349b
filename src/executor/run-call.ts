// One call from end to end (DESIGN 3). `openCall` does steps 1 to 3, `runCall` the others; a parallel batch does 4 to 6
// for all of its calls first, by `decideCall`. An abort settles a waiting call from outside
// (call-scope.ts), so after every await the run asks whether the call has settled.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import { isTransportFailure } from "../errors/transport-failure.js";
import { absolutePaths } from "../mutation-queue/file-mutation-queue.js";
import { runInsideLease } from "../mutation-queue/lease-context.js";
import { ownerText, waitInfoOf } from "../mutation-queue/wait-graph.js";
import type { ToolCallOutcome } from "../tools/tool.js";
import { normalizeResult } from "../tools/tool-result.js";
import { checkArguments, entryOf, readArguments } from "./call-arguments.js";
import { MutationGate, ResultPass, ToolCallGate } from "./call-hooks.js";
import { type CallOptions, readCallOptions } from "./call-options.js";
import { CallScope, causeBelow, Slots, type StopCause } from "./call-scope.js";
import { checkOutput, withUsage } from "./check-output.js";
import { type Ending, failure, failureWith } from "./ending.js";
import { emitLeaseWait, emitStart, emitWait } from "./events.js";
import { isThenable } from "./observers.js";
import { endOpenCalls, settleCall } from "./settle-call.js";
import { abortCause, watchCall, watchExecute } from "./time-limits.js";
import { RunningToolContext } from "./tool-context.js";

/** A call of a running tool. Never rejects, never throws. */
export function callNested(
  parent: CallScope,
  target: unknown,
  args: unknown,
  options: unknown,
): Promise<ToolCallOutcome> {
  const id = parent.nextChildId();
  if (parent.isClosed) return Promise.resolve(callerFinished(parent, id, nameOf(target)));
  parent.ownSlots ??= new Slots();
  const scope = new CallScope(parent.engine, parent, id, nameOf(target), "tool", "tool", parent.ownSlots);
  const refused = openCall(scope, target, args, readCallOptions("ctx.executeTool", options));
  void runCall(scope, refused);
  return scope.promise;
}

/** Steps 1 to 3: takes the arguments in, records the call, tells the listeners, and refuses what is beyond a limit. */
export function openCall(scope: CallScope, target: unknown, args: unknown, options: CallOptions): Ending | undefined {
  const { parent, root } = scope;
  const { shown, problem } = readArguments(scope, args);
  if (parent !== undefined) {
    root.calls += 1;
    scope.record = root.recorder.startMeasured(scope.id, scope.name, shown.frozen, shown.bytes);
  }
  emitStart(scope, shown.frozen);
  // A stop settles the call at once as long as no tool runs.
  scope.onStop = settleStopped;
  if (parent?.stopCause !== undefined) scope.stop(causeBelow(parent.name, parent.stopCause));
  watchCall(scope, options);
  if (scope.isSettled) return undefined;
  if (options.problem !== undefined) return failure(ErrorCode.INVALID_ARGUMENTS, options.problem);
  if (problem !== undefined) {
    const name = shortenText(scope.name, 128);
    return failure(ErrorCode.INVALID_ARGUMENTS, `Tool "${name}" cannot be called with these arguments: ${problem}.`);
  }
  return beyondLimit(scope) ?? unnamedTool(scope, target);
}

/** S5: a refused call says which limit it was and what raises it. */
function beyondLimit(scope: CallScope): Ending | undefined {
  const { maxDepth, maxCallsPerRoot } = scope.engine.limits;
  const name = shortenText(scope.name, 128);
  if (scope.depth > maxDepth) {
    const text = `Tool "${name}" was called at depth ${scope.depth}; the limit is ${maxDepth} (limits.maxDepth raises it).`;
    return failure(ErrorCode.DEPTH_EXCEEDED, text);
  }
  if (scope.parent !== undefined && scope.root.calls > maxCallsPerRoot) {
    const text = `Tool "${name}" was not run: one root call may make ${maxCallsPerRoot} nested calls (limits.maxCallsPerRoot raises it).`;
    return failure(ErrorCode.CALLS_EXCEEDED, text);
  }
  return undefined;
}

/** Steps 4 and 5: finds the tool and checks the arguments. Gives the ending of a call that cannot run. */
function resolveCall(scope: CallScope): Ending | undefined | Promise<Ending | undefined> {
  if (scope.isSettled) return undefined;
  scope.entry = scope.engine.registry.findCallable(scope.name, scope.reach);
  return scope.entry === undefined ? unknownTool(scope) : checkArguments(scope);
}

/** Steps 4 to 6, for a batch that asks about all of its calls before any runs. Tells whether the call may go on. */
export async function decideCall(scope: CallScope, refused: Ending | undefined): Promise<boolean> {
  try {
    let ending = refused ?? (await resolveCall(scope));
    if (ending === undefined && !scope.isSettled && scope.engine.hooks.toolCall.length > 0) {
      const gate = new ToolCallGate(scope);
      for (let answer = gate.next(); answer !== undefined; answer = gate.next()) {
        await answer.then(
          (value) => gate.take(value),
          (error: unknown) => gate.fail(error),
        );
      }
      ending = await gate.patched();
    }
    if (ending !== undefined) settleCall(scope, ending);
  } catch (error) {
    settleCall(scope, internalFailure(scope, error));
  }
  return !scope.isSettled;
}

/** A5: hidden, inactive and unknown names read the same; a second text would tell which hidden names exist. */
function unknownTool(scope: CallScope): Ending {
  const close = scope.engine.registry.closeCallableNames(scope.name, scope.reach, 3);
  const hint = close.length === 0 ? "" : ` Close names: ${close.join(", ")}.`;
  return failure(
    ErrorCode.UNKNOWN_TOOL,
    `There is no tool "${shortenText(scope.name, 128)}" that can be called here.${hint}`,
  );
}

/**
 * Steps 4 to 13; never rejects. Takes no turn of the event loop up to step 7, unless a hook or a schema does: the order in
 * which calls reach the queue is that in which they were made (F1). One function, because each asynchronous one costs a
 * promise and a turn; the steps themselves are below.
 */
export async function runCall(scope: CallScope, refused: Ending | undefined, isDecided = false): Promise<void> {
  let hasTurn = false;
  try {
    let ending = refused;
    if (!isDecided && ending === undefined) {
      const resolved = resolveCall(scope);
      ending = resolved instanceof Promise ? await resolved : resolved;
      if (ending === undefined && !scope.isSettled && scope.engine.hooks.toolCall.length > 0) {
        const gate = new ToolCallGate(scope);
        for (let answer = gate.next(); answer !== undefined; answer = gate.next()) {
          try {
            gate.take(await answer);
          } catch (error) {
            gate.fail(error);
          }
        }
        const patched = gate.patched();
        ending = patched instanceof Promise ? await patched : patched;
      }
    }
    if (ending === undefined && !scope.isSettled) {
      if (scope.slots !== undefined) {
        if (!tryTurn(scope, scope.slots)) await turnOf(scope, scope.slots);
        hasTurn = true;
      }
      if (!scope.isSettled && needsLease(scope)) ending = await prepareFiles(scope);
    }
    if (scope.isSettled) return;
    if (ending !== undefined) {
      settleCall(scope, ending);
      return;
    }
    let ran: Ending;
    try {
      let returned = beginExecute(scope);
      if (isThenable(returned)) returned = await returned;
      noteSettled(scope);
      if (scope.isSettled) return;
      ran = returnedEnding(scope, returned);
    } catch (error) {
      noteSettled(scope);
      if (scope.isSettled) return;
      scope.thrown = error;
      ran = thrownEnding(scope, error);
    }
    if (scope.hasOpenChildren) await settleChildren(scope);
    scope.lease?.end();
    if (scope.isSettled) return;
    if (scope.stopCause !== undefined && scope.phase === "running") {
      settleCall(scope, stoppedWith(scope, ran)); // it goes to neither check nor hooks (H5)
      return;
    }
    scope.phase = "finishing";
    if (entryOf(scope).output !== undefined) ran = (await checkOutput(scope, ran.result)) ?? ran;
    if (scope.engine.hooks.toolResult.length > 0) {
      const pass = new ResultPass(scope, ran);
      for (let answer = pass.next(); answer !== undefined; answer = pass.next()) {
        try {
          pass.take(await answer);
        } catch (error) {
          pass.fail(error);
        }
      }
      ran = pass.ending;
      if (pass.mustCheck && ran.status === "ok") ran = (await checkOutput(scope, ran.result)) ?? ran;
    }
    settleCall(scope, ran);
  } catch (error) {
    settleCall(scope, internalFailure(scope, error));
  } finally {
    if (hasTurn && scope.slots !== undefined) leaveTurn(scope.slots);
  }
}

function tryTurn(scope: CallScope, slots: Slots): boolean {
  if (slots.running >= scope.engine.limits.maxConcurrency) return false;
  slots.running += 1;
  return true;
}

function turnOf(scope: CallScope, slots: Slots): Promise<void> {
  emitWait(scope, { reason: "concurrency" });
  return new Promise((resolve) => slots.waiting.push(resolve));
}

function leaveTurn(slots: Slots): void {
  const next = slots.waiting.shift();
  if (next === undefined) slots.running -= 1;
  else next(); // the turn goes on to the next one
}

function needsLease(scope: CallScope): boolean {
  const { tool } = entryOf(scope);
  return tool.executionMode === "sequential" || tool.mutates !== undefined;
}

/** Steps 7 and 8. */
async function prepareFiles(scope: CallScope): Promise<Ending | undefined> {
  const refused = await takeLease(scope);
  if (refused !== undefined || scope.isSettled) return refused;
  const paths = scope.lease?.paths ?? [];
  if (paths.length === 0 || scope.engine.hooks.beforeMutation.length === 0) return undefined;
  const gate = new MutationGate(scope, paths);
  for (let answer = gate.next(); answer !== undefined; answer = gate.next()) {
    await answer.then(
      (value) => gate.take(value),
      (error: unknown) => gate.fail(error),
    );
  }
  return gate.refused;
}

/** Step 7: waits for the lane and the declared files in one request (B3, F8). */
async function takeLease(scope: CallScope): Promise<Ending | undefined> {
  const { engine } = scope;
  const { tool } = entryOf(scope);
  let paths: string[];
  try {
    paths = tool.mutates === undefined ? [] : absolutePaths(tool.mutates(scope.toolInput as never), engine.cwd);
  } catch (error) {
    return failure(
      ErrorCode.TOOL_FAILED,
      `Tool "${scope.name}" cannot say which files it changes: ${thrownText(error)}`,
    );
  }
  const lane = tool.executionMode === "sequential" ? engine.lane : undefined;
  if (lane === undefined && paths.length === 0) return undefined;
  const onWait = engine.observers.isWaitHeard
    ? (info: Parameters<typeof emitLeaseWait>[1]) => emitLeaseWait(scope, info)
    : undefined;
  const pending = engine.queue.acquire({ paths, lane, ancestors: scope.leasesAbove(), owner: scope.id, onWait });
  scope.leaseRequest = pending.request;
  scope.onStop = leaveQueue;
  try {
    const lease = await pending.lease;
    scope.leaseRequest = undefined;
    if (scope.isSettled) {
      lease.end();
    } else {
      scope.lease = lease;
      scope.onStop = settleStopped;
    }
    return undefined;
  } catch (error) {
    if (error instanceof NestcallError && error.code === ErrorCode.DEADLOCK) return failure(error.code, error.message);
    return failure(
      ErrorCode.TOOL_FAILED,
      `The files of tool "${scope.name}" cannot be looked up: ${thrownText(error)}`,
    );
  }
}

/** As long as no tool runs, a stop settles the call at once. */
function settleStopped(scope: CallScope): void {
  settleCall(scope, stoppedEnding(scope));
}

/** T2: leaves the queue at once. */
function leaveQueue(scope: CallScope): void {
  const text = waitText(scope);
  if (scope.leaseRequest !== undefined) scope.engine.queue.giveUp(scope.leaseRequest, scope.stopCause?.reason);
  settleCall(scope, stoppedEnding(scope, text));
}

/** B3: what a call that gives up was waiting for, and who has it. */
function waitText(scope: CallScope): string {
  const info = scope.leaseRequest === undefined ? undefined : waitInfoOf(scope.leaseRequest);
  if (info === undefined) return "";
  const what = info.reason === "lane" ? "the sequential lane" : info.paths.slice(0, 3).join(", ");
  const who = info.holders.length === 0 ? "" : `, held by ${info.holders.slice(0, 3).map(ownerText).join(" and ")}`;
  return ` while it waited for ${what}${who}`;
}

/** Step 9. Gives what the tool returned, at once or later; throws what it throws. */
function beginExecute(scope: CallScope): unknown {
  const { lease } = scope;
  const { tool } = entryOf(scope);
  scope.phase = "running";
  watchExecute(scope, tool);
  scope.onStop = giveGrace;
  const context = new RunningToolContext(scope, callNested);
  scope.startedRunningAt = scope.engine.clock.monotonic();
  const args = scope.toolInput as never; // checked against the tool's own schema
  return lease === undefined ? tool.execute(args, context) : runInsideLease(lease, () => tool.execute(args, context));
}

/** S3: no call can be made from here any more. A tool that was left behind gives its files and the lane back (T2). */
function noteSettled(scope: CallScope): void {
  scope.isClosed = true;
  scope.hasToolSettled = true;
  if (scope.isSettled) scope.lease?.end();
  else scope.durationMs = durationOf(scope);
}

function durationOf(scope: CallScope): number {
  const ms = scope.engine.clock.monotonic() - (scope.startedRunningAt as number); // set when execute began
  return Math.round(ms * 1000) / 1000;
}

function returnedEnding(scope: CallScope, returned: unknown): Ending {
  const normalized = normalizeResult(returned);
  if ("problem" in normalized) {
    const text = `Tool "${scope.name}" returned ${normalized.problem}.`;
    return withUsage(
      failure(ErrorCode.INVALID_RESULT, text),
      typeof returned === "object" && returned !== null ? returned : {},
    );
  }
  const { result } = normalized;
  if (result.isError !== true) return { status: "ok", result };
  return failureWith(ErrorCode.TOOL_FAILED, result, `Tool "${scope.name}" failed.`);
}

function thrownEnding(scope: CallScope, error: unknown): Ending {
  const code = isTransportFailure(error) ? ErrorCode.TRANSPORT_FAILED : ErrorCode.TOOL_FAILED;
  const text = thrownText(error);
  const ending = failure(code, text === "" ? `Tool "${scope.name}" failed.` : text);
  return withUsage(ending, { usage: usageOfThrown(error) });
}

/** R8. */
function usageOfThrown(error: unknown): unknown {
  try {
    return typeof error === "object" && error !== null ? (error as { readonly usage?: unknown }).usage : undefined;
  } catch {
    return undefined;
  }
}

/** S4: calls that nobody waited for are aborted, waited for, and ended when they do not stop in time. */
async function settleChildren(scope: CallScope): Promise<void> {
  if (scope.stopCause === undefined) scope.phase = "finishing"; // T3: its result is there, an abort from now on does not change it
  const cause: StopCause = {
    ...abortCause(new Error("The calling tool has finished.")),
    text: "was aborted: its caller had finished",
    isOrphan: true,
  };
  scope.stopChildren(cause);
  if (!scope.hasOpenChildren) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, scope.engine.limits.abortGraceMs);
    scope.onChildless = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  scope.onChildless = undefined;
  endOpenCalls(scope);
}

/** T2: a running tool gets some time to stop; then the call ends without it. */
function giveGrace(scope: CallScope): void {
  if (scope.phase === "finishing") {
    graceForHooks(scope);
    return;
  }
  if (scope.stopCause?.isOrphan === true) return;
  const timer = setTimeout(() => {
    endOpenCalls(scope);
    if (scope.hasToolSettled) return; // it only waited for calls that it had left open
    if (scope.lease !== undefined) scope.lease.isAbandoned = true;
    scope.durationMs = durationOf(scope);
    settleCall(scope, stoppedEnding(scope, ", and had not stopped"));
  }, scope.engine.limits.abortGraceMs);
  addTimer(scope, timer);
}

/** T3: the result is there; only hooks that hang can lose it, and then nothing of it may be shown. */
function graceForHooks(scope: CallScope): void {
  const timer = setTimeout(() => {
    settleCall(scope, stoppedEnding(scope, " before its result had been checked"));
  }, scope.engine.limits.abortGraceMs);
  addTimer(scope, timer);
}

function addTimer(scope: CallScope, timer: NodeJS.Timeout): void {
  if (scope.timers === undefined) scope.timers = [timer];
  else scope.timers.push(timer);
}

/** The end of a call that was stopped before its tool gave anything. */
function stoppedEnding(scope: CallScope, more = ""): Ending {
  const { code, text } = scope.stopCause ?? abortCause(undefined);
  return failure(code, `Tool "${shortenText(scope.name, 128)}" ${text}${more}.`);
}

/** T2, T4: a stopped tool that settled in time keeps its content and usage. */
function stoppedWith(scope: CallScope, ran: Ending): Ending {
  const stopped = stoppedEnding(scope);
  const { result } = ran;
  const [said] = stopped.result.content;
  if ((ran.status !== "ok" && isEcho(scope)) || said === undefined) return withUsage(stopped, result);
  const content =
    ran.status === "ok" && stopped.code === ErrorCode.ABORTED ? result.content : [...result.content, said];
  const text = said.type === "text" ? said.text : "";
  return failureWith(stopped.code ?? ErrorCode.ABORTED, { ...result, content }, text);
}

/** Whether a tool only said that its signal had aborted. */
function isEcho({ thrown, stopCause }: CallScope): boolean {
  if (thrown === stopCause?.reason) return true;
  return thrown instanceof Error && (thrown.name === "AbortError" || thrown.cause === stopCause?.reason);
}

export function internalFailure(scope: CallScope, error: unknown): Ending {
  return failure(
    ErrorCode.TOOL_FAILED,
    `The call of tool "${shortenText(scope.name, 128)}" failed inside the engine: ${thrownText(error)}`,
  );
}

function callerFinished(parent: CallScope, id: string, name: string): ToolCallOutcome {
  const text = `Tool "${shortenText(name, 128)}" was not called: its caller "${shortenText(parent.name, 128)}" has finished. Await every call before returning.`;
  const { result } = failure(ErrorCode.CALLER_FINISHED, text);
  const error = { code: ErrorCode.CALLER_FINISHED, message: text };
  return { toolCall: { id, name, arguments: undefined }, status: "error", isError: true, error, result };
}

/** The name that a target stands for; a text of its own for what has none. */
export function nameOf(target: unknown): string {
  if (typeof target === "string") return target;
  try {
    const name: unknown = (target as { readonly name?: unknown } | null | undefined)?.name;
    if (typeof target === "object" && typeof name === "string") return name;
  } catch {
    // a getter that throws: the value has no name
  }
  return `(${describeValue(target)})`;
}

function unnamedTool(scope: CallScope, target: unknown): Ending | undefined {
  if (typeof target === "string" || !scope.name.startsWith("(")) return undefined;
  const text = `There is no tool for ${describeValue(target)}; give the name of a tool, or a tool made by defineTool.`;
  return failure(ErrorCode.UNKNOWN_TOOL, text);
}
