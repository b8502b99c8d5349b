// 8.1: while a person is asked about a call, no limit of time runs for it, nor for the calls above that wait for it.
import type { CallScope } from "./call-scope.js";

/** A hook of this call asks a person. Ends when the hook has answered, or with the call. */
export function beginApprovalWait(scope: CallScope): void {
  if (scope.isSettled || scope.isAskedAbout) return;
  scope.isAskedAbout = true;
  for (let one: CallScope | undefined = scope; one !== undefined; one = one.parent) note(one, true);
}

export function endApprovalWait(scope: CallScope): void {
  if (!scope.isAskedAbout) return;
  scope.isAskedAbout = false;
  for (let one: CallScope | undefined = scope; one !== undefined; one = one.parent) note(one, false);
}

/** Several calls below may wait at once; the time runs on when the last of them has its answer. */
function note(scope: CallScope, isWaiting: boolean): void {
  const wasWaiting = scope.approvalWaits > 0;
  scope.approvalWaits += isWaiting ? 1 : -1;
  const isStill = scope.approvalWaits > 0;
  if (isStill === wasWaiting) return;
  for (const limit of scope.timeLimits ?? []) {
    if (isStill) limit.stop();
    else limit.run();
  }
  scope.onApprovalWait?.(isStill);
  if (scope.parent === undefined) scope.root.noteApprovalWait(isStill, scope.engine.clock.monotonic());
}
