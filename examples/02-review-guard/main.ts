// Reviews a real change through nested tool calls. The tree of calls goes to stderr, the review, the
// record and the usage go to stdout. Checks that the dangerous call was blocked and that the record shows it.
import assert from "node:assert/strict";
import { createReviewExecutor } from "./review-executor.js";
import { findReviewTarget, type ReviewTarget } from "./review-target.js";
import { INSIDE_REVIEW } from "./run-process.js";
import { drawTree } from "./tree.js";

const USAGE = `Usage: node build/examples/02-review-guard/main.js [PATH]

Reviews the uncommitted change of a git repository, else its last commit. PATH is a folder of it; without PATH this
repository reviews itself. Of the reviewed project, only its type check and its test script are run.
`;

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (args.length > 1 || args[0]?.startsWith("-")) return complain(`Unknown arguments: ${args.join(" ")}\n\n${USAGE}`);
  if (process.env[INSIDE_REVIEW]) return complain("A review is running already; it must not start another one.");
  let target: ReviewTarget;
  try {
    target = await findReviewTarget(args[0], signal);
  } catch (error) {
    return signal.aborted ? interrupted() : complain(error instanceof Error ? error.message : String(error));
  }
  return await review(target, signal);
}

async function review(target: ReviewTarget, signal: AbortSignal): Promise<number> {
  process.stderr.write(`Reviewing ${target.name}\n`);
  const { executor, spy } = createReviewExecutor(target);
  drawTree(executor, { stream: process.stderr, isBlocked: (id) => spy.blocked.includes(id) });
  const outcome = await executor.executeTool("review_diff", {}, { toolCallId: "review", signal });
  await executor.close();
  process.stderr.write(
    `The model made ${spy.fromModel} call; ${spy.fromTools} more passed the guard unseen by it.\n\n`,
  );
  if (outcome.status === "aborted") return interrupted();

  const { nestedCalls, usage } = outcome;
  const texts = outcome.result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  process.stdout.write(`${texts.join("\n")}\n\n${JSON.stringify({ nestedCalls, usage }, null, 2)}\n`);
  if (outcome.isError) return 1;
  const dangerous = nestedCalls?.calls.find((call) => call.name === "run_command");
  assert.equal(dangerous?.code, "BLOCKED");
  assert.deepEqual(spy.blocked, [dangerous.id]);
  return 0;
}

function complain(message: string): number {
  process.stderr.write(`${message.trimEnd()}\n`);
  return 2;
}

function interrupted(): number {
  process.stderr.write("Interrupted; every running call was stopped.\n");
  return 130;
}

/** The first signal stops every running call; one that comes much later ends the process on the spot. */
function abortOnSignal(controller: AbortController): void {
  let abortedAt = Number.POSITIVE_INFINITY;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (performance.now() - abortedAt > 1000) process.exit(130); // sooner, it is the same Ctrl-C, passed on by npm
      abortedAt = Math.min(abortedAt, performance.now());
      controller.abort(new Error("The review was interrupted."));
    });
  }
}

const controller = new AbortController();
abortOnSignal(controller);
process.exitCode = await main(process.argv.slice(2), controller.signal);
