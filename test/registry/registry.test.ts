import {
  createExecutor,
  defineTool,
  type Registry,
  type ToolCallOutcome,
  type ToolContext,
  type ToolInfo,
  Type,
} from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { at, caller, closed, type Data, endOf, textOf, tool } from "../helpers/engine.js";

const named = (name: string, more: Data = {}, answer = "ran") => tool(name, () => answer, more);
const namesOf = (tools: readonly ToolInfo[]) => tools.map(({ name }) => name);

test("4.4: what is registered is listed in the order of registration, hidden tools too", () => {
  const { registry } = createExecutor({ tools: [named("b"), named("a", { exposure: "hidden" })] });
  registry.register(named("c"));
  registry.register(named("b", { title: "again" })); // keeps its place
  expect(namesOf(registry.getAllTools())).toEqual(["b", "a", "c"]);
  expect(registry.getAllTools()[0]?.title).toBe("again");
});

test("4.4: an info has name, title, description, schemas, annotations, exposure and namespace, and no code", () => {
  const inputSchema = closed({ n: Type.Integer() });
  const outputSchema = closed({ s: Type.String() });
  const namespace = { name: "ns" };
  const fields = {
    title: "T",
    inputSchema,
    outputSchema,
    effect: "read",
    exposure: "codemode",
    namespace,
    timeoutMs: 5,
  };
  const { registry } = createExecutor({ tools: [named("full", fields), named("plain")] });
  const [full, plain] = registry.getAllTools();
  expect(full).toEqual({
    name: "full",
    title: "T",
    description: "The test tool full.",
    inputSchema,
    outputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    exposure: "codemode",
    namespace,
  });
  expect(Object.keys(plain ?? {}).sort()).toEqual(["annotations", "description", "exposure", "inputSchema", "name"]);
});

test("4.4: the schemas of an info are JSON Schema, whatever the tool's own are", () => {
  const zodTool = defineTool({
    name: "zod_tool",
    description: "Takes a zod schema.",
    inputSchema: z.object({ n: z.number() }),
    outputSchema: z.object({ s: z.string() }),
    execute: () => ({ structuredContent: { s: "x" } }),
  });
  const [info] = createExecutor({ tools: [zodTool] }).registry.getAllTools();
  expect(info?.inputSchema).toMatchObject({ type: "object", properties: { n: { type: "number" } } });
  expect(info?.outputSchema).toMatchObject({ type: "object", properties: { s: { type: "string" } } });
});

test("4.4: register takes a plain definition too, and refuses a bad one without losing the old tool", async () => {
  const executor = createExecutor({ tools: [named("a")] });
  const { registry } = executor;
  registry.register({ name: "b", description: "B.", inputSchema: Type.Object({}), execute: () => "plain" });
  expect(textOf(await executor.executeTool("b"))).toBe("plain");
  expect(() => registry.register({ name: "a", description: "" } as never)).toThrow(/"a".*description/);
  expect(textOf(await executor.executeTool("a"))).toBe("ran");
});

test("4.4: direct and model-only tools become active unless defaultActive is false", () => {
  const { registry } = createExecutor();
  for (const exposure of ["direct", "model-only", "codemode", "deferred", "hidden"]) {
    registry.register(named(exposure.replace("-", "_"), { exposure }));
    registry.register(named(`${exposure.replace("-", "_")}_off`, { exposure }), { defaultActive: false });
  }
  expect(registry.getActiveTools()).toEqual(["direct", "model_only"]);
});

test("4.4: a tool registered again as hidden leaves the active set, and comes back with another exposure", () => {
  const { registry } = createExecutor({ tools: [named("a")] });
  registry.register(named("a", { exposure: "hidden" }));
  expect(registry.getActiveTools()).toEqual([]);
  registry.register(named("a"));
  expect(registry.getActiveTools()).toEqual(["a"]);
});

test("4.4: setActiveTools makes exactly these active, and ignores unknown and hidden names", () => {
  const { registry } = createExecutor({
    tools: [named("a"), named("b"), named("c", { exposure: "deferred" }), named("h", { exposure: "hidden" })],
  });
  const { ignored } = registry.setActiveTools(["c", "nobody", "a", "h", "a"]);
  expect(registry.getActiveTools()).toEqual(["a", "c"]);
  expect(ignored).toEqual(["nobody", "h"]);
  registry.setActiveTools([]);
  expect(registry.getActiveTools()).toEqual([]);
});

test("4.4: a change of the active set is felt by the very next nested call and by ctx.tools", async () => {
  const [outcomes, seen] = [[] as ToolCallOutcome[], [] as string[][]];
  const look = (ctx: ToolContext) => seen.push(namesOf(ctx.tools));
  const loader = tool(
    "loader",
    async ({ active }, ctx) => {
      look(ctx);
      registry.setActiveTools(active as string[]);
      look(ctx);
      outcomes.push(await ctx.executeTool("optional"));
    },
    { exposure: "codemode" },
  );
  const executor = createExecutor({ tools: [loader] });
  const registry: Registry = executor.registry;
  registry.register(named("optional"), { defaultActive: false });
  await executor.executeTool("loader", { active: ["optional"] });
  await executor.executeTool("loader", { active: [] });
  expect(outcomes.map(endOf)).toEqual(["ok", "UNKNOWN_TOOL"]);
  expect(seen).toEqual([["loader"], ["loader", "optional"], ["loader", "optional"], ["loader"]]);
});

test("4.4: a tool registered while calls run is reachable at once, and a replaced one finishes as it began", async () => {
  const [started, gate] = [createGate(), createGate()];
  const old = tool("x", async () => {
    started.open();
    await gate.promise;
    return "old";
  });
  const executor = createExecutor({ tools: [old, caller("late_caller", [["late"]])] });
  const running = executor.executeTool("x");
  await started.promise;
  executor.registry.register(named("x", {}, "new"));
  executor.registry.register(named("late"));
  expect(textOf(await executor.executeTool("x"))).toBe("new");
  expect((await executor.executeTool("late_caller")).nestedCalls?.calls[0]?.status).toBe("ok");
  gate.open();
  expect(textOf(await running)).toBe("old");
});

test("A5: hidden, inactive, model-only and unknown names give a nested caller the same text", async () => {
  const outcomes: ToolCallOutcome[] = [];
  const names = ["zz_hidden", "zz_asleep", "zz_modelon", "zz_nobody"];
  const executor = createExecutor({
    tools: [
      named("zz_hidden", { exposure: "hidden" }),
      named("zz_modelon", { exposure: "model-only" }),
      caller(
        "top",
        names.map((name) => [name]),
        outcomes,
      ),
    ],
  });
  executor.registry.register(named("zz_asleep"), { defaultActive: false });
  await executor.executeTool("top");
  const texts = outcomes.map((outcome, index) => textOf(outcome).replaceAll(names[index] as string, "NAME"));
  expect(new Set(texts).size).toBe(1);
  expect(outcomes.map(endOf)).toEqual(Array(4).fill("UNKNOWN_TOOL"));
});

test("4.1: a tool object stands for its name: what runs is what is registered under it", async () => {
  const outcomes: ToolCallOutcome[] = [];
  const [mine, hidden] = [named("x", {}, "mine"), named("y", {}, "mine")];
  const executor = createExecutor({
    tools: [
      named("x", {}, "registered"),
      named("y", { exposure: "hidden" }),
      caller("top", [[mine], [hidden], [named("z")]], outcomes),
    ],
  });
  await executor.executeTool("top");
  expect(textOf(at(outcomes, 0))).toBe("registered");
  expect(outcomes.map(endOf)).toEqual(["ok", "UNKNOWN_TOOL", "UNKNOWN_TOOL"]);
  expect(textOf(await executor.executeTool(mine, {}))).toBe("registered");
});

test("4.2: the host reaches every tool that is not hidden, the model only active ones", async () => {
  const executor = createExecutor({
    tools: [named("deferred_one", { exposure: "deferred" }), named("asleep"), named("gone", { exposure: "hidden" })],
  });
  executor.registry.setActiveTools([]);
  const names = ["deferred_one", "asleep", "gone"];
  const host = await Promise.all(names.map((name) => executor.executeTool(name)));
  const { outcomes: model } = await executor.executeBatch(names.map((name) => ({ id: name, name })));
  expect([host.map(endOf), model.map(endOf)]).toEqual([
    ["ok", "ok", "UNKNOWN_TOOL"],
    ["UNKNOWN_TOOL", "UNKNOWN_TOOL", "UNKNOWN_TOOL"],
  ]);
});

test("4.4: a namespace lists its tools without hidden ones, with the first description and instructions given", () => {
  const inside = (name: string, more: Data = {}, exposure = "direct") =>
    named(name, { namespace: { name: "ns", ...more }, exposure });
  const { registry } = createExecutor({
    tools: [
      inside("a"),
      inside("b", { description: "first" }),
      inside("c", { description: "second", instructions: "do" }),
      inside("h", {}, "hidden"),
    ],
  });
  expect(registry.describeNamespace("ns")).toEqual({
    name: "ns",
    description: "first",
    instructions: "do",
    tools: ["a", "b", "c"],
  });
  expect(registry.describeNamespace("nobody")).toBeUndefined();
});

test("4.4: infos are the registry's own: nobody can change them for others", () => {
  const { registry } = createExecutor({ tools: [named("a", { namespace: { name: "ns" } })] });
  const [info] = registry.getAllTools();
  expect(() => Object.assign(info as object, { exposure: "hidden" })).toThrow(TypeError);
  expect(() => Object.assign((info as ToolInfo).namespace as object, { name: "other" })).toThrow(TypeError);
  registry.getActiveTools().push("b");
  expect(registry.getActiveTools()).toEqual(["a"]);
});
