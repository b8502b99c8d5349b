// The tool `review_diff`: the orchestrator. It does nothing by itself but calls the others through the engine, so that
// every step is checked, guarded and recorded as if the model had asked for it.
import { defineTool, type ToolCallOutcome, type ToolContext, Type } from "nestcall";
import type { createCollectDiff } from "./collect-diff.js";
import { commandsOfChange, type FoundCommand } from "./commands-of-change.js";
import { dangerousCommands } from "./dangerous-commands.js";
import type { createFailingTests } from "./failing-tests.js";
import { readPatch } from "./patch.js";
import { type CommandFinding, renderReview } from "./render-review.js";
import type { ReviewTarget } from "./review-target.js";
import type { createRunChecks } from "./run-checks.js";
import type { createRunCommand } from "./run-command.js";

export interface ReviewTools {
  readonly runChecks: ReturnType<typeof createRunChecks>;
  readonly collectDiff: ReturnType<typeof createCollectDiff>;
  readonly failingTests: ReturnType<typeof createFailingTests>;
  readonly runCommand: ReturnType<typeof createRunCommand>;
}

/** What a call gave: its data, or the text of its failure. */
export interface Answer<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

const MAX_LOOKUPS = 12;
/** What a careless reviewer might do to see a clean build. It is looked up, and tried all the same: the guard decides. */
const DANGEROUS_STEP: FoundCommand = { path: "this review", command: "rm -rf build" };

export function createReviewDiff(target: ReviewTarget, tools: ReviewTools) {
  return defineTool({
    name: "review_diff",
    title: "Review diff",
    description: "Reviews the change under review: runs the checks, reads the diff, and looks for dangerous commands.",
    inputSchema: Type.Object({}),
    effect: "write",
    async execute(_args, ctx) {
      const [checks, diff] = await Promise.all([
        ctx.executeTool(tools.runChecks, {}),
        ctx.executeTool(tools.collectDiff, {}),
      ]);
      ctx.signal.throwIfAborted(); // an outcome never rejects, so the orchestrator itself decides whether to go on
      const tests = await ctx.executeTool(tools.failingTests, {});
      ctx.signal.throwIfAborted();
      const patch = diff.result.structuredContent?.patch ?? "";
      const commands = commandsOfChange(readPatch(patch));
      const findings = await lookUp(ctx, commands.slice(0, MAX_LOOKUPS));
      const [stepFinding] = await lookUp(ctx, [DANGEROUS_STEP]);
      const step = await ctx.executeTool(tools.runCommand, { command: DANGEROUS_STEP.command });
      return renderReview({
        name: target.name,
        checks: answerOf(checks),
        diff: answerOf(diff),
        tests: answerOf(tests),
        findings,
        commandsLeftOut: Math.max(0, commands.length - MAX_LOOKUPS),
        dangerousStep: { finding: stepFinding, outcome: step },
      });
    },
  });
}

async function lookUp(ctx: ToolContext, commands: readonly FoundCommand[]): Promise<CommandFinding[]> {
  return await Promise.all(
    commands.map(async ({ path, command }) => {
      const outcome = await ctx.executeTool(dangerousCommands, { command });
      return { path, command, answer: answerOf(outcome) };
    }),
  );
}

function answerOf<Value>({ isError, error, result }: ToolCallOutcome<Value>): Answer<Value> {
  if (isError) return { problem: error?.message ?? "failed" };
  return result.structuredContent === undefined ? {} : { value: result.structuredContent };
}
