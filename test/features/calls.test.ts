// Rows of features.md about one call and its hooks: P21, P23, P24, P32 to P37, P45 to P47.
import {
  type ContentBlock,
  createExecutor,
  defineTool,
  type NestedCallOptions,
  type ToolCallOutcome,
  type ToolContext,
  Type,
} from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, expectTypeOf, test } from "vitest";
import {
  at,
  brief,
  caller,
  closed,
  type Data,
  endOf,
  eventsOf,
  textOf,
  tool,
  untilAborted,
} from "../helpers/engine.js";

const numbered = { inputSchema: closed({ n: Type.Integer() }) };

test("P21: a tool_call handler may block, or patch the arguments in place; later handlers see it", async () => {
  const seen: unknown[] = [];
  const executor = createExecutor({ tools: [tool("leaf", ({ n }) => `ran with ${String(n)}`, numbered)] });
  executor.on("tool_call", ({ input }) => void Object.assign(input as Data, { n: 2 }));
  executor.on("tool_call", ({ input }) => {
    seen.push(structuredClone(input));
    return (input as Data).n === 2 ? undefined : { block: true };
  });
  expect(textOf(await executor.executeTool("leaf", { n: 1 }))).toBe("ran with 2");
  executor.on("tool_call", () => ({ block: true, reason: "not today" }));
  const blocked = await executor.executeTool("leaf", { n: 1 });
  expect([endOf(blocked), textOf(blocked), seen]).toEqual(["BLOCKED", "not today", [{ n: 2 }, { n: 2 }]]);
});

test("P23: the model gets content, a program gets structuredContent as it was", async () => {
  const data = { exitCode: 1, failures: ["a", "b"] };
  const outcomes: ToolCallOutcome[] = [];
  const checks = defineTool({
    name: "checks",
    description: "Runs checks.",
    inputSchema: Type.Object({}),
    outputSchema: closed({ exitCode: Type.Integer(), failures: Type.Array(Type.String()) }),
    execute: () => ({ content: [{ type: "text", text: "two failures" }], structuredContent: data }),
  });
  const executor = createExecutor({ tools: [checks, caller("top", [["checks"]], outcomes)] });
  await executor.executeTool("top");
  expect(at(outcomes, 0).result.structuredContent).toEqual(data);
  expect(textOf(at(outcomes, 0))).toBe("two failures");
});

test("P24: a returned error keeps its data, a thrown one has none", async () => {
  const returned = {
    content: [{ type: "text", text: "no" }],
    details: { d: 1 },
    structuredContent: { s: 1 },
    isError: true,
  };
  const thrower = tool("thrower", () => {
    throw Object.assign(new Error("no"), { details: { d: 1 }, structuredContent: { s: 1 } });
  });
  const outcomes: ToolCallOutcome[] = [];
  const executor = createExecutor({
    tools: [tool("returner", () => returned), thrower, caller("top", [["returner"], ["thrower"]], outcomes)],
  });
  await executor.executeTool("top");
  expect(outcomes.map(endOf)).toEqual(["TOOL_FAILED", "TOOL_FAILED"]);
  expect(at(outcomes, 0).result).toEqual(returned);
  expect(at(outcomes, 1).result).toEqual({ content: [{ type: "text", text: "no" }], isError: true });
});

test("P32: ctx.executeTool takes name, arguments and options; its signal aborts the child only", async () => {
  expectTypeOf<ToolContext["executeTool"]>().toBeCallableWith("leaf", {}, {
    signal: new AbortController().signal,
    onUpdate: () => {},
  } satisfies NestedCallOptions);
  const [controller, started] = [new AbortController(), createGate()];
  const updates: unknown[] = [];
  const leaf = tool("leaf", (_args, ctx) => {
    ctx.onUpdate({ details: "half" });
    started.open();
    return untilAborted(ctx.signal);
  });
  const top = tool("top", async (_args, ctx) => {
    const options = { signal: controller.signal, onUpdate: (update: unknown) => void updates.push(update) };
    const call = ctx.executeTool("leaf", {}, options);
    await started.promise;
    controller.abort();
    const outcome = await call;
    return `${outcome.status}, ${ctx.signal.aborted}`;
  });
  const outcome = await createExecutor({ tools: [leaf, top] }).executeTool("top");
  expect([textOf(outcome), updates]).toEqual(["aborted, false", [{ details: "half" }]]);
});

test("P33: invalid nested arguments never reach execute, and the hooks see nested calls", async () => {
  const [ran, calls, results] = [[] as unknown[], [] as string[], [] as string[]];
  const leaf = tool("leaf", (args) => void ran.push(args), numbered);
  const executor = createExecutor({
    tools: [
      leaf,
      caller("top", [
        ["leaf", { n: "x" }],
        ["leaf", { n: 1 }],
      ]),
    ],
  });
  executor.on("tool_call", ({ toolCallId }) => void calls.push(toolCallId));
  executor.on("tool_result", ({ toolCallId }) => void results.push(toolCallId));
  await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(ran).toEqual([{ n: 1 }]);
  expect([calls, results]).toEqual([
    ["T", "T/2"],
    ["T/2", "T"],
  ]);
});

test("P34: start, update and end events of nested calls carry the id of their caller", async () => {
  const leaf = tool("leaf", (_args, ctx) => ctx.onUpdate({ details: 1 }));
  const executor = createExecutor({ tools: [leaf, caller("mid", [["leaf"]]), caller("top", [["mid"]])] });
  const events = eventsOf(executor);
  await executor.executeTool("top", {}, { toolCallId: "T" });
  const parents = events.map((event) => [
    event.type.replace("tool_execution_", ""),
    event.toolCallId,
    event.parentToolCallId,
  ]);
  expect(parents).toEqual([
    ["start", "T", undefined],
    ["start", "T/1", "T"],
    ["start", "T/1/1", "T/1"],
    ["update", "T/1/1", "T/1"],
    ["end", "T/1/1", "T/1"],
    ["end", "T/1", "T"],
    ["end", "T", undefined],
  ]);
});

test("P35: nested ids are <parent>/<n>, unique in parallel and per parent", async () => {
  const leaf = tool("leaf", (_args, ctx) => ctx.toolCallId);
  const fan = tool("fan", async (_args, ctx) => {
    const outcomes = await Promise.all([1, 2, 3].map(() => ctx.executeTool("leaf")));
    return { content: [], structuredContent: outcomes.map(textOf) };
  });
  const top = tool("top", async (_args, ctx) => {
    const outcomes = await Promise.all([1, 2].map(() => ctx.executeTool("fan")));
    return { content: [], structuredContent: outcomes.map(({ result }) => result.structuredContent) };
  });
  const { result } = await createExecutor({ tools: [leaf, fan, top] }).executeTool("top", {}, { toolCallId: "p" });
  expect(result.structuredContent).toEqual([
    ["p/1/1", "p/1/2", "p/1/3"],
    ["p/2/1", "p/2/2", "p/2/3"],
  ]);
});

test("P36: nested calls add no message to the transcript", async () => {
  const executor = createExecutor({ tools: [tool("leaf", () => "ran"), caller("top", [["leaf"], ["leaf"]])] });
  const { messages, outcomes } = await executor.executeBatch([{ id: "T", name: "top" }]);
  expect(messages.map(({ role, toolCallId, content }) => [role, toolCallId, content])).toEqual([
    ["toolResult", "T", []],
  ]);
  expect(outcomes).toHaveLength(1);
});

test("P37: a nested result reaches its caller, its own end event and the result hooks, and nobody else", async () => {
  const secret = "only for the caller";
  const outcomes: ToolCallOutcome[] = [];
  const executor = createExecutor({ tools: [tool("leaf", () => secret), caller("top", [["leaf"]], outcomes)] });
  const events = eventsOf(executor);
  const hooked: string[] = [];
  executor.on("tool_result", ({ toolCallId, result }) => {
    if (JSON.stringify(result).includes(secret)) hooked.push(toolCallId);
  });
  const batch = await executor.executeBatch([{ id: "T", name: "top" }]);
  expect(textOf(at(outcomes, 0))).toBe(secret);
  expect(JSON.stringify(batch)).not.toContain(secret);
  expect(brief(events.filter((event) => JSON.stringify(event).includes(secret)))).toEqual(["end T/1"]);
  expect(hooked).toEqual(["T/1"]);
});

test("P45: executeTool resolves for an unknown, wrong, blocked, failing or aborted call, with call, result and flag", async () => {
  const aborted = AbortSignal.abort();
  const outcomes: ToolCallOutcome[] = [];
  const thrower = tool("thrower", () => {
    throw new Error("no");
  });
  const top = tool("top", async (_args, ctx) => {
    outcomes.push(
      await ctx.executeTool("nothing_of_this_name"),
      await ctx.executeTool("leaf", { n: "x" }),
      await ctx.executeTool("blocked"),
      await ctx.executeTool("thrower"),
      await ctx.executeTool("leaf", { n: 1 }, { signal: aborted }),
      await ctx.executeTool("leaf", { n: 1 }),
    );
  });
  const executor = createExecutor({
    tools: [tool("leaf", () => "ran", numbered), tool("blocked", () => "ran"), thrower, top],
  });
  executor.on("tool_call", ({ toolName }) => ({ block: toolName === "blocked" }));
  expect(endOf(await executor.executeTool("top", {}, { toolCallId: "T" }))).toBe("ok");
  expect(outcomes.map(endOf)).toEqual(["UNKNOWN_TOOL", "INVALID_ARGUMENTS", "BLOCKED", "TOOL_FAILED", "ABORTED", "ok"]);
  for (const [index, { toolCall, result, isError, error }] of outcomes.entries()) {
    expect([toolCall.id, isError, result.isError === true]).toEqual([`T/${index + 1}`, index < 5, index < 5]);
    if (error !== undefined) expect(error.message).toBe(textOf({ result }));
  }
});

test("P46: content and structuredContent are on outcome.result, of the types that the tool declares", async () => {
  const counter = defineTool({
    name: "counter",
    description: "Counts.",
    inputSchema: Type.Object({}),
    outputSchema: Type.Object({ count: Type.Integer() }, { additionalProperties: false }),
    execute: () => ({ structuredContent: { count: 3 } }),
  });
  const top = tool("top", async (_args, ctx) => {
    const { result } = await ctx.executeTool(counter, {});
    expectTypeOf(result.structuredContent).toEqualTypeOf<{ count: number } | undefined>();
    expectTypeOf(result.content).toEqualTypeOf<readonly ContentBlock[]>();
    return { content: result.content, structuredContent: { doubled: (result.structuredContent?.count ?? 0) * 2 } };
  });
  const { result } = await createExecutor({ tools: [counter, top] }).executeTool("top");
  expect(result).toMatchObject({ content: [{ type: "text", text: '{"count":3}' }], structuredContent: { doubled: 6 } });
});

test("P47: the calls of an orchestrator pass the guard: it sees the parent, child 1 and child 2 in order", async () => {
  const spied: string[] = [];
  const executor = createExecutor({
    tools: [tool("one", () => "1"), tool("two", () => "2"), caller("parent", [["one"], ["two"]])],
  });
  executor.on("tool_call", ({ toolName, toolCallId }) => void spied.push(`${toolName} ${toolCallId}`));
  await executor.executeBatch([{ id: "T", name: "parent" }]);
  expect(spied).toEqual(["parent T", "one T/1", "two T/2"]);
});

test("P45: after close() every call is refused with CLOSED, those of a batch too", async () => {
  const ran: string[] = [];
  const executor = createExecutor({ tools: [tool("leaf", (_args, ctx) => void ran.push(ctx.toolCallId))] });
  await executor.close();
  const root = await executor.executeTool("leaf");
  const { outcomes, messages } = await executor.executeBatch([{ id: "a", name: "leaf" }]);
  expect([root, ...outcomes].map(endOf)).toEqual(["CLOSED", "CLOSED"]);
  expect([messages.length, ran]).toEqual([1, []]);
});

test("P45: the calls of a sequential batch that have not begun when the executor is closed do not run", async () => {
  const [started, ran] = [createGate(), [] as string[]];
  const stopping = tool("stopping", (_args, ctx) => {
    started.open();
    return untilAborted(ctx.signal);
  });
  const executor = createExecutor({
    tools: [stopping, tool("leaf", () => void ran.push("leaf"))],
    toolExecution: "sequential",
  });
  const batch = executor.executeBatch([
    { id: "a", name: "stopping" },
    { id: "b", name: "leaf" },
  ]);
  await started.promise;
  await executor.close();
  const { outcomes } = await batch;
  expect([outcomes.map(({ isError }) => isError), ran]).toEqual([[true, true], []]);
});
