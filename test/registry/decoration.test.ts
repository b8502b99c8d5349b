import { Type } from "nestcall";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  checkDecoration,
  decoratedSchema,
  stripDecoration,
  type ToolDecoration,
} from "../../src/registry/decoration.js";
import type { RegistryEntry } from "../../src/registry/registry-entry.js";
import { registryOf, taking } from "../helpers/declarations.js";
import { at, type Data, tool } from "../helpers/engine.js";

const REASON = { type: "string", description: "Why, in a few words." };
const decoration: ToolDecoration = { properties: { reason: REASON }, required: ["reason"] };

function entryWith(inputSchema: object, more: Data = {}): RegistryEntry {
  const made = tool("own_tool", () => "ran", { inputSchema, strict: false, ...more });
  return at([...registryOf([made]).session.activeEntries()], 0);
}
const isDecorated = (inputSchema: object) => {
  const entry = entryWith(inputSchema);
  const { args } = stripDecoration(entry, { reason: "because" }, decoration);
  const schema = decoratedSchema(entry, decoration);
  const isChanged = schema !== entry.input.jsonSchema;
  expect(Object.hasOwn(args as object, "reason")).toBe(!isChanged); // what is not declared is not taken out either
  return isChanged;
};

test("E25: the decorated schema is a copy that ends with the added properties; the tool's own is as it was", () => {
  const inputSchema = Type.Object({ path: Type.String() }, { additionalProperties: false });
  const before = JSON.stringify(inputSchema);
  const entry = entryWith(inputSchema);
  const schema = decoratedSchema(entry, decoration);
  expect(JSON.stringify(schema)).toBe(
    JSON.stringify({
      type: "object",
      required: ["path", "reason"],
      properties: { path: { type: "string" }, reason: REASON },
      additionalProperties: false,
    }),
  );
  expect(decoratedSchema(entry, decoration)).toBe(schema);
  expect(JSON.stringify(inputSchema)).toBe(before);
  expect(entry.input.jsonSchema).toBe(inputSchema);
  expect(decoratedSchema(entry, undefined)).toBe(inputSchema);
});

test("E25: what may be left out is not required, and a schema without properties gets some", () => {
  const entry = entryWith(Type.Object({}));
  const optional = { properties: { reason: REASON, __proto__: null } } as unknown as ToolDecoration;
  expect(decoratedSchema(entry, { properties: { reason: REASON } })).toEqual({
    type: "object",
    properties: { reason: REASON },
  });
  expect(Object.keys(decoratedSchema(entryWith({ type: "object" }), optional))).toEqual(["type", "properties"]);
});

test.each([
  ["names it", { type: "object", properties: { reason: { type: "number" } } }],
  ["names it in a branch", { type: "object", anyOf: [{ properties: { reason: {} } }, { required: ["x"] }] }],
  [
    "names it behind a reference",
    { allOf: [{ $ref: "#/$defs/a" }], type: "object", $defs: { a: { properties: { reason: {} } } } },
  ],
  ["asks for it in a condition", { type: "object", if: { properties: { reason: { const: "x" } } }, then: {} }],
  ["takes it by a pattern", { type: "object", patternProperties: { "^r": { type: "number" } } }],
  ["requires it without a form", { type: "object", required: ["reason"] }],
  ["has room for few properties", { type: "object", maxProperties: 1 }],
  ["wants a number of properties", { type: "object", minProperties: 1 }],
  ["counts properties in a branch", { type: "object", allOf: [{ maxProperties: 2 }] }],
  ["takes certain values only", { type: "object", enum: [{ a: 1 }] }],
  ["is a map", { type: "object", additionalProperties: { type: "number" } }],
  ["has rules for names", { type: "object", propertyNames: { maxLength: 3 } }],
  [
    "is put together of closed objects",
    { type: "object", anyOf: [{ properties: { a: {} }, additionalProperties: false }] },
  ],
])("E25: a tool whose schema %s keeps it, in the declaration and in the arguments", (_case, inputSchema) => {
  expect(isDecorated(inputSchema)).toBe(false);
});

test.each([
  ["has other patterns", { type: "object", patternProperties: { "^x-": { type: "number" } } }],
  ["names it further inside", { type: "object", properties: { a: { type: "object", properties: { reason: {} } } } }],
  ["refers to itself", { type: "object", properties: { a: { $ref: "#" } }, allOf: [{ $ref: "#" }] }],
  ["is open", { type: "object", properties: { a: {} }, additionalProperties: true }],
  ["is a zod object", z.strictObject({ a: z.string() })],
])("E25: a tool whose schema %s is decorated", (_case, inputSchema) => {
  expect(isDecorated(inputSchema)).toBe(true);
});

test("E25: stripping takes out what was added, gives it to the host, and leaves the model's object alone", () => {
  const entry = entryWith({ type: "object", properties: { path: {} }, additionalProperties: false });
  const given = Object.freeze({ reason: "because", path: "a.md" });
  const { args, taken } = stripDecoration(entry, given, decoration);
  expect(JSON.stringify([args, taken])).toBe('[{"path":"a.md"},{"reason":"because"}]');
  expect(given).toEqual({ reason: "because", path: "a.md" });

  for (const other of [
    { path: "a.md" },
    ["reason"],
    "reason",
    null,
    undefined,
    Object.create({ reason: "inherited" }),
  ]) {
    const result = stripDecoration(entry, other, decoration);
    expect(result).toEqual({ args: other });
    expect(result.args).toBe(other);
  }
  expect(stripDecoration(entry, given, undefined).args).toBe(given);
});

test("E25: the keys of a hostile object stay keys", () => {
  const entry = entryWith(Type.Object({}));
  const given: unknown = JSON.parse('{"__proto__":{"x":1},"reason":1}');
  expect(JSON.stringify(stripDecoration(entry, given, decoration).args)).toBe('{"__proto__":{"x":1}}');
  const odd = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as ToolDecoration;
  const { args, taken } = stripDecoration(entry, given, odd);
  expect(JSON.stringify([args, taken])).toBe('[{"reason":1},{"__proto__":{"x":1}}]');
});

test("E25: arguments of external and of excluded tools are left alone", () => {
  const registry = registryOf([taking("bash", {}), taking("own_tool", {})], [taking("mcp__s__t", {})]);
  const args = { reason: "because" };
  const isStripped = (exclude?: readonly string[]) =>
    [...registry.session.activeEntries()].map(
      (entry) =>
        stripDecoration(entry, args, exclude === undefined ? decoration : { ...decoration, exclude }).args !== args,
    );
  expect(isStripped()).toEqual([false, true, false]);
  expect(isStripped([])).toEqual([true, true, false]);
  expect(isStripped(["own_tool"])).toEqual([true, false, false]);
});

test("E25: a decoration is read when it is added; what it gives later is not declared, nor blamed on a tool", () => {
  let isBroken = false;
  const reason = { toJSON: () => (isBroken ? { n: 1n } : REASON) };
  const moody = { properties: { reason }, required: ["reason"] };
  checkDecoration(moody);
  isBroken = true;
  moody.required.push("unheard of");
  expect(decoratedSchema(entryWith({ type: "object" }), moody)).toEqual({
    type: "object",
    properties: { reason: REASON },
    required: ["reason"],
  });
  const thrower = () => {
    throw new Error("unreadable");
  };
  for (const bad of [
    { properties: { reason: { toJSON: thrower } } },
    { properties: { reason: { type: "string", default: 1n } } },
    { properties: { reason: { toJSON: () => "text" } } },
    Object.defineProperty({}, "properties", { get: thrower }),
  ]) {
    expect(() => checkDecoration(bad as never)).toThrow(/^A decoration .*(?:unreadable|"reason")/);
  }
});

test.each([
  [null, "not null"],
  [{}, "properties, not undefined"],
  [{ properties: { reason: "text" } }, '"reason" is the string "text"'],
  [{ properties: {}, required: ["reason"] }, 'requires "reason"'],
  [{ properties: {}, exclude: "bash" }, "exclude"],
  [{ properties: {}, required: [1] }, "required"],
])("a decoration %j is refused by name", (bad, word) => {
  expect(() => checkDecoration(bad as never)).toThrow(word);
  expect(() => decoratedSchema(entryWith(Type.Object({})), (bad ?? {}) as never)).toThrow(/^A decoration /);
  checkDecoration(decoration);
});
