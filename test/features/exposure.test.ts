// Rows of features.md about what is reachable: P1 to P8, P22, P52.
import { createExecutor, type Executor, type ToolCallOutcome, type ToolContext } from "nestcall";
import { expect, test } from "vitest";
import { at, brief, caller, type Data, endOf, eventsOf, tool } from "../helpers/engine.js";

const EXPOSURES = ["direct", "model-only", "codemode", "deferred", "hidden"] as const;

/** What can be done with the tool `x` right now. */
async function reachOf(executor: Executor): Promise<Data> {
  const nested: ToolCallOutcome[] = [];
  let visible: readonly string[] = [];
  const look = async (ctx: ToolContext) => {
    visible = ctx.tools.map(({ name }) => name);
    nested.push(await ctx.executeTool("x"));
  };
  executor.registry.register(tool("probe", (_args, ctx) => look(ctx), { exposure: "codemode" }));
  await executor.executeTool("probe");
  const { outcomes } = await executor.executeBatch([{ id: "m", name: "x" }]);
  return {
    declared: executor.registry.getActiveTools().includes("x"),
    model: endOf(at(outcomes, 0)),
    nested: endOf(at(nested, 0)),
    visible: visible.includes("x"),
  };
}

const CALLABLE = { nested: "ok", visible: true };
const UNREACHABLE = { nested: "UNKNOWN_TOOL", visible: false };
const DECLARED = { declared: true, model: "ok" };
const UNDECLARED = { declared: false, model: "UNKNOWN_TOOL" };

test.each([
  ["direct", { ...DECLARED, ...CALLABLE }, { ...UNDECLARED, ...UNREACHABLE }],
  ["model-only", { ...DECLARED, ...UNREACHABLE }, { ...UNDECLARED, ...UNREACHABLE }],
  ["codemode", { ...UNDECLARED, ...CALLABLE }, { ...UNDECLARED, ...CALLABLE }],
  ["deferred", { ...UNDECLARED, ...CALLABLE }, { ...UNDECLARED, ...CALLABLE }],
  ["hidden", { ...UNDECLARED, ...UNREACHABLE }, { ...UNDECLARED, ...UNREACHABLE }],
] as const)(
  "P1: a %s tool is declared and callable as its row says, at first and when inactive",
  async (exposure, atFirst, inactive) => {
    const executor = createExecutor({ tools: [tool("x", () => "ran", { exposure })] });
    expect(await reachOf(executor)).toEqual(atFirst);
    executor.registry.setActiveTools([]);
    expect(await reachOf(executor)).toEqual(inactive);
  },
);

test("P1: activation declares a codemode and a deferred tool, and never a hidden one", async () => {
  for (const exposure of EXPOSURES) {
    const executor = createExecutor({ tools: [tool("x", () => "ran", { exposure })] });
    executor.registry.setActiveTools(["x"]);
    expect([exposure, await reachOf(executor)]).toEqual([
      exposure,
      {
        ...(exposure === "hidden" ? UNDECLARED : DECLARED),
        ...(exposure === "hidden" || exposure === "model-only" ? UNREACHABLE : CALLABLE),
      },
    ]);
  }
});

test("P2: a script's calls and a tool's calls are one path: ids, hooks, events and record are the same", async () => {
  /** A runtime that turns `tools.x(args)` into a nested call. */
  const script = tool("script", async (_args, ctx) => {
    const tools = new Proxy({} as Record<string, (args: unknown) => Promise<ToolCallOutcome>>, {
      get: (_target, name) => (args: unknown) => ctx.executeTool(String(name), args),
    });
    await tools.leaf?.({ n: 1 });
  });
  const shapes: unknown[] = [];
  for (const top of [script, caller("script", [["leaf", { n: 1 }]])]) {
    const executor = createExecutor({ tools: [tool("leaf", () => "ran", { exposure: "codemode" }), top] });
    const hooked: string[] = [];
    executor.on("tool_call", ({ toolCallId, source }) => void hooked.push(`${toolCallId} ${source}`));
    const events = eventsOf(executor);
    const { nestedCalls } = await executor.executeTool("script", {}, { toolCallId: "T" });
    const calls = nestedCalls?.calls.map(({ durationMs: _, ...call }) => call);
    shapes.push({ calls, hooked, events: brief(events) });
  }
  expect(shapes[0]).toEqual(shapes[1]);
  expect(shapes[0]).toMatchObject({ hooked: ["T model", "T/1 tool"] });
});

test("P3: that a tool exists, is active, is declared and was called are four things", async () => {
  const executor = createExecutor({
    tools: [
      tool("deferred_one", () => "ran", { exposure: "deferred" }),
      tool("idle", () => "ran"),
      caller("top", [["deferred_one"]]),
    ],
  });
  const called: string[] = [];
  executor.on("tool_execution_start", ({ toolName }) => void called.push(toolName));
  await executor.executeBatch([{ id: "T", name: "top" }]);
  const { registry } = executor;
  expect(registry.getAllTools().map(({ name }) => name)).toEqual(["deferred_one", "idle", "top"]);
  expect(registry.getActiveTools()).toEqual(["idle", "top"]);
  expect(called).toEqual(["top", "deferred_one"]);
});

test("P4: registering activates direct and model-only tools, and no others", () => {
  const { registry } = createExecutor({
    tools: EXPOSURES.map((exposure) => tool(exposure.replace("-", "_"), () => {}, { exposure })),
  });
  expect(registry.getActiveTools()).toEqual(["direct", "model_only"]);
  registry.register(
    tool("late", () => {}),
    { defaultActive: false },
  );
  expect(registry.getActiveTools()).toEqual(["direct", "model_only"]);
});

test("P5: the active set is what the model's calls can reach", async () => {
  const tools = ["a", "b", "c"].map((name) => tool(name, () => "ran"));
  const executor = createExecutor({ tools });
  executor.registry.setActiveTools(["c", "a"]);
  const { outcomes } = await executor.executeBatch(["a", "b", "c"].map((name) => ({ id: name, name })));
  const reached = outcomes.filter(({ isError }) => !isError).map(({ toolCall }) => toolCall.name);
  expect(reached).toEqual(executor.registry.getActiveTools());
});

test("P6: a tool cannot be unregistered; registered again as hidden it is out of reach", async () => {
  const executor = createExecutor({ tools: [tool("x", () => "ran")] });
  expect(executor.registry).not.toHaveProperty("unregister");
  executor.registry.register(tool("x", () => "ran", { exposure: "hidden" }));
  expect(await reachOf(executor)).toEqual({ ...UNDECLARED, ...UNREACHABLE });
  expect(endOf(await executor.executeTool("x"))).toBe("UNKNOWN_TOOL");
  expect(executor.registry.get("x")?.exposure).toBe("hidden");
});

test("P7: a codemode tool is useful to tools without being declared", async () => {
  const executor = createExecutor({ tools: [tool("x", () => "ran", { exposure: "codemode" })] });
  expect(await reachOf(executor)).toEqual({ ...UNDECLARED, ...CALLABLE });
});

test("P8: a deferred tool is callable by tools before and after it is activated", async () => {
  const executor = createExecutor({ tools: [tool("x", () => "ran", { exposure: "deferred" })] });
  expect(await reachOf(executor)).toEqual({ ...UNDECLARED, ...CALLABLE });
  executor.registry.setActiveTools(["x"]);
  expect(await reachOf(executor)).toEqual({ ...DECLARED, ...CALLABLE });
});

test("P22: a tool's hints are found by its name in the listing", () => {
  const { registry } = createExecutor({ tools: [tool("x", () => {}, { annotations: { readOnlyHint: true } })] });
  const info = registry.getAllTools().find(({ name }) => name === "x");
  expect(info?.annotations).toEqual({ readOnlyHint: true });
});

test("P52: a namespace has a name, a description and instructions, and comes back whole", () => {
  const namespace = { name: "review", description: "Reviews.", instructions: "Run the checks first." };
  const { registry } = createExecutor({
    tools: [
      tool("a", () => {}, { namespace }),
      tool("b", () => {}, { namespace: { name: "review" } }),
      tool("c", () => {}),
    ],
  });
  expect(registry.getAllTools().map((info) => info.namespace)).toEqual([namespace, { name: "review" }, undefined]);
  expect(registry.describeNamespace("review")).toEqual({ ...namespace, tools: ["a", "b"] });
  expect(registry.describeNamespace("other")).toBeUndefined();
});
