// 8.1: while a person is asked, no limit of time runs: neither of the call in question, nor of those that wait for it.
import { createExecutor, type Executor, type ToolCallOutcome } from "nestcall";
import { budgetGuard, policyGuard, readPolicy } from "nestcall/guards";
import { createFakeClock, createGate, type Gate } from "nestcall/testing";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Data, endOf, tool } from "../helpers/engine.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;

/** An executor whose questions are answered by the gates, in the order in which they are asked. */
function asking(options: Parameters<typeof createExecutor>[0], ...answers: Gate<boolean>[]): Executor {
  const executor = createExecutor(options);
  onTestFinished(() => executor.close());
  const left = [...answers];
  const confirm = () => left.shift()?.promise ?? true;
  executor.on("tool_call", policyGuard(readPolicy({ ask: ["wipe"], allow: ["*"] }), { confirm }));
  return executor;
}
/** Gives the question time to be asked. */
const asked = () => vi.advanceTimersByTimeAsync(0);
const wipe = tool("wipe", () => "wiped");

/** A tool that waits, calls `wipe`, and waits again, for as long as it is told. */
function outer(more: Data, beforeMs: number, afterMs: number) {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return tool(
    "outer",
    async (_args, ctx) => {
      await pause(beforeMs);
      const { status } = await ctx.executeTool("wipe");
      await pause(afterMs);
      return status;
    },
    more,
  );
}

test.each([{ timeoutMs: 100 }, { idleTimeoutMs: 100 }])(
  "the tool that called stands still with it: %j",
  async (limits) => {
    for (const [afterMs, end] of [
      [39, "ok"],
      [41, "TIMEOUT"],
    ] as const) {
      const answer = createGate<boolean>();
      const executor = asking({ tools: [wipe, outer(limits, 60, afterMs)] }, answer);
      const call = executor.executeTool("outer");
      await vi.advanceTimersByTimeAsync(60);
      await vi.advanceTimersByTimeAsync(HOUR);
      answer.open(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([afterMs, endOf(await call)]).toEqual([afterMs, end]);
    }
  },
);

test("so does the time of the call itself, and of a caller far above", async () => {
  const answer = createGate<boolean>();
  const top = tool("top", async (_args, ctx) => (await ctx.executeTool("middle", {}, { timeoutMs: 70 })).status);
  const middle = tool("middle", async (_args, ctx) => (await ctx.executeTool("wipe", {}, { timeoutMs: 50 })).status);
  const executor = asking({ tools: [wipe, top, middle] }, answer);
  const call = executor.executeTool("top", {}, { timeoutMs: 100 });
  await asked();
  await vi.advanceTimersByTimeAsync(HOUR);
  answer.open(true);
  await asked();
  expect(endOf(await call)).toBe("ok");
});

test("two questions at once: the time runs on with the last answer", async () => {
  const [first, second] = [createGate<boolean>(), createGate<boolean>()];
  const gates = [first, second];
  const both = tool(
    "both",
    async (_args, ctx) => {
      await Promise.all([ctx.executeTool("wipe"), ctx.executeTool("wipe")]);
      await new Promise((resolve) => setTimeout(resolve, 90));
    },
    { timeoutMs: 100 },
  );
  const executor = asking({ tools: [wipe, both] }, ...gates);
  const call = executor.executeTool("both");
  await asked();
  await vi.advanceTimersByTimeAsync(HOUR);
  first.open(true);
  await vi.advanceTimersByTimeAsync(HOUR);
  second.open(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(endOf(await call)).toBe("ok");
});

test("a question that its call takes with it lets the time run on", async () => {
  const cancel = new AbortController();
  const outcomes: ToolCallOutcome[] = [];
  const impatient = tool(
    "impatient",
    async (_args, ctx) => {
      outcomes.push(await ctx.executeTool("wipe", {}, { signal: cancel.signal }));
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
    { timeoutMs: 100 },
  );
  const executor = asking({ tools: [wipe, impatient] }, createGate<boolean>());
  const call = executor.executeTool("impatient");
  await asked();
  await vi.advanceTimersByTimeAsync(HOUR);
  cancel.abort();
  await vi.advanceTimersByTimeAsync(99);
  expect(outcomes.map(endOf)).toEqual(["ABORTED"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(endOf(await call)).toBe("TIMEOUT");
});

test("a hook that never answers keeps no time from running once its call is over", async () => {
  const cancel = new AbortController();
  const slow = tool(
    "slow",
    async (_args, ctx) => {
      await ctx.executeTool("wipe", {}, { signal: cancel.signal });
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
    { timeoutMs: 100 },
  );
  const executor = asking({ tools: [wipe, slow] });
  executor.on("tool_call", (event) => {
    if (event.toolName !== "wipe") return undefined;
    event.reportWait("approval");
    return new Promise<never>(() => {}); // it does not look at its signal
  });
  // The policy's own question is answered at once.
  const call = executor.executeTool("slow");
  await asked();
  cancel.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(endOf(await call)).toBe("TIMEOUT");
});

test("hookTimeoutMs bounds a hook, not a person", async () => {
  const answer = createGate<boolean>();
  const executor = asking({ tools: [wipe, tool("look", () => "")], limits: { hookTimeoutMs: 50 } }, answer);
  const call = executor.executeTool("wipe");
  await asked();
  await vi.advanceTimersByTimeAsync(HOUR);
  answer.open(true);
  expect(endOf(await call)).toBe("ok");
  executor.on("tool_call", () => new Promise(() => {}));
  const hung = executor.executeTool("look");
  await vi.advanceTimersByTimeAsync(50);
  expect(endOf(await hung)).toBe("HOOK_FAILED");
});

test.each([
  [90, "ok"],
  [110, "TIMEOUT"],
])("after the answer idleTimeoutMs is renewed by updates as before: every %i ms", async (everyMs, end) => {
  const answer = createGate<boolean>();
  const talks = tool(
    "talks",
    async (_args, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      await ctx.executeTool("wipe");
      for (let n = 0; n < 5; n += 1) {
        ctx.onUpdate({});
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    },
    { idleTimeoutMs: 100 },
  );
  const executor = asking({ tools: [wipe, talks] }, answer);
  const call = executor.executeTool("talks");
  await vi.advanceTimersByTimeAsync(50);
  answer.open(true);
  await vi.advanceTimersByTimeAsync(450);
  expect(endOf(await call)).toBe(end);
});

test("a budget of time does not count it", async () => {
  const answer = createGate<boolean>();
  const clock = createFakeClock();
  const steps = tool("steps", async (_args, ctx) => {
    await ctx.executeTool("wipe");
    clock.advance(60);
    const second = await ctx.executeTool("look");
    clock.advance(60);
    const third = await ctx.executeTool("look");
    return `${second.status} ${third.status}`;
  });
  const executor = asking({ tools: [wipe, steps, tool("look", () => "")], clock }, answer);
  executor.on("tool_call", budgetGuard({ maxTimeMs: 100 }));
  const call = executor.executeTool("steps");
  await asked();
  clock.advance(HOUR);
  answer.open(true);
  expect((await call).result.content).toEqual([{ type: "text", text: "ok error" }]);
});
