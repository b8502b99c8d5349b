import { createExecutor, type ToolCallOutcome } from "nestcall";
import { type BudgetGuardOptions, budgetGuard } from "nestcall/guards";
import { createFakeClock, createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, endOf, textOf, tool } from "../helpers/engine.js";

/** An executor in which `top` calls the tools in its argument `calls`, one after another, and gives their ends. */
function guardedExecutor(limits: BudgetGuardOptions, outcomes: ToolCallOutcome[] = []) {
  const clock = createFakeClock();
  const leaf = tool("leaf", () => ({ content: [], usage: { input: 10, cost: { total: 0.5 } } }));
  const slow = tool("slow", () => clock.advance(40));
  const top = tool("top", async ({ calls }, ctx) => {
    for (const name of calls as string[]) outcomes.push(await ctx.executeTool(name, { calls: ["leaf"] }));
  });
  const executor = createExecutor({ tools: [leaf, slow, top], clock });
  executor.on("tool_call", budgetGuard(limits));
  return {
    executor,
    outcomes,
    run: (...calls: string[]) => executor.executeTool("top", { calls }, { toolCallId: "T" }),
  };
}

test("7: calls of one root call are bounded, at every depth, and the reason names the budget", async () => {
  const { run, outcomes } = guardedExecutor({ maxCalls: 3 });
  const outcome = await run("leaf", "top", "leaf");
  expect(endOf(outcome)).toBe("ok");
  expect(outcome.nestedCalls?.calls.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "T/1 ok",
    "T/2 ok",
    "T/2/1 ok",
    "T/3 error",
  ]);
  const refused = at(outcomes, outcomes.length - 1);
  expect([endOf(refused), textOf(refused)]).toEqual([
    "BLOCKED",
    "leaf was not run: the budget of call T is spent (3 calls)",
  ]);
});

test("7: maxCalls 0 allows the root call and nothing below it", async () => {
  const { run, outcomes } = guardedExecutor({ maxCalls: 0 });
  expect(endOf(await run("leaf"))).toBe("ok");
  expect(outcomes.map(endOf)).toEqual(["BLOCKED"]);
});

test.each<[string, BudgetGuardOptions["maxUsage"], number, string]>([
  ["a field", { input: 20 }, 2, "20 of 20 input"],
  ["a field, passed by one call", { input: 15 }, 2, "20 of 15 input"],
  ["a nested field", { "cost.total": 1 }, 2, "1 of 1 cost.total"],
  ["the first field that is spent", { input: 1000, "cost.total": 0.5 }, 1, "0.5 of 0.5 cost.total"],
])("7: usage is bounded by %s", async (_what, maxUsage = {}, runs, spent) => {
  const { run, outcomes } = guardedExecutor({ maxUsage });
  await run("leaf", "leaf", "leaf");
  expect(outcomes.map(endOf)).toEqual(["ok", "ok", "ok"].fill("BLOCKED", runs));
  expect(textOf(at(outcomes, runs))).toContain(`(${spent})`);
});

test("7: usage of calls further down counts as soon as they have settled", async () => {
  const { run, outcomes } = guardedExecutor({ maxUsage: { input: 10 } });
  await run("top", "leaf");
  expect(outcomes.map(endOf)).toEqual(["ok", "ok", "BLOCKED"]); // the leaf below, `top` around it, the leaf after it
});

test("7: a field that nobody reports, or that leads nowhere, is never spent", async () => {
  for (const field of ["output", "input.total", "cost.total.more", "cost", "__proto__", "constructor.length"]) {
    const { run, outcomes } = guardedExecutor({ maxUsage: { [field]: 1 } });
    await run("leaf", "leaf");
    expect([field, ...outcomes.map(endOf)]).toEqual([field, "ok", "ok"]);
  }
});

test("7: time is bounded from the root call on, by the executor's clock", async () => {
  const { run, outcomes } = guardedExecutor({ maxTimeMs: 80 });
  await run("slow", "slow", "leaf");
  expect(outcomes.map(endOf)).toEqual(["ok", "ok", "BLOCKED"]);
  expect(textOf(at(outcomes, 2))).toContain("80 ms");
  const again = await run("leaf"); // a new root call starts anew
  expect(again.nestedCalls?.calls.map(({ status }) => status)).toEqual(["ok"]);
});

test("S2: root calls at one time have a budget each, also when their ids are equal", async () => {
  const both = createGate();
  let arrived = 0;
  const ends: string[][] = [];
  const leaf = tool("leaf", () => ({ content: [], usage: { input: 1 } }));
  const top = tool("top", async ({ times }, ctx) => {
    arrived += 1;
    if (arrived === 2) both.open();
    await both.promise;
    const own: string[] = [];
    for (let count = 0; count < Number(times); count += 1) own.push(endOf(await ctx.executeTool("leaf")));
    ends[Number(times)] = own;
  });
  const executor = createExecutor({ tools: [leaf, top] });
  executor.on("tool_call", budgetGuard({ maxCalls: 2, maxUsage: { input: 2 } }));
  const calls = [2, 3].map((times) => executor.executeTool("top", { times }, { toolCallId: "same" }));
  await Promise.all(calls);
  expect([ends[2], ends[3]]).toEqual([
    ["ok", "ok"],
    ["ok", "ok", "BLOCKED"],
  ]);
});

test("7: one guard serves several executors, and calls that run are not stopped", async () => {
  const guard = budgetGuard({ maxTimeMs: 1 });
  for (let count = 0; count < 2; count += 1) {
    const clock = createFakeClock();
    const executor = createExecutor({ tools: [tool("slow", () => clock.advance(50))], clock });
    executor.on("tool_call", guard);
    expect(endOf(await executor.executeTool("slow"))).toBe("ok");
  }
});
