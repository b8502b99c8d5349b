// One call from end to end (DESIGN 3). `openCall` does steps 1 to 3, `runCall` the others; a parallel batch does 4 to 6
// for all of its calls first, by `decideCall`. An abort settles a waiting call from outside
// (call-scope.ts), so after every await the run asks whether the call has settled.
import { ErrorCode } from "../errors/error-code.js";
import { isThenable } from "../errors/thenable.js";
import { type AccessRestriction, widenedParts } from "../tools/access.js";
import type { ToolCallOutcome } from "../tools/tool.js";
import { checkArguments, entryOf, readArguments, showArguments, showSnapshot } from "./call-arguments.js";
import { ResultPass, ToolCallGate } from "./call-hooks.js";
import { type CallOptions, readCallOptions } from "./call-options.js";
import { CallScope, causeBelow } from "./call-scope.js";
import { checkOutput } from "./check-output.js";
import { type Ending, failure } from "./ending.js";
import { emitStart } from "./events.js";
import { beginExecute, noteSettled, returnedEnding, thrownEnding } from "./execute-tool.js";
import { redactText } from "./redaction.js";
import {
  accessRefusal,
  beyondLimit,
  callerFinished,
  internalFailure,
  nameOf,
  shownName,
  unknownTool,
  unnamedTool,
  unreadableAccess,
} from "./refusals.js";
import type { ScriptCall } from "./script-call.js";
import { settleCall } from "./settle-call.js";
import { Slots, tryTurn, turnOf } from "./slots.js";
import { settleChildren, settleStopped, stoppedWith } from "./stop-call.js";
import { needsLease, prepareFiles } from "./take-lease.js";
import { watchCall } from "./time-limits.js";

/** A call of a running tool, or of a script that it runs. Never rejects, never throws. */
function callNested(
  parent: CallScope,
  target: unknown,
  args: unknown,
  options: unknown,
  script?: ScriptCall,
): Promise<ToolCallOutcome> {
  const id = script === undefined ? parent.nextChildId() : parent.childId(script.number);
  if (parent.isClosed) return Promise.resolve(callerFinished(parent, id, nameOf(target)));
  parent.ownSlots ??= new Slots();
  const source = script === undefined ? "tool" : "codemode";
  const scope = new CallScope(parent.engine, parent, id, nameOf(target), source, "tool", parent.ownSlots);
  scope.onApprovalWait = script?.onApprovalWait;
  const refused = openCall(scope, target, args, readCallOptions("ctx.executeTool", options));
  void runCall(scope, refused);
  return scope.promise;
}

/** Steps 1 to 3: takes the arguments in, records the call, tells the listeners, and refuses what is beyond a limit. */
export function openCall(scope: CallScope, target: unknown, args: unknown, options: CallOptions): Ending | undefined {
  const { parent, root } = scope;
  const { shown, problem } = readArguments(scope, args);
  if (scope.engine.redact !== undefined) scope.shownName = redactText(scope, scope.name);
  if (parent !== undefined) {
    root.calls += 1;
    scope.ordinal = root.calls;
    scope.record = root.recorder.startMeasured(scope.id, scope.shownName, shown.frozen, shown.bytes);
  }
  emitStart(scope, shown);
  // A stop settles the call at once as long as no tool runs; one that came from a listener was kept until all had heard.
  scope.onStop = settleStopped;
  if (scope.stopCause !== undefined) settleStopped(scope);
  if (parent?.stopCause !== undefined) scope.stop(causeBelow(parent.name, parent.stopCause));
  if (scope.isSettled) return undefined;
  if (options.access !== undefined) narrowAccess(scope, options.access);
  watchCall(scope, options);
  if (scope.isSettled) return undefined;
  if (options.problem !== undefined) return failure(ErrorCode.INVALID_ARGUMENTS, options.problem);
  if (problem !== undefined) {
    const name = shownName(scope.name);
    return failure(ErrorCode.INVALID_ARGUMENTS, `Tool ${name} cannot be called with these arguments: ${problem}.`);
  }
  return beyondLimit(scope) ?? unnamedTool(scope, target);
}

/** E43: what would widen the access is ignored, and the record says so. */
function narrowAccess(scope: CallScope, asked: AccessRestriction): void {
  if (scope.record !== undefined) {
    const ignored = widenedParts(scope.session.access(), asked);
    if (ignored.length > 0) scope.root.recorder.noteIgnoredAccess(scope.record, ignored);
  }
  scope.narrow(asked);
}

/** Steps 4 and 5: finds the tool and checks the arguments. Gives the ending of a call that cannot run. */
function resolveCall(scope: CallScope): Ending | undefined | Promise<Ending | undefined> {
  if (scope.isSettled) return undefined;
  try {
    scope.entry = scope.session.findCallable(scope.name, scope.reach);
    if (scope.entry === undefined) return unknownTool(scope);
    scope.foundAt = scope.engine.registry.revision;
    const refused = scope.session.isPlain ? undefined : accessRefusal(scope);
    if (refused !== undefined) return refused;
  } catch (error) {
    return unreadableAccess(scope, error);
  }
  return checkArguments(scope);
}

/** E45: hooks and turns take time, in which a tool may be withdrawn, or what allowed it be taken away. */
function refusedMeanwhile(scope: CallScope): Ending | undefined {
  if (scope.session.isPlain && scope.foundAt === scope.engine.registry.revision) return undefined;
  try {
    const { entry } = scope;
    const isThere = entry !== undefined && scope.session.findCallable(entry.name, scope.reach) !== undefined;
    return isThere ? accessRefusal(scope) : unknownTool(scope);
  } catch (error) {
    return unreadableAccess(scope, error);
  }
}

/** Steps 4 to 6, for a batch that asks about all of its calls before any runs. Settles a call that may not go on. */
export async function decideCall(scope: CallScope): Promise<void> {
  try {
    let ending = await resolveCall(scope);
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
}

/**
 * Steps 4 to 13; never rejects. Takes no turn of the event loop up to step 7, unless a hook or a schema does: the order in
 * which calls reach the queue is that in which they were made (F1). One function, because each asynchronous one costs a
 * promise and a turn; the steps themselves are below.
 */
export async function runCall(scope: CallScope, refused: Ending | undefined, isDecided = false): Promise<void> {
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
      showArguments(scope);
      if (scope.slots !== undefined && !tryTurn(scope, scope.slots)) await turnOf(scope, scope.slots);
      if (!scope.isSettled && needsLease(scope)) ending = await prepareFiles(scope);
      if (ending === undefined && !scope.isSettled) ending = refusedMeanwhile(scope);
      if (ending !== undefined && !scope.isSettled) showSnapshot(scope);
    }
    if (scope.isSettled) return;
    if (ending !== undefined) {
      settleCall(scope, ending);
      return;
    }
    let ran: Ending;
    try {
      let returned = beginExecute(scope, callNested);
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
    scope.ran = ran;
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
  }
}
