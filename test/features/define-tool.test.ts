// Rows of features.md about tool definitions: P9, P10, P14, A1 to A3, A9 to A25, A27, A28.
import { createExecutor, defineTool, lazy, type Static, type ToolAnnotations, type ToolResult, Type } from "nestcall";
import { expect, expectTypeOf, test } from "vitest";
import { closed, type Data, define, endOf, GOOD, refusal, textOf } from "../helpers/engine.js";

const skipTests = { skipTests: Type.Optional(Type.Boolean({ default: false })) };
const runChecks = defineTool({
  name: "run_checks",
  title: "Run checks",
  description: "Runs the type check and the unit tests.",
  annotations: { readOnlyHint: false, openWorldHint: false },
  exposure: "direct",
  inputSchema: Type.Object(skipTests, { additionalProperties: false }),
  execute: (args) => `skip: ${args.skipTests ?? false}`,
});

test("P9: a definition has name, title, description, annotations, exposure, inputSchema and execute", () => {
  expect(runChecks).toMatchObject({
    name: "run_checks",
    title: "Run checks",
    description: "Runs the type check and the unit tests.",
    annotations: { readOnlyHint: false, openWorldHint: false },
    exposure: "direct",
  });
  expectTypeOf(runChecks.execute).parameter(0).toEqualTypeOf<{ skipTests?: boolean }>();
});

test("P10: a tool with an optional flag is callable without arguments", async () => {
  const executor = createExecutor({ tools: [runChecks] });
  const outcomes = [await executor.executeTool("run_checks"), await executor.executeTool("run_checks", {})];
  expect(outcomes.map(textOf)).toEqual(["skip: false", "skip: false"]);
});

test("P14: the four hints are MCP's, and come back as they were given", () => {
  expectTypeOf<keyof ToolAnnotations>().toEqualTypeOf<
    "title" | "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint"
  >();
  const annotations = {
    title: "t",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  expect(define({ annotations }).annotations).toEqual(annotations);
  expect(define({}).annotations).toEqual({}); // what was not claimed is not claimed
});

test("A1: defineTool takes one object and gives it back typed; a tool that it made is given back as it is", () => {
  const definition = { ...GOOD, title: "Good", exposure: "codemode" as const };
  const tool = defineTool(definition);
  expect(tool).toMatchObject(definition);
  expect(defineTool(tool)).toBe(tool);
});

test("A2: a bad schema throws when its module is imported", async () => {
  await expect(import("./fixtures/bad-tool.js")).rejects.toMatchObject({
    name: "NestcallError",
    code: "INVALID_TOOL",
    message: expect.stringContaining("bad_tool"),
  });
});

test("A3: a name has up to 64 letters, digits, dashes and underscores, and starts with a letter or underscore", () => {
  for (const name of ["a".repeat(64), "Foo", "a-b", "_a", "github-list-issues"])
    expect(define({ name }).name).toBe(name);
  for (const name of ["a".repeat(65), "1a", "-a", "", "a b", "a.b", "ä", "a\n"])
    expect(refusal({ name })).toContain("name");
});

test.each([
  ["read", { readOnlyHint: true, idempotentHint: true, openWorldHint: false }],
  ["write", { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
  ["destructive", { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
])("A9: effect %s is written out as hints", (effect, hints) => {
  expect(define({ effect }).annotations).toEqual(hints);
});

test("A10: idempotent is true for a reading tool and false for others, unless it is said", () => {
  const idempotent = (fields: Data) => define(fields).annotations.idempotentHint;
  expect([idempotent({ effect: "read" }), idempotent({ effect: "write" })]).toEqual([true, false]);
  expect([
    idempotent({ effect: "read", idempotent: false }),
    idempotent({ effect: "write", idempotent: true }),
  ]).toEqual([false, true]);
});

test("A11: with effect openWorld is false unless it is said, and always written out", () => {
  expect(define({ effect: "write" }).annotations).toHaveProperty("openWorldHint", false);
  expect(define({ effect: "write", openWorld: true }).annotations).toHaveProperty("openWorldHint", true);
});

test.each([
  ["a string", Type.String()],
  ["an array", Type.Array(Type.String())],
  ["a union", Type.Union([closed({}) as never, Type.String()])],
])("A12: a root schema that is %s is refused", (_what, inputSchema) => {
  expect(refusal({ inputSchema })).toContain("inputSchema");
});

test("A13: execute may return a result or a promise of one", async () => {
  const executor = createExecutor({
    tools: [define({ name: "now", execute: () => "now" }), define({ name: "later", execute: async () => "later" })],
  });
  expect(textOf(await executor.executeTool("now"))).toBe("now");
  expect(textOf(await executor.executeTool("later"))).toBe("later");
});

test("A14: a result has content blocks, details and isError, and a wrong one is INVALID_RESULT", async () => {
  expectTypeOf<ToolResult["content"]>().items.toExtend<{ readonly type: string }>();
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const good = { content: [{ type: "text", text: "t" }, image], details: { a: 1 }, isError: true };
  const results = [good, { content: [{ type: "video" }] }, { content: [], isError: 1 }, 5, { text: "t" }];
  const ends: string[] = [];
  for (const result of results) {
    const executor = createExecutor({ tools: [define({ execute: () => result })] });
    const outcome = await executor.executeTool("good_name");
    if (result === good) expect(outcome.result).toEqual(good);
    ends.push(endOf(outcome));
  }
  expect(ends).toEqual(["TOOL_FAILED", "INVALID_RESULT", "INVALID_RESULT", "INVALID_RESULT", "INVALID_RESULT"]);
});

test("A15: Type comes from the package, and its schemas are plain data", () => {
  const schema = Type.Object({ path: Type.String({ minLength: 1 }) }, { additionalProperties: false });
  expect(JSON.parse(JSON.stringify(schema))).toEqual({
    type: "object",
    properties: { path: { type: "string", minLength: 1 } },
    required: ["path"],
    additionalProperties: false,
  });
});

/** What a host makes of `typebox` that puts its own facade in its place: schemas that are functions. */
const facade = { Object: () => () => ({}), String: () => () => ({}) };

test("A16: a schema made by a host's facade of typebox is refused at the definition", () => {
  expect(refusal({ inputSchema: facade.Object() })).toContain("function");
});

test("A17: a schema that is a function never passes as one that accepts anything, at any place", () => {
  for (const schema of [
    facade.String(),
    closed({ a: facade.String() }),
    closed({ a: Type.Array(facade.String() as never) }),
  ]) {
    expect(refusal({ inputSchema: schema })).toContain("function");
    expect(refusal({ outputSchema: schema })).toContain("function");
  }
});

test("A18: the refusal of a function says where Type has to come from", () => {
  expect(refusal({ inputSchema: facade.Object() })).toContain('Type from "nestcall"');
});

test("A19: the types of schemas come from the package too", () => {
  const schema = Type.Object({ path: Type.String(), line: Type.Optional(Type.Integer()) });
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ path: string; line?: number }>();
});

const open = { type: "object", properties: { deep: { type: "string" } } };

test.each([
  ["a property", closed({ a: open }), "a"],
  ["the values of a record", { type: "object", additionalProperties: open }, "additionalProperties"],
  ["the items of an array", closed({ list: { type: "array", items: open } }), "list"],
  ["a branch of a union", closed({ either: { anyOf: [{ type: "string" }, open] } }), "either"],
])("A20: the walk finds a fault in %s and says where", (_what, inputSchema, place) => {
  expect(refusal({ inputSchema })).toContain(place);
  expect(refusal({ inputSchema })).toContain("additionalProperties");
});

test("A21: an object with keys must say additionalProperties: false, unless the tool is not strict", () => {
  expect(refusal({ inputSchema: open })).toContain("additionalProperties: false");
  expect(define({ inputSchema: open, strict: false }).inputSchema).toBe(open);
});

test("A22: a misspelt key is refused with the right one, instead of running with full access", async () => {
  let ran = false;
  const tool = define({
    name: "run_agent",
    inputSchema: closed({ readOnly: Type.Optional(Type.Boolean()) }),
    execute: () => {
      ran = true;
    },
  });
  const outcome = await createExecutor({ tools: [tool] }).executeTool("run_agent", { read_only: true });
  expect([endOf(outcome), ran]).toEqual(["INVALID_ARGUMENTS", false]);
  for (const key of ["read_only", "readOnly"]) expect(textOf(outcome)).toContain(key);
});

test('A23: an empty object schema stays open, because models send { _: "" }', async () => {
  const outcome = await createExecutor({ tools: [define({})] }).executeTool("good_name", { _: "" });
  expect([endOf(outcome), outcome.toolCall.arguments]).toEqual(["ok", { _: "" }]);
});

const literals = Type.Union([Type.Literal("fast"), Type.Literal("careful"), Type.Literal("off")]);

test("A24: a union of literals is refused, with the enum that it should be", () => {
  const message = refusal({ inputSchema: closed({ mode: literals }) });
  for (const text of ["mode", "Type.Enum", '"fast"', '"careful"', '"off"']) expect(message).toContain(text);
});

test("A25: the error for an enum lists every value", async () => {
  const tool = define({ inputSchema: closed({ mode: Type.Enum(["fast", "careful", "off"]) }) });
  const outcome = await createExecutor({ tools: [tool] }).executeTool("good_name", { mode: "slow" });
  expect(endOf(outcome)).toBe("INVALID_ARGUMENTS");
  for (const value of ["mode", "fast", "careful", "off"]) expect(textOf(outcome)).toContain(value);
});

const loads = globalThis as { heavyLoads?: number };
const heavy = () =>
  defineTool({
    name: "heavy",
    description: "Loads its code at the first call.",
    inputSchema: Type.Object({ n: Type.Number() }, { additionalProperties: false }),
    execute: lazy(() => import("./fixtures/heavy.js")),
  });

test("A27: a lazy executor is loaded at the first call, once for ten at a time; A28: registering loads nothing", async () => {
  const executor = createExecutor({ tools: [heavy()] });
  expect([executor.registry.get("heavy")?.name, loads.heavyLoads]).toEqual(["heavy", undefined]);
  const calls = Array.from({ length: 10 }, (_, n) => executor.executeTool("heavy", { n }));
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 10 }, (_, n) => `heavy ${n}`));
  await executor.executeTool("heavy", { n: 10 });
  expect(loads.heavyLoads).toBe(1);
});

test.each([
  ["Type.String()", Type.String()],
  ["Type.Array(…)", Type.Array(Type.String())],
  ["a union of objects", Type.Union([Type.Object({}), Type.Object({})])],
])("E56: %s as the root of a schema is refused at the definition, with the reason", (_what, inputSchema) => {
  expect(refusal({ inputSchema })).toMatch(/inputSchema.*object/);
});
