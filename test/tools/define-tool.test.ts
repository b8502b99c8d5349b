import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { resolveHints } from "../../src/tools/annotations.js";
import { defineTool, isDefinedTool } from "../../src/tools/define-tool.js";
import type { Tool } from "../../src/tools/tool.js";
import { define, GOOD, refusal } from "../helpers/engine.js";

type Fields = Readonly<Record<PropertyKey, unknown>>;

const closed = (properties: Fields) => ({ type: "object", properties, additionalProperties: false });
const open = { type: "object", properties: { a: { type: "string" } } };

test.each<[string, Fields, string]>([
  ["a bad name", { name: "has space" }, 'Tool "has space": name must match'],
  ["no description", { description: " " }, "description must be"],
  ["a title that is no text", { title: 5 }, "title must be"],
  ["execute that is no function", { execute: "x" }, "execute must be a function"],
  ["no execute", { execute: undefined }, "execute must be a function"],
  ["an unknown exposure", { exposure: "public" }, 'exposure must be one of "direct"'],
  ["an unknown effect", { effect: "reads" }, "effect must be one of"],
  ["an unknown mode", { executionMode: "serial" }, "executionMode must be one of"],
  ["effect and annotations", { effect: "read", annotations: {} }, "effect is the short form of annotations"],
  ["idempotent and annotations", { idempotent: true, annotations: {} }, "idempotent is the short form"],
  ["openWorld without effect", { openWorld: true }, "openWorld goes with effect"],
  ["a hint that is no flag", { annotations: { readOnlyHint: "yes" } }, "annotations.readOnlyHint"],
  ["a misspelt hint", { annotations: { readonlyHint: true } }, 'did you mean "readOnlyHint"'],
  ["a namespace without a name", { namespace: { description: "d" } }, "namespace.name"],
  ["a time of 0", { timeoutMs: 0 }, "timeoutMs must be"],
  ["a time that is no number", { idleTimeoutMs: "5" }, "idleTimeoutMs must be"],
  ["a time beyond setTimeout", { timeoutMs: 2 ** 31 }, "timeoutMs must be"],
  ["an endless time", { timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs must be"],
  ["mutates that is no function", { mutates: ["a"] }, "mutates must be a function"],
  ["strict that is no flag", { strict: 0 }, "strict must be true or false"],
  ["a misspelt key", { mutate: () => [] }, '"mutate" is no key that is known here; did you mean "mutates"?'],
  ["a key of another library", { parameters: {} }, '"parameters" is no key'],
])("4.1: %s is refused", (_what, fields, text) => {
  expect(refusal(fields)).toContain(text);
});

test.each<[string, unknown, string]>([
  ["a function", () => Type.Object({}), 'Type from "nestcall"'],
  ["nothing", undefined, "inputSchema must be a schema"],
  ["a string schema", Type.String(), 'a schema of type "string"'],
  ["a list", [], "it is an array"],
  ["a union at the root", Type.Union([Type.Object({}), Type.Object({})]), 'type: "object" at its root'],
  ["a property that is a function", closed({ n: () => Type.String() }), "inputSchema.properties.n must be a schema"],
  ["a property that is a text", closed({ n: "string" }), "inputSchema.properties.n must be a schema"],
  ["an unknown type", closed({ n: { type: "str" } }), 'unknown type: the string "str"'],
  ["draft 3's required", closed({ n: { type: "string", required: true } }), "inputSchema.properties.n has a required"],
  ["a bad pattern", closed({ n: { pattern: "(" } }), "inputSchema.properties.n has the pattern"],
  ["a pattern that is no text", closed({ n: Type.String({ pattern: /x/ as never }) }), "expression.source"],
  ["a bad pattern of keys", closed({ n: { patternProperties: { "[": {} } } }), "no Unicode regular expression"],
  ["a pointer to nowhere", closed({ n: { $ref: "#/$defs/None" } }), "leads nowhere"],
  ["a name that nothing has", closed({ n: Type.Ref("None") }), "leads nowhere"],
  [
    "a reference to itself",
    { ...closed({ n: { $ref: "#/$defs/A" } }), $defs: { A: { $ref: "#/$defs/A" } } },
    "to itself",
  ],
  ["a key every object has", closed({ valueOf: { type: "string" } }), '"valueOf"'],
  ["an open object in $defs", { ...closed({ n: { $ref: "#/$defs/A" } }), $defs: { A: open } }, "inputSchema.$defs.A"],
  ["an open object in allOf", { ...closed({}), allOf: [open] }, "inputSchema.allOf[0]"],
  [
    "literals in a tuple",
    closed({ n: { prefixItems: [{ anyOf: [{ const: 1 }, { const: "b" }] }] } }),
    'Type.Enum([1, "b"])',
  ],
])("4.1: a schema with %s is refused with its place", (_what, inputSchema, text) => {
  const message = refusal({ inputSchema });
  expect(message).toContain("good_name");
  expect(message).toContain(text);
});

test("4.1: a schema that contains itself is refused, not walked for ever", () => {
  const schema: Record<string, unknown> = closed({});
  schema.properties = { again: schema };
  expect(refusal({ inputSchema: schema })).toContain("contains itself");
});

test("4.1: a part that is used twice at each of 100 levels is walked in no time", () => {
  let part: object = Type.String();
  for (let level = 0; level < 100; level += 1) part = closed({ a: part, b: part });
  expect(() => define({ inputSchema: part })).not.toThrow();
});

test.each<[string, unknown]>([
  ["an empty open object", Type.Object({ any: Type.Object({}) }, { additionalProperties: false })],
  [
    "a closed intersection",
    Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })], {
      unevaluatedProperties: false,
    }),
  ],
  [
    "a reference by pointer, id and anchor",
    {
      ...closed({ a: { $ref: "#/$defs/A" }, b: { $ref: "B" }, c: { $ref: "#c" }, d: { $ref: "#" } }),
      $defs: { A: {}, B: { $id: "B" }, C: { $anchor: "c" } },
    },
  ],
  ["a condition on an open object", { ...closed({ a: {} }), not: open, if: open }],
  [
    "one part used twice",
    (() => {
      const part = Type.Array(Type.String());
      return closed({ a: part, b: part });
    })(),
  ],
  ["literals and null", closed({ a: Type.Union([Type.Literal("x"), Type.Null()]) })],
])("4.1: a schema with %s is accepted", (_what, inputSchema) => {
  expect(() => define({ inputSchema })).not.toThrow();
});

test("4.1: strict false lifts the style rules of both schemas, and only those", () => {
  expect(refusal({ outputSchema: open })).toContain("outputSchema declares properties");
  expect(() => define({ inputSchema: open, outputSchema: open, strict: false })).not.toThrow();
  expect(refusal({ inputSchema: closed({ n: { pattern: "(" } }), strict: false })).toContain("pattern");
});

test("4.1: schemas of zod and arktype are taken as their library means them", () => {
  expect(() =>
    define({ inputSchema: z.object({ n: z.number(), u: z.union([z.literal("a"), z.literal("b")]) }) }),
  ).not.toThrow();
  expect(() => define({ inputSchema: type({ n: "number" }) })).not.toThrow();
  expect(refusal({ inputSchema: z.string() })).toContain('type: "object" at its root');
  expect(refusal({ inputSchema: z.object({ when: z.date() }) })).toContain("gives no JSON Schema");
});

test("4.1: a schema of valibot says how to get its JSON Schema", () => {
  expect(refusal({ inputSchema: v.object({ n: v.number() }) })).toContain("toStandardJsonSchema");
});

test("4.1: the tool is frozen, has its defaults, and is returned as it is when defined again", () => {
  const mark = Symbol("mark");
  const tool = define({ [mark]: 1, title: undefined, namespace: { name: "n" } });
  expect(tool).toMatchObject({ exposure: "direct", executionMode: "parallel", annotations: {}, [mark]: 1 });
  expect([Object.isFrozen(tool), "title" in tool, isDefinedTool(tool), isDefinedTool({ ...tool })]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(defineTool(tool)).toBe(tool);
});

test("4.1: a description that is an accessor is read anew each time, a method of a class stays callable", () => {
  let reads = 0;
  class Definition {
    readonly name = "made_by_class";
    readonly inputSchema = Type.Object({});
    execute() {
      return "ran";
    }
  }
  const definition = Object.defineProperty(new Definition(), "description", {
    get: () => `read ${++reads}`,
    enumerable: true,
  });
  const tool = defineTool(definition as never) as unknown as Tool;
  const [first, second] = [tool.description, tool.description];
  expect(first).not.toBe(second);
  expect(tool.execute({}, undefined as never)).toBe("ran");
});

test("4.1: a field that loops do not show is checked like any other, and becomes part of the tool", () => {
  const hidden = (key: string, value: unknown) =>
    Object.defineProperty({ ...GOOD }, key, { value, enumerable: false }) as never;
  expect(defineTool(hidden("title", "Good"))).toMatchObject({ title: "Good" });
  expect(() => defineTool(hidden("title", ""))).toThrow("title must be a text that is not empty");
});

test("4.1: of several faults the first in the order of the fields is told, however they were written", () => {
  const faults = { timeoutMs: 0, effect: "never", title: "", odd: 1 };
  for (const fields of [faults, Object.fromEntries(Object.entries(faults).toReversed())]) {
    expect(refusal(fields)).toContain("title must be");
  }
  expect(refusal({ odd: 1, effect: "never" })).toContain("effect must be");
});

test("4.1: a fault deep in a schema is told with every step on the way to it", () => {
  const fault = { type: "string", pattern: "(" };
  const inputSchema = closed({ list: { type: "array", items: { anyOf: [{ type: "null" }, closed({ at: fault })] } } });
  expect(refusal({ inputSchema })).toContain(
    "inputSchema.properties.list.items.anyOf[1].properties.at has the pattern",
  );
});

test("4.1: what a schema only inherits says nothing, in the schema and in its properties", () => {
  const broken = { enum: [], properties: { a: "no schema" } };
  expect(() => define({ inputSchema: Object.assign(Object.create(broken), { type: "object" }) })).not.toThrow();
  const properties: unknown = Object.assign(Object.create({ inherited: "no schema" }), { own: { type: "string" } });
  const inputSchema = { type: "object", properties, additionalProperties: false };
  expect(() => define({ inputSchema })).not.toThrow();
});

test("4.1: missing hints have MCP's defaults", () => {
  expect(resolveHints({})).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
  expect(resolveHints(define({ effect: "read" }).annotations)).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
});

const boom = new Error("boom");
const fail = () => {
  throw boom;
};
const hostile = new Proxy({}, { get: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, has: fail });
const getter = (key: string, base: object) => Object.defineProperty({ ...base }, key, { get: fail, enumerable: true });

test.each<[string, Fields, string]>([
  ["a schema that is a proxy", { inputSchema: hostile }, "inputSchema throws when it is read (boom)"],
  ["properties that is a getter", { inputSchema: getter("properties", Type.Object({})) }, "inputSchema throws"],
  ["a part that is a proxy", { outputSchema: closed({ a: hostile }) }, "outputSchema throws"],
  ["annotations that are a proxy", { annotations: hostile }, "annotations throws"],
  ["a hint that is a getter", { annotations: getter("readOnlyHint", {}) }, "annotations throws"],
  ["a namespace that is a proxy", { namespace: hostile }, "namespace throws"],
  [
    "a library that throws",
    { inputSchema: { "~standard": { validate: fail, vendor: "v", jsonSchema: { input: fail } } } },
    "gives no JSON Schema for it: boom",
  ],
  ["a library that is a getter", { inputSchema: getter("~standard", {}) }, "inputSchema throws"],
])("4.1: %s is refused with the tool's name and the cause", (_what, fields, text) => {
  const message = expect.stringContaining(text) as unknown as string;
  expect(() => define(fields)).toThrow(
    expect.objectContaining({ code: "INVALID_TOOL", message, cause: boom }) as never,
  );
  expect(() => define(fields)).toThrow(/^Tool "good_name": /);
});

test("4.1: a definition that throws when it is read is refused with what could be read of it", () => {
  const good = { name: "good_name", description: "d", inputSchema: Type.Object({}), execute: () => "x" };
  const refused = (definition: object, start: string, cause: unknown = boom) => {
    const message = expect.stringMatching(new RegExp(`^${start}`)) as unknown as string;
    expect(() => defineTool(definition as never)).toThrow(
      expect.objectContaining({ name: "NestcallError", code: "INVALID_TOOL", message, cause }) as never,
    );
  };
  refused(hostile, "A tool: name throws when it is read");
  refused(getter("execute", good), 'Tool "good_name": execute throws when it is read');
  refused(new Proxy(good, { ownKeys: fail }), 'Tool "good_name": the definition throws when it is read');
  refused(new Proxy(good, { getOwnPropertyDescriptor: fail }), 'Tool "good_name": the definition throws');
  const { proxy, revoke } = Proxy.revocable(good, {});
  revoke();
  refused(proxy, "A tool: the definition throws when it is read", expect.any(TypeError));
});
