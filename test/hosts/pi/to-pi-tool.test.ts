// Our tools inside Pi, whose part is played by an object here; real-pi/ has the real one. Rows A5, A7, A8 and A29's side of Pi.
import {
  createExecutor,
  defineTool,
  type Tool,
  type ToolCallOutcome,
  type ToolContext,
  Type,
  withFileMutationQueue,
} from "nestcall";
import { type AgentToolResult, type ExecuteToolOptions, type ExtensionToolContext, toPiTool } from "nestcall/pi";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import * as z from "zod";
import { at, closed, type Data, textOf, tool, untilAborted } from "../../helpers/engine.js";
import { textOfPi } from "./door.js";

interface Asked {
  readonly name: string;
  readonly args: unknown;
  readonly options: ExecuteToolOptions | undefined;
}

/** Pi's `ctx`: numbers calls as Pi does, and answers with what `answer` gives. */
function piContext(answer: (asked: Asked) => unknown = () => "done", id = "c") {
  const asked: Asked[] = [];
  const executeTool: ExtensionToolContext["executeTool"] = async (name, args, options) => {
    const call = { name, args, options };
    asked.push(call);
    const number = asked.length;
    const given = await answer(call);
    const result =
      typeof given === "string"
        ? { content: [{ type: "text" as const, text: given }], details: {} }
        : (given as AgentToolResult);
    const toolCall = {
      type: "toolCall" as const,
      id: `${id}/${number}`,
      name,
      arguments: args as Record<string, unknown>,
    };
    return { toolCall, result, isError: result.isError === true, durationMs: 7 };
  };
  const tools = [{ name: "leaf", label: "Leaf", description: "A leaf.", parameters: { type: "object" } }];
  const ctx = {
    cwd: process.cwd(),
    hasUI: false,
    mode: "print",
    tools,
    executeTool,
  } as unknown as ExtensionToolContext;
  return { asked, ctx };
}

/** Runs a tool as Pi does. */
function runInPi(
  given: Tool,
  ctx?: ExtensionToolContext,
  more: { args?: unknown; signal?: AbortSignal; onUpdate?: (partial: AgentToolResult) => void } = {},
) {
  return toPiTool(given).execute("c", (more.args ?? {}) as never, more.signal, more.onUpdate, ctx as never);
}

test("A5, A7, A8: title is Pi's label, snippet and guidelines are its promptSnippet and promptGuidelines", () => {
  const guidelines = ["Use full when all is wanted."];
  const full = { title: "Full", snippet: "All of it", guidelines, exposure: "deferred", executionMode: "sequential" };
  const namespace = { name: "n", description: "d", instructions: "i" };
  const annotations = { title: "Other", readOnlyHint: true, openWorldHint: false };
  const { execute: _, ...made } = toPiTool(tool("full", () => "ran", { ...full, namespace, annotations }));
  expect(made).toEqual({
    name: "full",
    label: "Full",
    description: "The test tool full.",
    promptSnippet: "All of it",
    promptGuidelines: guidelines,
    parameters: Type.Object({}),
    annotations: { readOnlyHint: true, openWorldHint: false },
    exposure: "deferred",
    executionMode: "sequential",
    namespace,
  });
  const { execute: __, ...bare } = toPiTool(tool("bare", () => "ran"));
  expect(bare).toMatchObject({ label: "bare", exposure: "direct" });
  expect(bare).not.toHaveProperty("promptSnippet");
  expect(bare).not.toHaveProperty("promptGuidelines");
});

test("A29: Pi gets the JSON Schema of a Standard Schema, and the tool gets what the library makes of the arguments", async () => {
  const parameters = z.object({ when: z.string().transform((text) => text.length) });
  const made = defineTool({
    name: "z",
    description: "A tool.",
    inputSchema: parameters,
    execute: ({ when }) => ({ structuredContent: { when }, content: [] }),
  }) as unknown as Tool;
  expect(toPiTool(made).parameters).toMatchObject({ type: "object", properties: { when: { type: "string" } } });
  const { ctx } = piContext();
  expect(await runInPi(made, ctx, { args: { when: "four" } })).toMatchObject({ structuredContent: { when: 4 } });
});

test("nested calls go to Pi: by name or by tool, with Pi's ids, durations and results, at once", async () => {
  const { asked, ctx } = piContext(({ name }) => `${name} done`);
  const leaf = tool("leaf", () => "never run here");
  const outcomes: ToolCallOutcome[] = [];
  const top = tool("top", async (_args, own) => {
    outcomes.push(...(await Promise.all([own.executeTool("leaf", { n: 1 }), own.executeTool(leaf, { n: 2 })])));
    return outcomes.map(textOf).join(", ");
  });
  const result = await runInPi(top, ctx);
  expect(textOfPi({ result })).toBe("leaf done, leaf done");
  expect(asked.map(({ name, args }) => [name, args])).toEqual([
    ["leaf", { n: 1 }],
    ["leaf", { n: 2 }],
  ]);
  expect(outcomes.map(({ toolCall, status, durationMs }) => [toolCall, status, durationMs])).toEqual([
    [{ id: "c/1", name: "leaf", arguments: { n: 1 } }, "ok", 7],
    [{ id: "c/2", name: "leaf", arguments: { n: 2 } }, "ok", 7],
  ]);
});

test("a tool that calls itself goes through Pi as well", async () => {
  const { asked, ctx } = piContext();
  const again = tool("again", async (_args, own) => textOf(await own.executeTool("again", {})));
  expect(textOfPi({ result: await runInPi(again, ctx) })).toBe("done");
  expect(asked.map(({ name }) => name)).toEqual(["again"]);
});

test("100 calls at once are numbered by Pi as they were made", async () => {
  const { asked, ctx } = piContext(
    ({ args }) => new Promise((resolve) => setImmediate(resolve, String((args as Data).n))),
  );
  const ids: string[] = [];
  const top = tool("top", async (_args, own) => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, n) => own.executeTool("leaf", { n })));
    ids.push(...outcomes.map(({ toolCall }) => toolCall.id));
  });
  await runInPi(top, ctx);
  expect(ids).toEqual(Array.from({ length: 100 }, (_, n) => `c/${n + 1}`));
  expect(asked.map(({ args }) => (args as Data).n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test("what Pi refuses or fails at is an outcome with Pi's text; a Pi that rejects is one too", async () => {
  const { ctx } = piContext(({ name }) => {
    if (name === "broken") throw new Error("Pi is broken");
    return {
      content: [{ type: "text", text: `${name} was refused` }],
      details: {},
      isError: true,
      structuredContent: { why: 1 },
    };
  });
  const outcomes: ToolCallOutcome[] = [];
  const top = tool("top", async (_args, own) => {
    for (const name of ["blocked", "broken", "no such name"]) outcomes.push(await own.executeTool(name, {}));
  });
  await runInPi(top, ctx);
  expect(outcomes.map(({ isError, error, result }) => [isError, error, result.structuredContent])).toEqual([
    [true, { code: "TOOL_FAILED", message: "blocked was refused" }, { why: 1 }],
    [true, { code: "TOOL_FAILED", message: "Pi is broken" }, undefined],
    [true, { code: "TOOL_FAILED", message: "no such name was refused" }, { why: 1 }],
  ]);
});

test("Pi checks whatever arguments a call has; what JSON cannot hold never comes to it", async () => {
  const { asked, ctx } = piContext();
  const circle: Data = {};
  circle.self = circle;
  const ends: string[] = [];
  const top = tool("top", async (_args, own) => {
    for (const args of [5, "text", null, undefined, [1], circle]) {
      ends.push((await own.executeTool("leaf", args)).error?.code ?? "ok");
    }
  });
  await runInPi(top, ctx);
  expect(ends).toEqual(["ok", "ok", "ok", "ok", "ok", "INVALID_ARGUMENTS"]);
  expect(asked.map(({ args }) => args)).toEqual([5, "text", {}, {}, [1]]);
});

test("a child in Pi hears of its own signal, of its time limit and of its caller's abort; its progress comes back", async () => {
  const updates: unknown[] = [];
  const { asked, ctx } = piContext(async ({ options }) => {
    options?.onUpdate?.({ content: [{ type: "text", text: "half" }], details: { d: 1 } });
    await untilAborted(options?.signal as AbortSignal);
  });
  const controller = new AbortController();
  const stop = new AbortController();
  const statuses: string[] = [];
  const top = tool("top", async (_args, own) => {
    const onUpdate = (partial: unknown) => {
      updates.push(partial);
      controller.abort();
    };
    statuses.push((await own.executeTool("a", {}, { signal: controller.signal, onUpdate })).status);
    statuses.push((await own.executeTool("b", {}, { timeoutMs: 5 })).error?.code ?? "ok");
    const last = own.executeTool("c", {});
    stop.abort();
    statuses.push((await last).status);
  });
  const result = await runInPi(top, ctx, { signal: stop.signal });
  expect(statuses).toEqual(["aborted", "TIMEOUT", "aborted"]);
  expect(updates).toEqual([{ content: [{ type: "text", text: "half" }], details: { d: 1 } }]);
  expect(asked.every(({ options }) => options?.signal?.aborted)).toBe(true);
  expect(result.isError).toBe(true);
});

test("calls that a tool left open are ended before its result is given, which Pi does not see to", async () => {
  let signal: AbortSignal | undefined;
  const { ctx } = piContext(async ({ options }) => {
    signal = options?.signal;
    await untilAborted(options?.signal as AbortSignal);
  });
  const top = tool("top", async (_args, own) => {
    void own.executeTool("leaf", {});
    await new Promise((resolve) => setImmediate(resolve));
    return "ran";
  });
  expect(textOfPi({ result: await runInPi(top, ctx) })).toBe("ran");
  expect(signal?.aborted).toBe(true);
});

test("inside Pi a tool keeps its own check, time limit and output schema", async () => {
  const { ctx } = piContext();
  const inputSchema = closed({ n: Type.Integer() });
  const run = async (made: Tool, args: unknown) => textOfPi({ result: await runInPi(made, ctx, { args }) });
  expect(
    await run(
      tool("checked", () => "ran", { inputSchema }),
      { n: 1.5 },
    ),
  ).toMatch(/"checked".*\n.*n/);
  const slow = tool("slow", (_args, own) => untilAborted(own.signal), { timeoutMs: 5 });
  expect(await run(slow, {})).toMatch(/"slow".*5 ms/);
  const outputSchema = closed({ n: Type.Integer() });
  expect(
    await run(
      tool("liar", () => ({ structuredContent: { n: "x" } }), { outputSchema }),
      {},
    ),
  ).toMatch(/output schema/);
});

test("inside Pi a tool's declared files are leased, relative to Pi's folder", async () => {
  const { ctx } = piContext();
  Object.assign(ctx, { cwd: "/tmp" });
  const log: string[] = [];
  const writer = tool("writer", () => void log.push("tool"), { mutates: () => "nestcall-pi-lease.txt" });
  const held = createGate();
  const holder = withFileMutationQueue("/tmp/nestcall-pi-lease.txt", () => held.promise);
  const run = runInPi(writer, ctx);
  await withFileMutationQueue("/tmp/nestcall-pi-other.txt", () => {}); // asked last, free to run
  log.push("holder");
  held.open();
  await Promise.all([holder, run]);
  expect(log).toEqual(["holder", "tool"]);
});

test("a tool finds what Pi has: the tools it can call, and Pi's own ctx as its host", async () => {
  const { ctx } = piContext();
  const seen: Data = {};
  const top = tool("top", (_args, { tools, host, depth, toolCallId }: ToolContext) => {
    Object.assign(seen, { tools, isPi: (host as unknown) === ctx, depth, toolCallId });
  });
  await runInPi(top, ctx);
  const leaf = { name: "leaf", title: "Leaf", description: "A leaf.", inputSchema: { type: "object" } };
  expect(seen).toEqual({
    tools: [{ ...leaf, annotations: {}, exposure: "direct" }],
    isPi: true,
    depth: 0,
    toolCallId: "c",
  });
});

test("results are Pi's: texts for what it cannot show, details on every one, usage in its fields", async () => {
  const { ctx } = piContext();
  const content = [
    { type: "text", text: "t" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", text: "inside" } },
    { type: "resource", resource: { uri: "file:///b", blob: "aGk=" } },
    { type: "resource_link", uri: "file:///c", name: "c" },
  ];
  const updates: AgentToolResult[] = [];
  const full = tool("full", (_args, own) => {
    own.onUpdate({ details: { half: true } });
    return { content, usage: { input: 2, cost: 3, custom: 4 }, terminate: true, details: { secret: 1 } };
  });
  const result = await runInPi(full, ctx, { onUpdate: (partial) => void updates.push(partial) });
  expect(result).toEqual({
    content: [
      content[0],
      content[1],
      { type: "text", text: "[audio, audio/wav: it cannot be shown here]" },
      { type: "text", text: "inside" },
      { type: "text", text: "[resource file:///b, of an unknown type: it cannot be shown here]" },
      { type: "text", text: "[c: file:///c]" },
    ],
    details: { secret: 1 },
    usage: {
      input: 2,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 3 },
    },
    terminate: true,
  });
  expect(updates).toEqual([{ content: [], details: { half: true } }]);
  expect(
    await runInPi(
      tool("bare", () => "ran", {}),
      ctx,
    ),
  ).toHaveProperty("details", undefined);
});

test("details that JSON cannot hold do not end Pi's session; structured content that it cannot hold is an error", async () => {
  const { ctx } = piContext();
  const odd = tool("odd", () => ({ content: [], details: { n: 1n } }));
  expect((await runInPi(odd, ctx)).details).toEqual({ problem: expect.stringContaining("BigInt") });
  const worse = tool("worse", () => ({ content: [], structuredContent: { n: 1n } }));
  await expect(runInPi(worse, ctx)).rejects.toThrow(/structuredContent has no JSON form/);
});

test("old argument shapes are prepared before Pi's check", () => {
  const prepareArguments = (raw: unknown) => ({ path: (raw as Data).file ?? (raw as Data).path });
  const made = toPiTool(tool("old", () => "ran", { prepareArguments }));
  expect(made.prepareArguments?.({ file: "a" })).toEqual({ path: "a" });
});

test("where Pi has no executeTool the calls go through our executor: its guards, its record, the usage of all", async () => {
  const executor = createExecutor({
    tools: [
      tool("leaf", () => ({ content: [], usage: { input: 10 } })),
      tool("top", async (_args, own) => {
        const outcomes = [await own.executeTool("leaf"), await own.executeTool("leaf", { n: 2 })];
        return { content: [{ type: "text", text: outcomes.map(({ status }) => status).join() }], usage: { input: 1 } };
      }),
    ],
  });
  executor.on("tool_call", ({ input }) => ((input as Data).n === 2 ? { block: true, reason: "no" } : undefined));
  const top = executor.registry.get("top") as Tool;
  const made = toPiTool(top, { executor });
  for (const ctx of [undefined, {}, { cwd: "/tmp" }]) {
    const result = await made.execute("old_pi", {} as never, undefined, undefined, ctx as never);
    expect(textOfPi({ result })).toBe("ok,error");
    expect(result.usage?.input).toBe(11);
    const calls = (result as { nestedCalls?: { calls: Data[] } }).nestedCalls?.calls ?? [];
    expect(calls.map(({ id, status }) => `${id} ${status}`)).toEqual(["old_pi/1 ok", "old_pi/2 error"]);
  }
});

test("without an executor and without executeTool the tool runs, and can call nothing", async () => {
  const top = tool("top", async (_args, own) => textOf(await own.executeTool("leaf")));
  expect(textOfPi({ result: await runInPi(top) })).toContain('There is no tool "leaf"');
  const failing = tool("failing", () => {
    throw new Error("thrown");
  });
  const result = await runInPi(failing);
  expect([result.isError, textOfPi({ result })]).toEqual([true, "thrown"]);
  expect(at(result.content, 0)).toEqual({ type: "text", text: "thrown" });
});
