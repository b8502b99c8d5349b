// createTraceCollector: what it keeps, of whom, within which budget, and that it changes nothing.
import {
  createExecutor,
  type Executor,
  type ToolContext,
  type ToolExecutionEvent,
  withFileMutationQueue,
} from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { createTraceCollector, type TraceEvent } from "nestcall/trace";
import { expect, test, vi } from "vitest";
import { at, caller, type Data, tool } from "../../helpers/engine.js";
import { createRandom, forEachSeed, seedOfThisRun } from "../../helpers/random.js";

/** Everything an observer can hear, in order. */
function heardBy(executor: Executor): ToolExecutionEvent[] {
  const heard: ToolExecutionEvent[] = [];
  executor.subscribe((event) => void heard.push(event));
  executor.on("tool_execution_wait", (event) => void heard.push(event));
  return heard;
}

/** What a trace holds of an event besides its result. */
function outline(event: ToolExecutionEvent | TraceEvent): Data {
  const {
    ordinal: _ordinal,
    result: _result,
    partialResult: _partial,
    resultBytes: _bytes,
    ...rest
  } = event as unknown as Data;
  return JSON.parse(JSON.stringify(rest)) as Data;
}

const echo = tool("echo", (args) => String(args.text ?? "nothing"));
const fails = tool("fails", () => {
  throw new Error("no");
});
const sequential = tool("in_turn", () => "done", { executionMode: "sequential" });
const TOOLS = [echo, fails, sequential];

/** Calls itself and others, side by side and one after another. */
function treeTool(random: () => number) {
  const execute = async (args: Data, ctx: ToolContext): Promise<string> => {
    const depth = Number(args.depth);
    const calls = Array.from({ length: 1 + Math.floor(random() * 4) }, async (_, index) => {
      const name = depth > 0 && random() < 0.4 ? "tree" : at(["echo", "fails", "in_turn", "missing"], index % 4);
      const call = ctx.executeTool(name, name === "tree" ? { depth: depth - 1 } : { text: `${depth} ${index}` });
      if (random() < 0.5) await call;
      return call;
    });
    await Promise.all(calls);
    return "tree";
  };
  return tool("tree", execute);
}

test("it keeps every event of every call, in order, as an observer hears them", async () => {
  const types = new Set<string>();
  await forEachSeed(seedOfThisRun(), 30, async (seed) => {
    const tree = treeTool(createRandom(seed).next);
    const executor = createExecutor({ tools: [...TOOLS, tree], limits: { maxConcurrency: 2 } });
    const heard = heardBy(executor);
    const collector = createTraceCollector(executor);
    const roots = ["plain", "with/slash", "with/slash/1"];
    await Promise.all(roots.map((toolCallId) => executor.executeTool("tree", { depth: 3 }, { toolCallId })));
    for (const [index, root] of roots.entries()) {
      const own = heard.filter((event) => rootOf(event) === root);
      expect(collector.events([index + 1]).map(outline)).toEqual(own.map(outline));
    }
    for (const { type } of heard) types.add(type);
  });
  expect(types.size, "starts, ends and waits").toBe(3);
});

function rootOf({ toolCallId, depth }: ToolExecutionEvent): string {
  return toolCallId
    .split("/")
    .slice(0, -depth || undefined)
    .join("/");
}

test("results are kept whole when they are short: texts, structured content, details, usage, errors", async () => {
  const parts = {
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "två" },
    ],
    details: { lines: 3 },
  };
  const rich = tool("rich", () => ({
    ...parts,
    structuredContent: { n: 1 },
    usage: { input: 5, cost: { total: 0.1 } },
  }));
  const executor = createExecutor({
    tools: [rich, echo, fails, caller("all", [["rich"], ["echo", { text: "åäö" }], ["fails"]])],
  });
  const collector = createTraceCollector(executor);
  await executor.executeTool("all");
  const ends = collector.events().flatMap((event) => (event.type === "tool_execution_end" ? [event] : []));
  expect(ends.slice(0, 3).map(({ result, resultBytes }) => [result, resultBytes])).toEqual([
    [{ ...parts, structuredContent: { n: 1 }, usage: { input: 5, cost: { total: 0.1 } } }, 7],
    [{ content: [{ type: "text", text: "åäö" }] }, 6],
    [{ content: [{ type: "text", text: "no" }] }, 2],
  ]);
});

test("a result that its caller changes afterwards stays in the trace as it was", async () => {
  const executor = createExecutor({
    tools: [tool("rich", () => ({ content: [{ type: "text", text: "as it was" }], details: { n: 1 } }))],
  });
  const collector = createTraceCollector(executor);
  const { result } = await executor.executeTool("rich");
  Object.assign(result.content[0] as object, { text: "changed" });
  Object.assign(result.details as object, { n: 2 });
  expect(at(collector.trace().calls, 0).result).toMatchObject({ content: [{ text: "as it was" }], details: { n: 1 } });
});

test("longer texts are cut between code points, larger parts left out, and the event says so", async () => {
  const text = "a😀".repeat(40_000);
  const long = tool("long", () => text);
  const large = tool("large", () => ({
    content: [
      { type: "text", text: "short" },
      { type: "image", mimeType: "image/png", data: "A".repeat(40_000) },
    ],
    details: { text },
    structuredContent: { n: 1 },
  }));
  const executor = createExecutor({ tools: [long, large] });
  const collector = createTraceCollector(executor, { maxResultBytes: 1000 });
  await executor.executeTool("long");
  await executor.executeTool("large");
  const [first, second] = collector.trace().calls;
  const kept = (at(first?.result?.content, 0) as { text: string }).text;
  expect([text.startsWith(kept), kept.isWellFormed(), Buffer.byteLength(kept) <= 1000, kept.length > 590]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([first?.resultBytes, first?.isResultCut]).toEqual([200_000, true]);
  expect(second?.result).toEqual({
    content: [
      { type: "text", text: "short" },
      { type: "text", text: "(image image/png, 30,000 bytes, not kept)" },
    ],
    structuredContent: { n: 1 },
  });
  expect(second?.isResultCut).toBe(true);
});

test("arguments beyond their bound are left out, with their size", async () => {
  const executor = createExecutor({ tools: [echo] });
  const collector = createTraceCollector(executor, { maxArgumentBytes: 100 });
  await executor.executeTool("echo", { text: "x".repeat(200) });
  const call = at(collector.trace().calls, 0);
  expect([call.arguments, call.argumentsBytes]).toEqual([undefined, 211]);
});

test("nothing that matches a pattern is kept: names, keys, arguments, results, details, paths, errors", async () => {
  const secret = "hunter2";
  const leak = tool("leak", () => ({
    content: [{ type: "text", text: `x ${secret}` }],
    details: { [secret]: secret },
    structuredContent: secret,
  }));
  const wrong = tool("wrong", () => {
    throw new Error(`no ${secret}`);
  });
  const writes = tool("writes", () => "ok", { mutates: () => `/tmp/${secret}.txt` });
  const executor = createExecutor({
    tools: [leak, wrong, writes, caller("all", [["leak", { [secret]: [secret] }], ["wrong"], [secret], ["writes"]])],
  });
  const collector = createTraceCollector(executor, { patterns: [/hunter\d/], replacement: "•••" });
  const gate = createGate();
  const holder = withFileMutationQueue(`/tmp/${secret}.txt`, () => gate.promise);
  const run = executor.executeTool("all");
  await vi.waitFor(() => expect(collector.events().some(({ type }) => type === "tool_execution_wait")).toBe(true));
  gate.open();
  await Promise.all([holder, run]);
  const text = JSON.stringify(collector.events());
  expect(text).not.toContain(secret);
  expect(text.split("•••").length).toBeGreaterThan(8);
});

test("only the root calls that were chosen are kept, by name or by a function", async () => {
  const executor = createExecutor({
    tools: [echo, fails, caller("outer_one", [["echo"]]), caller("outer_two", [["echo"]])],
  });
  const byName = createTraceCollector(executor, { roots: ["outer_*"] });
  const byFunction = createTraceCollector(executor, { roots: ({ toolCallId }) => toolCallId === "B" });
  await executor.executeTool("outer_one", {}, { toolCallId: "A" });
  await executor.executeTool("echo", {}, { toolCallId: "B" });
  await executor.executeTool("outer_two", {}, { toolCallId: "C" });
  expect(byName.roots().map(({ toolCallId, calls, isFinished }) => [toolCallId, calls, isFinished])).toEqual([
    ["A", 2, true],
    ["C", 2, true],
  ]);
  expect(byFunction.trace().calls.map(({ id }) => id)).toEqual(["B"]);
});

test("a function for roots that throws is an observer's error; the call goes on and is not kept", async () => {
  const executor = createExecutor({ tools: [echo] });
  const failures: unknown[] = [];
  executor.on("observer_error", ({ error }) => void failures.push(error));
  const collector = createTraceCollector(executor, {
    roots: () => {
      throw new Error("cannot choose");
    },
  });
  expect((await executor.executeTool("echo")).status).toBe("ok");
  expect(failures).toEqual([new Error("cannot choose")]);
  expect(collector.roots()).toEqual([]);
});

test("results that cannot be read, or have no JSON form, are left out; outcomes are as without a collector", async () => {
  const cycle: Data = {};
  cycle.self = cycle;
  const hostile = tool("hostile", () => ({
    content: [{ type: "text", text: "shown" }],
    details: cycle,
    structuredContent: 10n,
  }));
  const getter = tool("getter", () =>
    Object.defineProperty({ content: [] }, "details", {
      enumerable: true,
      get: () => {
        throw new Error("x");
      },
    }),
  );
  const run = async (isHeard: boolean) => {
    const executor = createExecutor({ tools: [hostile, getter] });
    const collector = isHeard ? createTraceCollector(executor) : undefined;
    const outcomes = [
      await executor.executeTool("hostile", {}, { toolCallId: "h" }),
      await executor.executeTool("getter", {}, { toolCallId: "g" }),
    ];
    return { calls: collector?.trace().calls, statuses: outcomes.map(({ status, error }) => [status, error?.code]) };
  };
  const [without, withOne] = [await run(false), await run(true)];
  expect(withOne.statuses).toEqual(without.statuses);
  expect(withOne.calls?.map(({ status }) => status)).toEqual(withOne.statuses.map(([status]) => status));
  expect(at(withOne.calls, 0)).toMatchObject({ isResultCut: true, result: { content: [{ text: "shown" }] } });
});

test("updates of a call are kept as their number and the latest", async () => {
  const talks = tool("talks", (_args, ctx) => {
    for (const step of [1, 2, 3]) ctx.onUpdate({ content: [{ type: "text", text: `step ${step}` }] });
    return "done";
  });
  const executor = createExecutor({ tools: [talks] });
  const collector = createTraceCollector(executor);
  await executor.executeTool("talks");
  expect(collector.events().map(({ type }) => type.replace("tool_execution_", ""))).toEqual(["start", "update", "end"]);
  expect(at(collector.trace().calls, 0)).toMatchObject({ updates: 3, latestUpdate: "step 3" });
});

test("two open root calls with one id are two in the list", async () => {
  const gates = [createGate(), createGate()];
  let next = 0;
  const waits = tool("waits", async () => {
    await gates[next++]?.promise;
    return "done";
  });
  const executor = createExecutor({ tools: [waits] });
  const collector = createTraceCollector(executor);
  const runs = gates.map(() => executor.executeTool("waits", {}, { toolCallId: "same" }));
  for (const gate of gates) gate.open();
  await Promise.all(runs);
  expect(collector.roots().map(({ key, toolCallId, isFinished }) => [key, toolCallId, isFinished])).toEqual([
    [1, "same", true],
    [2, "same", true],
  ]);
});

test("a collector made in the middle of a root call keeps the next one", async () => {
  const gate = createGate();
  const executor = createExecutor({
    tools: [
      echo,
      tool("waits", async (_args, ctx) => {
        await gate.promise;
        await ctx.executeTool("echo");
      }),
    ],
  });
  const run = executor.executeTool("waits");
  const collector = createTraceCollector(executor);
  gate.open();
  await run;
  expect(collector.roots()).toEqual([]);
  await executor.executeTool("echo", {}, { toolCallId: "next" });
  expect(collector.roots().map(({ toolCallId }) => toolCallId)).toEqual(["next"]);
});

test("close ends it, clear forgets what has finished, subscribe hears which root call has more", async () => {
  const gate = createGate();
  const executor = createExecutor({ tools: [echo, tool("waits", () => gate.promise.then(() => "x"))] });
  const collector = createTraceCollector(executor);
  const heard: number[] = [];
  const stop = collector.subscribe((key) => void heard.push(key));
  const open = executor.executeTool("waits", {}, { toolCallId: "open" });
  await executor.executeTool("echo", {}, { toolCallId: "done" });
  expect(heard).toEqual([1, 2, 2]);
  stop();
  collector.clear();
  expect(collector.roots().map(({ toolCallId }) => toolCallId)).toEqual(["open"]);
  gate.open();
  await open;
  collector.close();
  await executor.executeTool("echo");
  await turn();
  expect([heard.length, collector.roots().length]).toEqual([3, 1]);
});

test.each([
  [{ maxBytes: 10 }, "options.maxBytes must be a number from 1,024 up, not 10"],
  [{ maxRoots: 0 }, "options.maxRoots must be a number from 1 up"],
  [{ maxResultBytes: Number.NaN }, "options.maxResultBytes must be"],
  [{ roots: [1] }, "options.roots must be a list of names"],
  [{ patterns: [] }, "options.patterns must be a list of patterns"],
  [{ replacement: "x" }, "options.replacement must be given together with patterns"],
  [{ maxByte: 1 }, 'not the string "maxByte"'],
])("a wrong option is refused: %j", (options, message) => {
  const executor = createExecutor();
  expect(() => createTraceCollector(executor, options as never)).toThrow(message);
});

test("what is no executor is refused", () => {
  expect(() => createTraceCollector({} as never)).toThrow("takes an executor first");
});
