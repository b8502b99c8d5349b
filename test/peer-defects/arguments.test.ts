// The faults of the nearest peer that are about arguments and names: D1, D4, D17 to D20, D23, D25.
import { createExecutor, type ToolCallOutcome, Type } from "nestcall";
import { expect, test, vi } from "vitest";
import { at, brief, caller, closed, type Data, endOf, eventsOf, textOf, tool } from "../helpers/engine.js";
import { uncaughtDuring } from "../helpers/process.js";

function cycle(): object {
  const own: { self?: unknown } = {};
  own.self = own;
  return own;
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { deeper: value };
  return value;
}

const throwingGetter = {
  get secret(): never {
    throw new Error("no peeking");
  },
};
const throwingToJson = {
  toJSON() {
    throw new Error("no form");
  },
};

const UNREADABLE: readonly (readonly [string, unknown])[] = [
  ["a cycle", cycle()],
  ["a BigInt", { n: 1n }],
  ["a BigInt itself", 1n],
  ["a throwing getter", throwingGetter],
  ["a throwing toJSON", throwingToJson],
  ["a toJSON that gives nothing", { toJSON: () => undefined }],
  ["a function", () => "x"],
  ["a function inside", { run: () => "x" }],
  ["a symbol", Symbol("s")],
  ["a symbol inside", { s: Symbol("s") }],
  ["10,000 levels", nested(10_000)],
  ["1,001 levels", nested(1001)],
];

test.each(UNREADABLE)("D1: arguments with %s are an outcome with events and a record", async (_what, args) => {
  const ran: unknown[] = [];
  const outcomes: ToolCallOutcome[] = [];
  const leaf = tool("leaf", (given) => void ran.push(given));
  const executor = createExecutor({
    tools: [
      leaf,
      caller(
        "top",
        [
          ["leaf", args],
          ["leaf", { n: 2 }],
        ],
        outcomes,
      ),
    ],
  });
  const events = eventsOf(executor);
  const top = await executor.executeTool("top", {}, { toolCallId: "T" });

  expect(outcomes.map(({ toolCall }) => toolCall.id)).toEqual(["T/1", "T/2"]);
  expect(outcomes.map(endOf)).toEqual(["INVALID_ARGUMENTS", "ok"]);
  expect(ran).toEqual([{ n: 2 }]);
  expect(brief(events)).toEqual(["start T", "start T/1", "end T/1", "start T/2", "end T/2", "end T"]);
  expect(top.nestedCalls).toMatchObject({ complete: false, calls: [{ id: "T/1", status: "error" }, { id: "T/2" }] });
  expect(at(top.nestedCalls?.calls, 0)).not.toHaveProperty("arguments");
  expect(JSON.parse(JSON.stringify(top.nestedCalls))).toEqual(top.nestedCalls);
});

test("D1: 1,000 levels are taken", async () => {
  const got: unknown[] = [];
  const executor = createExecutor({
    tools: [tool("leaf", (args) => void got.push(args)), caller("top", [["leaf", nested(1000)]])],
  });
  expect(endOf(await executor.executeTool("top"))).toBe("ok");
  expect(got).toEqual([nested(1000)]);
});

test("D1: arguments that are refused below 257 calls are refused above, and an un-awaited call harms nothing", async () => {
  const ran: unknown[] = [];
  let late: ToolCallOutcome | undefined;
  const leaf = tool("leaf", (args) => void ran.push(args));
  const top = tool("top", async (_args, ctx) => {
    for (let count = 0; count < 256; count += 1) await ctx.executeTool("leaf");
    late = await ctx.executeTool("leaf", cycle());
    void ctx.executeTool("leaf", { n: 1n });
  });
  const executor = createExecutor({ tools: [leaf, top] });
  expect(await uncaughtDuring(() => executor.executeTool("top"))).toEqual([]);
  expect([late?.toolCall.id.endsWith("/257"), late?.error?.code, ran.length]).toEqual([true, "INVALID_ARGUMENTS", 256]);
});

test.each([
  ["a cycle", cycle()],
  ["a BigInt", 5n],
  ["a symbol", Symbol("name")],
  ["nothing", undefined],
  ["a number", 7],
])(
  "D4: a tool name that is %s is an error outcome, and everything that is kept has a JSON form",
  async (_what, name) => {
    const outcomes: ToolCallOutcome[] = [];
    const executor = createExecutor({ tools: [caller("top", [[name, {}]], outcomes)] });
    const events = eventsOf(executor);
    const { messages } = await executor.executeBatch([
      { id: "a", name: "top" },
      { id: "b", name: name as unknown as string },
    ]);
    expect(outcomes.map(endOf)).toEqual(["UNKNOWN_TOOL"]);
    expect(messages.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(typeof at(at(messages, 0).nestedCalls?.calls, 0).name).toBe("string");
    expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
    expect(events.every(({ toolName }) => typeof toolName === "string")).toBe(true);
  },
);

const counted = { inputSchema: closed({ n: Type.Integer() }) };

test("D17: a hook's patch is checked against the schema before the tool runs", async () => {
  const ran: unknown[] = [];
  const executor = createExecutor({
    tools: [tool("leaf", (args) => void ran.push(args), counted), caller("top", [["leaf", { n: 1 }]])],
  });
  executor.on("tool_call", ({ toolName }) => (toolName === "leaf" ? { input: { n: "text", more: 1 } } : undefined));
  const { nestedCalls } = await executor.executeTool("top");
  expect(ran).toEqual([]);
  // A refused call keeps the snapshot (H2).
  expect(nestedCalls?.calls).toMatchObject([{ arguments: { n: 1 }, status: "error", code: "INVALID_ARGUMENTS" }]);
});

test("D17: a secret that a hook takes out of the arguments is not recorded", async () => {
  const executor = createExecutor({
    tools: [tool("leaf", ({ key }) => String(key)), caller("top", [["leaf", { key: "hunter2" }]])],
  });
  executor.on("tool_call", ({ toolName, input }) => {
    if (toolName === "leaf") (input as Data).key = "***";
  });
  const top = await executor.executeTool("top");
  expect(at(top.nestedCalls?.calls, 0).arguments).toEqual({ key: "***" });
  expect(JSON.stringify(top)).not.toContain("hunter2");
});

test.each([
  ["assigned", (event: { input: unknown }) => void Object.assign(event, { input: { n: 55 } })],
  ["changed in place", (event: { input: unknown }) => void Object.assign(event.input as Data, { n: 55 })],
  ["returned", () => ({ input: { n: 55 } })],
])("D18: arguments that a hook has %s are those that run", async (_how, hook) => {
  const executor = createExecutor({ tools: [tool("leaf", ({ n }) => String(n), counted)] });
  executor.on("tool_call", hook);
  const outcome = await executor.executeTool("leaf", { n: 1 });
  expect([textOf(outcome), outcome.toolCall.arguments]).toEqual(["55", { n: 55 }]);
});

test("D19: what the caller, a listener or the tool does to the arguments is seen by nobody else", async () => {
  const args = { list: [1] };
  const seen: unknown[] = [];
  const leaf = tool("leaf", (given) => {
    seen.push(structuredClone(given));
    (given.list as number[]).push(3);
  });
  let started: unknown;
  const top = tool("top", async (_args, ctx) => {
    const call = ctx.executeTool("leaf", args);
    args.list.push(2);
    const outcome = await call;
    seen.push(outcome.toolCall.arguments);
  });
  const executor = createExecutor({ tools: [leaf, top] });
  executor.on("observer_error", () => {}); // the listener's write into frozen arguments throws
  executor.on("tool_execution_start", (event) => {
    if (event.toolName !== "leaf") return;
    started = event.arguments;
    (event.arguments as { list: number[] }).list.push(99);
  });
  const { nestedCalls } = await executor.executeTool("top");
  expect(args).toEqual({ list: [1, 2] });
  expect(seen).toEqual([{ list: [1] }, { list: [1] }]);
  expect([started, nestedCalls?.calls[0]?.arguments]).toEqual([{ list: [1] }, { list: [1] }]);
});

test.each([5, "str", [1, 2], false])(
  "D20: arguments %j are refused by an object schema, and recorded as they came",
  async (args) => {
    const outcomes: ToolCallOutcome[] = [];
    const executor = createExecutor({ tools: [tool("leaf", () => "ran"), caller("top", [["leaf", args]], outcomes)] });
    const { nestedCalls } = await executor.executeTool("top");
    expect(outcomes.map(endOf)).toEqual(["INVALID_ARGUMENTS"]);
    expect(at(nestedCalls?.calls, 0)).toMatchObject({ arguments: args, status: "error" });
  },
);

test("D23: 1.5 never becomes 1", async () => {
  const ran: unknown[] = [];
  const executor = createExecutor({ tools: [tool("leaf", ({ n }) => void ran.push(n), counted)] });
  const ends = [];
  for (const n of [1.5, "1.5", "42"]) ends.push(endOf(await executor.executeTool("leaf", { n })));
  expect(ends).toEqual(["INVALID_ARGUMENTS", "INVALID_ARGUMENTS", "ok"]);
  expect(ran).toEqual([42]);
});

test("D25: oversized arguments are measured without building their text, and no error echoes them", async () => {
  const big = "é".repeat(1_000_000);
  const outcomes: ToolCallOutcome[] = [];
  const more = { inputSchema: closed({ text: Type.String(), n: Type.Optional(Type.Integer()) }) };
  const calls = [
    ["leaf", { text: big }],
    ["leaf", { text: big, n: "no" }],
  ] as const;
  const executor = createExecutor({
    tools: [tool("leaf", ({ text }) => String((text as string).length), more), caller("top", calls, outcomes)],
  });
  const stringify = vi.spyOn(JSON, "stringify");
  const { nestedCalls } = await executor.executeTool("top");
  const built = stringify.mock.results.filter(({ value }) => typeof value === "string" && value.length > 100_000);
  stringify.mockRestore();

  expect(built).toEqual([]);
  expect(nestedCalls?.complete).toBe(false);
  expect(nestedCalls?.calls.map((call) => [call.arguments, call.argumentsBytes])).toEqual([
    [undefined, Buffer.byteLength(JSON.stringify({ text: big }))],
    [undefined, Buffer.byteLength(JSON.stringify({ text: big, n: "no" }))],
  ]);
  expect(textOf(at(outcomes, 0))).toBe("1000000");
  expect(endOf(at(outcomes, 1))).toBe("INVALID_ARGUMENTS");
  expect(textOf(at(outcomes, 1)).length).toBeLessThan(4096);
});
