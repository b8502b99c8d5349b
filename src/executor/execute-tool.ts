// Step 9 of a call: the tool itself, and what it gave or threw.
import { ErrorCode } from "../errors/error-code.js";
import { thrownText } from "../errors/text.js";
import { isTransportFailure } from "../errors/transport-failure.js";
import { runInsideLease } from "../mutation-queue/lease-context.js";
import { normalizeResult } from "../tools/tool-result.js";
import { entryOf } from "./call-arguments.js";
import type { CallScope } from "./call-scope.js";
import { withUsage } from "./check-output.js";
import { type Ending, failure, failureWith } from "./ending.js";
import { durationOf } from "./settle-call.js";
import { giveGrace } from "./stop-call.js";
import { unwatchExecute, watchExecute } from "./time-limits.js";
import { type NestedCall, RunningToolContext } from "./tool-context.js";

/** Step 9. Gives what the tool returned, at once or later; throws what it throws. */
export function beginExecute(scope: CallScope, callNested: NestedCall): unknown {
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
export function noteSettled(scope: CallScope): void {
  scope.isClosed = true;
  if (scope.toolLimits !== undefined) unwatchExecute(scope);
  if (scope.isSettled) scope.lease?.end();
  else scope.durationMs = durationOf(scope);
}

export function returnedEnding(scope: CallScope, returned: unknown): Ending {
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

export function thrownEnding(scope: CallScope, error: unknown): Ending {
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
