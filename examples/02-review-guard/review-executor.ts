// The host's side of the review: an executor with the tools, an approval guard in front of every call, and a spy that
// counts the calls the model never sees. Guard and spy are hooks on the executor, so no tool can go around them.
import { createExecutor } from "nestcall";
import { type ApprovalGuardOptions, approvalGuard } from "nestcall/guards";
import { createCollectDiff } from "./collect-diff.js";
import { dangerousCommands } from "./dangerous-commands.js";
import { createFailingTests } from "./failing-tests.js";
import { createReviewDiff } from "./review-diff.js";
import type { ReviewTarget } from "./review-target.js";
import { createRunChecks } from "./run-checks.js";
import { createRunCommand } from "./run-command.js";

/** `confirm` is asked before a destructive call. Without it such a call is blocked: there is nobody to ask. */
type ReviewOptions = Pick<ApprovalGuardOptions, "confirm">;

export function createReviewExecutor(target: ReviewTarget, options: ReviewOptions = {}) {
  const tools = {
    runChecks: createRunChecks(target),
    collectDiff: createCollectDiff(target),
    failingTests: createFailingTests(target),
    runCommand: createRunCommand(target),
  };
  const executor = createExecutor({
    tools: [...Object.values(tools), dangerousCommands, createReviewDiff(target, tools)],
    cwd: target.folder,
  });
  const spy = { fromModel: 0, fromTools: 0, blocked: [] as string[] };
  const guard = approvalGuard(options);
  executor.on("tool_call", (call) => {
    if (call.depth === 0) spy.fromModel += 1;
    else spy.fromTools += 1;
  });
  executor.on("tool_call", async (call) => {
    const verdict = await guard(call);
    if (verdict?.block) spy.blocked.push(call.toolCallId);
    return verdict;
  });
  return { executor, spy };
}
