// Steps 7 and 8 of a call: the lane and the declared files in one request, then the guards inside the lease (B3, F8).
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { thrownText } from "../errors/text.js";
import { atOnce } from "../errors/thenable.js";
import { absolutePaths } from "../mutation-queue/file-mutation-queue.js";
import type { WaitInfo } from "../mutation-queue/lease-request.js";
import { entryOf } from "./call-arguments.js";
import { MutationGate } from "./call-hooks.js";
import type { CallScope } from "./call-scope.js";
import { type Ending, failure } from "./ending.js";
import { emitLeaseWait } from "./events.js";
import { leaveQueue, settleStopped } from "./stop-call.js";

export function needsLease(scope: CallScope): boolean {
  const { tool } = entryOf(scope);
  return tool.executionMode === "sequential" || tool.mutates !== undefined;
}

/** Steps 7 and 8. */
export async function prepareFiles(scope: CallScope): Promise<Ending | undefined> {
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
    paths = tool.mutates === undefined ? [] : absolutePaths(atOnce(tool.mutates(scope.toolInput as never)), engine.cwd);
  } catch (error) {
    return failure(
      ErrorCode.TOOL_FAILED,
      `Tool "${scope.name}" cannot say which files it changes: ${thrownText(error)}`,
    );
  }
  const lane = tool.executionMode === "sequential" ? engine.lane : undefined;
  if (lane === undefined && paths.length === 0) return undefined;
  let early: WaitInfo | undefined;
  const onWait = engine.observers.isWaitHeard ? (info: WaitInfo) => tell(info) : undefined;
  const tell = (info: WaitInfo) => {
    if (scope.leaseRequest === undefined) early = info;
    else emitLeaseWait(scope, info);
  };
  const request = engine.queue.acquire({ paths, lane, ancestors: scope.leasesAbove(), owner: scope.id, onWait });
  scope.leaseRequest = request;
  scope.onStop = leaveQueue;
  if (early !== undefined) emitLeaseWait(scope, early); // a listener may stop the call, which has to leave the queue then
  try {
    const lease = await request.lease;
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
