// Rows of features.md about batches, files, nested calls, records and usage, through the door: P28 to P32, P34, P35, P39 to P46.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NestedCallRecord } from "nestcall";
import type { AgentToolCallOutcome, AgentToolUpdateCallback } from "nestcall/pi";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../examples/run.js";
import { argumentsOf, at, type Data, textOf } from "../../helpers/engine.js";
import { openDoor, piCaller, piTool, textOfPi } from "./door.js";
import { appendLine } from "./samples/append-line.js";
import { createCounter } from "./samples/counter.js";
import { finish } from "./samples/finish.js";

const USAGE = {
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const used = (input: number) => ({ ...USAGE, input, totalTokens: input });

test("P28, P29: a batch ends the turn only when every call in it says so", async () => {
  const { executor, pi } = await openDoor();
  pi.registerTool(finish);
  pi.registerTool(piTool("go_on", () => "more"));
  const ends = async (...names: readonly string[]) => {
    const calls = names.map((name, index) => ({ id: String(index), name, arguments: { answer: "42" } }));
    return (await executor.executeBatch(calls)).terminate;
  };
  expect(await ends("finish")).toBe(true);
  expect(await ends("finish", "finish", "finish")).toBe(true);
  expect(await ends("finish", "go_on", "go_on")).toBe(false);
});

test("P30: a sequential tool's calls never overlap, in a batch and below a tool", async () => {
  const { executor, pi } = await openDoor();
  pi.registerTool(createCounter());
  pi.registerTool(
    piTool("top", async (_params, ctx) => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => ctx.executeTool("count_up", {})));
      return textOfPi(at(outcomes, 4));
    }),
  );
  await executor.executeBatch(Array.from({ length: 5 }, (_, index) => ({ id: String(index), name: "count_up" })));
  expect(textOf(await executor.executeTool("top"))).toBe("10");
  expect((await executor.executeTool("count_up")).result.details).toEqual({ count: 11, most: 1 });
});

test("P31: 50 tools that read, change and write one file in its queue lose nothing", async () => {
  const folder = await temporaryFolder();
  const { executor, pi } = await openDoor([], { cwd: folder });
  pi.registerTool(appendLine);
  const calls = Array.from({ length: 50 }, (_, index) => ({
    id: String(index),
    name: "append_line",
    arguments: { path: index % 2 === 0 ? "log.txt" : "./log.txt", text: "x" },
  }));
  await executor.executeBatch(calls);
  const lines = (await readFile(join(folder, "log.txt"), "utf8")).trimEnd().split("\n");
  expect(lines).toEqual(Array.from({ length: 50 }, (_, index) => `${index + 1} x`));
});

test("P32: executeTool takes a signal that ends the child alone, and a callback for its progress", async () => {
  const { executor, pi } = await openDoor();
  const updates: string[] = [];
  const controller = new AbortController();
  pi.registerTool({
    ...piTool("child", () => ""),
    execute: async (_id, _params, signal, onUpdate) => {
      onUpdate?.({ content: [{ type: "text", text: "half" }], details: undefined });
      await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      throw new Error("stopped");
    },
  });
  let parentSignal: AbortSignal | undefined;
  pi.registerTool({
    ...piTool("top", () => ""),
    execute: async (_id, _params, signal, _onUpdate, ctx) => {
      const onUpdate: AgentToolUpdateCallback = (partial) => {
        updates.push(textOfPi({ result: partial }));
        controller.abort();
      };
      const outcome = await ctx.executeTool("child", {}, { signal: controller.signal, onUpdate });
      parentSignal = signal;
      return { content: [{ type: "text", text: String(outcome.isError) }], details: undefined };
    },
  });
  const outcome = await executor.executeTool("top");
  expect([textOf(outcome), outcome.status, parentSignal?.aborted, updates]).toEqual(["true", "ok", false, ["half"]]);
});

test("P34, P35: all events of nested calls carry the parent's id, and ids count up below it, also in parallel", async () => {
  const { executor, pi } = await openDoor();
  const log: Data[] = [];
  for (const type of ["tool_execution_start", "tool_execution_update", "tool_execution_end"] as const) {
    pi.on(type, (event, ctx) => void log.push({ ...event, cwd: ctx.cwd }));
  }
  pi.registerTool({
    ...piTool("leaf", () => ""),
    execute: async (_id, _params, _signal, onUpdate) => {
      onUpdate?.({ content: [], details: { half: true } });
      return { content: [], details: undefined };
    },
  });
  pi.registerTool(piCaller("middle", [["leaf", { n: 1 }]]));
  pi.registerTool(
    piTool("top", async (_params, ctx) => {
      await Promise.all([ctx.executeTool("middle", {}), ctx.executeTool("leaf", { n: 2 })]);
      return "ran";
    }),
  );
  await executor.executeTool("top", {}, { toolCallId: "p" });
  const brief = log.map(({ type, toolCallId, parentToolCallId }) => `${type} ${toolCallId} < ${parentToolCallId}`);
  for (const [id, parent] of [
    ["p/1", "p"],
    ["p/2", "p"],
    ["p/1/1", "p/1"],
  ]) {
    const kinds = id === "p/1" ? ["start", "end"] : ["start", "update", "end"];
    for (const kind of kinds) expect(brief).toContain(`tool_execution_${kind} ${id} < ${parent}`);
  }
  expect(log.filter(({ toolCallId }) => toolCallId === "p/2")).toMatchObject([
    { toolName: "leaf", args: { n: 2 } },
    { toolName: "leaf", args: { n: 2 }, partialResult: { details: { half: true } } },
    { toolName: "leaf", result: { content: [] }, isError: false, durationMs: expect.any(Number) },
  ]);
  expect(log.find(({ toolCallId }) => toolCallId === "p")).not.toHaveProperty("parentToolCallId");
});

/** The record of a tool that makes these calls. */
async function recordOf(calls: readonly (readonly [name: string, args?: unknown])[]) {
  const { executor, pi } = await openDoor();
  pi.registerTool(piTool("leaf", () => "ran"));
  pi.registerTool(piCaller("top", calls));
  return (await executor.executeTool("top")).nestedCalls;
}

test("P39 to P42: arguments of 8,192 bytes are kept and of 8,193 are not, 32 KiB in all, 256 calls; complete says so", async () => {
  const kept = (call: NestedCallRecord) => call.arguments !== undefined;
  const each = await recordOf([
    ["leaf", argumentsOf(8192)],
    ["leaf", argumentsOf(8193)],
  ]);
  expect([each?.calls.map(kept), each?.calls[1]?.argumentsBytes, each?.complete]).toEqual([[true, false], 8193, false]);
  const all = await recordOf([...Array.from({ length: 4 }, () => ["leaf", argumentsOf(8192)] as const), ["leaf", {}]]);
  expect([all?.calls.map(kept), all?.complete]).toEqual([[true, true, true, true, false], false]);
  const many = await recordOf(Array.from({ length: 257 }, () => ["leaf"] as const));
  expect([many?.calls.length, many?.dropped, many?.complete]).toEqual([256, 1, false]);
  expect((await recordOf([["leaf"]]))?.complete).toBe(true);
});

test("P43, P44: usage of every depth is added to the caller's, once; a tool tells its own", async () => {
  const { executor, pi } = await openDoor();
  const withUsage = (name: string, input: number, calls: readonly (readonly [string])[]) => {
    const caller = piCaller(name, calls);
    pi.registerTool({
      ...caller,
      execute: async (...call) => ({ ...(await caller.execute(...call)), usage: used(input) }),
    });
  };
  withUsage("leaf", 100, []);
  withUsage("middle", 10, [["leaf"], ["leaf"]]);
  withUsage("top", 1, [["middle"]]);
  const { usage, result } = await executor.executeTool("top");
  expect([usage?.input, result.usage?.input]).toEqual([211, 1]);
});

test("P45, P46: executeTool resolves for every failure, with content and structuredContent on the outcome's result", async () => {
  const { executor, pi } = await openDoor();
  const outcomes: AgentToolCallOutcome[] = [];
  const parameters = { type: "object", properties: { n: { type: "integer" } } };
  pi.registerTool(
    piTool("leaf", () => ({ content: [], details: undefined, structuredContent: { n: 1 } }), { parameters }),
  );
  pi.registerTool(
    piTool("thrower", () => {
      throw new Error("thrown");
    }),
  );
  pi.on("tool_call", ({ input }) => (input.blocked === true ? { block: true, reason: "blocked" } : undefined));
  pi.registerTool(
    piTool("top", async (_params, ctx) => {
      const calls: readonly (readonly [string, unknown, object?])[] = [
        ["leaf", {}],
        ["nothing", {}],
        ["leaf", { n: "x" }],
        ["leaf", { blocked: true }],
        ["thrower", {}],
        ["leaf", {}, { signal: AbortSignal.abort() }],
      ];
      for (const [name, args, options] of calls) outcomes.push(await ctx.executeTool(name, args, options));
      return "ran";
    }),
  );
  expect(textOf(await executor.executeTool("top"))).toBe("ran");
  expect(outcomes.map(({ isError }) => isError)).toEqual([false, true, true, true, true, true]);
  expect(outcomes.map(({ result }) => result.structuredContent)).toEqual([{ n: 1 }, ...Array(5).fill(undefined)]);
  expect(outcomes.slice(3, 5).map(textOfPi)).toEqual(["blocked", "thrown"]);
});

test("a Pi tool's ctx knows its call: tools it can reach, folder, signal, and no person to ask", async () => {
  const { executor, pi } = await openDoor([], { cwd: "/some/folder" });
  const seen: Data = {};
  pi.registerTool(piTool("leaf", () => "ran", { exposure: "codemode", label: "Leaf" }));
  pi.registerTool(piTool("unreachable", () => "ran", { exposure: "model-only" }));
  pi.registerTool(
    piTool("top", async (_params, ctx, id) => {
      const { tools, hasUI, mode, cwd, signal } = ctx;
      Object.assign(seen, { tools, hasUI, mode, cwd, isSignal: signal instanceof AbortSignal, id });
      return String(await ctx.ui.confirm("Really?", "really"));
    }),
  );
  expect(textOf(await executor.executeTool("top", {}, { toolCallId: "T" }))).toBe("false");
  const tools = ["leaf", "top"].map((name) => expect.objectContaining({ name, parameters: expect.any(Object) }));
  expect(seen).toEqual({ tools, hasUI: false, mode: "print", cwd: "/some/folder", isSignal: true, id: "T" });
  expect(at(seen.tools as Data[], 0).label).toBe("Leaf");
});
