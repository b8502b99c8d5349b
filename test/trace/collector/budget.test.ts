// The budget of a collector: what goes first, what is counted, and that it holds.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createExecutor, type ToolContext } from "nestcall";
import { createTraceCollector } from "nestcall/trace";
import { expect, test } from "vitest";
import { at, type Data, tool } from "../../helpers/engine.js";

const echo = tool("echo", (args) => `${args.text}`);
const wrong = tool("wrong", (args) => {
  throw new Error(`${args.text}`);
});

/** Makes so many calls one after another. */
function many(name: string, target: string, args: (index: number) => Data) {
  return tool(name, async ({ count }: Data, ctx: ToolContext) => {
    for (let index = 1; index <= Number(count); index += 1) await ctx.executeTool(target, args(index));
  });
}

const TEXT = "x".repeat(1000);
const tools = [
  echo,
  wrong,
  many("small", "echo", (n) => ({ text: `${n}` })),
  many("large", "echo", (n) => ({ text: `${n} ${TEXT}` })),
  many("failing", "wrong", (n) => ({ text: `${n} ${TEXT}` })),
];

test("within one root call the earliest arguments and results go first; every call stays, in its place", async () => {
  const executor = createExecutor({ tools });
  const collector = createTraceCollector(executor, { maxBytes: 512 * 1024 });
  await executor.executeTool("large", { count: 1000 }, { toolCallId: "T" });
  const { calls, dropped } = collector.trace();
  expect(calls.map(({ id }) => id)).toEqual(["T", ...Array.from({ length: 1000 }, (_, index) => `T/${index + 1}`)]);
  expect(dropped).toBe(0);
  const kept = calls.map(({ arguments: args, result }) => args !== undefined && result !== undefined);
  expect([kept[1], kept[1000]]).toEqual([false, true]);
  expect(at(calls, 1)).toMatchObject({
    name: "echo",
    status: "ok",
    argumentsBytes: 1013,
    resultBytes: 1002,
    isResultCut: true,
  });
  expect(at(collector.roots(), 0).bytes).toBeLessThanOrEqual(512 * 1024);
});

test("of errors the beginning stays", async () => {
  const executor = createExecutor({ tools });
  const collector = createTraceCollector(executor, { maxBytes: 512 * 1024 });
  await executor.executeTool("failing", { count: 500 }, { toolCallId: "T" });
  const first = at(collector.trace().calls, 1);
  expect([first.status, first.code, first.error]).toEqual(["error", "TOOL_FAILED", `1 ${TEXT}`.slice(0, 500)]);
});

test("when that is not enough, later calls are counted; those that are kept keep their own ids", async () => {
  const executor = createExecutor({ tools });
  const collector = createTraceCollector(executor, { maxBytes: 20 * 1024 });
  await executor.executeTool("small", { count: 1000 }, { toolCallId: "T" });
  const { calls, dropped, notes } = collector.trace();
  expect(dropped).toBeGreaterThan(500);
  expect(calls.length + dropped).toBe(1001);
  expect(notes.join()).toContain(`${dropped} more calls ran`);
  expect(
    calls.slice(1).every(({ id, arguments: args }) => args === undefined || id === `T/${(args as Data).text}`),
  ).toBe(true);
  expect(at(calls, 0).status).toBe("ok");
  expect(at(collector.roots(), 0).bytes).toBeLessThanOrEqual(21 * 1024);
});

test("finished root calls go before anything of the one that runs; the latest are kept", async () => {
  const executor = createExecutor({ tools });
  const collector = createTraceCollector(executor, { maxBytes: 512 * 1024 });
  for (let index = 1; index <= 10; index += 1)
    await executor.executeTool("large", { count: 50 }, { toolCallId: `T${index}` });
  const roots = collector.roots().map(({ toolCallId }) => toolCallId);
  expect(roots.at(-1)).toBe("T10");
  expect(roots.length).toBeLessThan(10);
  expect(
    collector
      .trace([at(collector.roots(), roots.length - 1).key])
      .calls.every(({ arguments: args }) => args !== undefined),
  ).toBe(true);
  expect(collector.roots().reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(512 * 1024);
});

test("at most so many root calls are kept", async () => {
  const executor = createExecutor({ tools });
  const collector = createTraceCollector(executor, { maxRoots: 3 });
  for (let index = 1; index <= 100; index += 1) await executor.executeTool("echo", {}, { toolCallId: `T${index}` });
  expect(collector.roots().map(({ toolCallId }) => toolCallId)).toEqual(["T98", "T99", "T100"]);
});

test("a call beyond the budget of which more is heard, or that calls others, is counted as a whole", async () => {
  const outer = tool("outer", async (_args, ctx) => {
    ctx.onUpdate({ content: [{ type: "text", text: "still there" }] });
    await ctx.executeTool("echo", { text: TEXT });
    return "outer";
  });
  const executor = createExecutor({ tools: [...tools, outer, many("all", "outer", () => ({}))] });
  const collector = createTraceCollector(executor, { maxBytes: 8 * 1024 });
  await executor.executeTool("all", { count: 200 }, { toolCallId: "T" });
  const { calls, dropped } = collector.trace();
  expect(calls.length + dropped).toBe(401);
  expect(calls.filter(({ name }) => name === undefined)).toEqual([]);
});

test("long texts are not kept alive by the short ones that were cut from them", async () => {
  // Each result is a slice of 4 MiB; kept as it is, a hundred of them would hold 400 MiB.
  const slices = tool("slices", ({ index }: Data) => `${index}`.padStart(4 * 1024 * 1024, "-").slice(-100));
  const executor = createExecutor({ tools: [slices, many("all", "slices", (index) => ({ index }))] });
  const collector = createTraceCollector(executor);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await executor.executeTool("all", { count: 100 });
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 1024 * 1024);
  expect(collector.trace().calls).toHaveLength(101);
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
