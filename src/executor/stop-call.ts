// What a stop means in each phase of a call: a waiting call ends at once, a running tool gets some time (T2, T3, S4).
import { ErrorCode } from "../errors/error-code.js";
import { shortenText } from "../errors/text.js";
import { ownerText, waitInfoOf } from "../mutation-queue/wait-graph.js";
import type { CallScope, StopCause } from "./call-scope.js";
import { withUsage } from "./check-output.js";
import { type Ending, failure, failureWith } from "./ending.js";
import { durationOf, settleCall } from "./settle-call.js";
import { abortCause, addTimer } from "./time-limits.js";

/** As long as no tool runs, a stop settles the call at once. */
export function settleStopped(scope: CallScope): void {
  settleCall(scope, stoppedEnding(scope));
}

/** T2: leaves the queue at once. */
export function leaveQueue(scope: CallScope): void {
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

/** S4, T2: ends what has not stopped in time, inner calls first. */
function endOpenCalls(scope: CallScope): void {
  for (const child of scope.openChildren) {
    endOpenCalls(child);
    if (child.isSettled) continue;
    if (child.ran !== undefined && child.phase === "running") {
      // Its tool did stop in time; it was kept only by calls below it, which are over now.
      settleCall(child, stoppedWith(child, child.ran));
      continue;
    }
    if (child.lease !== undefined) child.lease.isAbandoned = true;
    const message = `Tool "${shortenText(child.name, 128)}" was ended: its caller was over, and the tool had not stopped.`;
    settleCall(child, failure(ErrorCode.ABORTED, message), true);
  }
}

/** T2: a running tool gets some time to stop; then the call ends without it. */
export function giveGrace(scope: CallScope): void {
  if (scope.phase === "finishing") {
    graceForHooks(scope);
    return;
  }
  if (scope.stopCause?.isOrphan === true) return;
  const timer = setTimeout(() => {
    endOpenCalls(scope);
    if (scope.ran !== undefined || scope.isSettled) return; // it only waited for calls that it had left open
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

/** S4: calls that nobody waited for are aborted, waited for, and ended when they do not stop in time. */
export async function settleChildren(scope: CallScope): Promise<void> {
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

/** The end of a call that was stopped before its tool gave anything. */
function stoppedEnding(scope: CallScope, more = ""): Ending {
  const { code, text } = scope.stopCause ?? abortCause(undefined);
  return failure(code, `Tool "${shortenText(scope.name, 128)}" ${text}${more}.`);
}

/** T2, T4: a stopped tool that settled in time keeps its content and usage. */
export function stoppedWith(scope: CallScope, ran: Ending): Ending {
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
