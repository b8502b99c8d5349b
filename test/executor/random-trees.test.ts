import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRandom, forEachSeed, seedOfThisRun } from "../helpers/random.js";
import { checkTree } from "../helpers/tree-model.js";
import { makeTree } from "../helpers/tree-plan.js";
import { runTree } from "../helpers/tree-run.js";

const TREES = 1000;
const SEED = seedOfThisRun();

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test(`S1-S5, A1-A3, H1-H5, R1-R8, T1-T5, B3, B5: any tree of calls, in any order, keeps the rules (NESTCALL_SEED=${SEED})`, {
  timeout: 120_000,
}, async () => {
  await forEachSeed(SEED, TREES, async (seed) => {
    const random = createRandom(seed);
    const tree = makeTree(random);
    checkTree(tree, await runTree(tree, random));
  });
});

test("the trees of the random test reach every kind of ending", { timeout: 60_000 }, async () => {
  const codes = new Set<string | undefined>();
  const statuses = new Set<string>();
  await forEachSeed(1, 120, async (seed) => {
    const random = createRandom(seed);
    const { log, roots } = await runTree(makeTree(random), random);
    for (const entry of log) if (entry.type === "outcome") codes.add(entry.outcome.error?.code);
    for (const { nestedCalls } of roots) {
      if ((nestedCalls?.dropped ?? 0) > 0) statuses.add("dropped");
      for (const { status } of nestedCalls?.calls ?? []) statuses.add(status);
    }
  });
  expect([...statuses].sort()).toEqual(["aborted", "dropped", "error", "ok", "unfinished"]);
  expect([...codes].map(String).sort()).toEqual([
    "ABORTED",
    "BLOCKED",
    "CALLER_FINISHED",
    "CALLS_EXCEEDED",
    "DEPTH_EXCEEDED",
    "HOOK_FAILED",
    "INVALID_ARGUMENTS",
    "INVALID_RESULT",
    "TOOL_FAILED",
    "TRANSPORT_FAILED",
    "UNKNOWN_TOOL",
    "undefined",
  ]);
});
