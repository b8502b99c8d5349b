import { type } from "arktype";
import fc from "fast-check";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { z } from "zod";
import { repairArguments } from "../../src/tools/repair-arguments.js";
import { copyJson } from "../../src/tools/repair-value.js";
import { schemaCheckOf } from "../../src/tools/schema-check.js";

const closed = (properties: Readonly<Record<string, unknown>>) =>
  Type.Object(properties as never, { additionalProperties: false });
const opt = Type.Optional;

async function repaired(schema: object, value: unknown): Promise<unknown> {
  const result = await repairArguments(schemaCheckOf(schema), value);
  return result.ok ? result.input : "not repaired";
}

test.each<[string, object, unknown, unknown]>([
  ["JSON text for an array", closed({ a: Type.Array(Type.String()) }), { a: '["x"]' }, { a: ["x"] }],
  ["JSON text for an object", closed({ a: closed({ k: Type.String() }) }), { a: ' {"k":"x"}' }, { a: { k: "x" } }],
  ["JSON text at the root", closed({ k: Type.Integer() }), '{"k":"5"}', { k: 5 }],
  [
    "JSON text in JSON text",
    closed({ a: Type.Array(closed({ n: Type.Integer() })) }),
    { a: '["{\\"n\\":\\"1\\"}"]' },
    { a: [{ n: 1 }] },
  ],
  ["numeric texts in an array", closed({ a: Type.Array(Type.Number()) }), { a: ["1", 2, "3.5"] }, { a: [1, 2, 3.5] }],
  ["texts of numbers", closed({ i: Type.Integer(), n: Type.Number() }), { i: "5", n: "-1e3" }, { i: 5, n: -1000 }],
  [
    "texts of booleans",
    closed({ t: Type.Boolean(), f: Type.Boolean() }),
    { t: "true", f: "false" },
    { t: true, f: false },
  ],
  ["null on an optional property", closed({ n: opt(Type.Number()) }), { n: null }, {}],
  ["an empty text on one with a pattern", closed({ s: opt(Type.String({ pattern: "^a" })) }), { s: "" }, {}],
  ["an empty text on a choice", closed({ s: opt(Type.Enum(["a"])) }), { s: "" }, {}],
  [
    "null deep inside",
    closed({ a: Type.Array(closed({ n: opt(Type.Number()) })) }),
    { a: [{ n: null }, {}] },
    { a: [{}, {}] },
  ],
  ["null on an optional union", closed({ u: opt(Type.Union([Type.Number(), Type.Boolean()])) }), { u: null }, {}],
  ["one text for a union", closed({ u: Type.Union([Type.Number(), Type.Null()]) }), { u: "5" }, { u: 5 }],
  [
    "a place in one branch",
    closed({ u: Type.Union([closed({ k: Type.Literal("a"), n: Type.Number() }), closed({ k: Type.Literal("b") })]) }),
    { u: { k: "a", n: "5" } },
    { u: { k: "a", n: 5 } },
  ],
  ["a choice of numbers", closed({ n: Type.Enum([1, 2]) }), { n: "2" }, { n: 2 }],
  ["a literal number", closed({ n: Type.Literal(2) }), { n: "2" }, { n: 2 }],
  [
    "a place behind a $ref",
    {
      ...closed({ a: { $ref: "#/$defs/A" } }),
      $defs: { A: closed({ n: opt(Type.Number()), b: opt({ $ref: "#/$defs/A" } as never) }) },
    },
    { a: { n: "1", b: { n: null } } },
    { a: { n: 1, b: {} } },
  ],
  ["a list of types", { type: "object", properties: { n: { type: ["integer", "null"] } } }, { n: "4" }, { n: 4 }],
  [
    "__proto__ as data",
    Type.Object({ n: Type.Number() }),
    JSON.parse('{"__proto__":{"x":1},"n":"1"}'),
    JSON.parse('{"__proto__":{"x":1},"n":1}'),
  ],
])("A3: %s is repaired", async (_what, schema, value, wanted) => {
  const before = JSON.stringify(value);
  expect(await repaired(schema, value)).toStrictEqual(wanted);
  expect(JSON.stringify(value)).toBe(before);
});

const condition = {
  if: { properties: { k: { const: "n" } } },
  then: { properties: { v: { type: "number" }, o: { type: "number" } }, required: ["v"] },
  else: { properties: { v: { type: "boolean" } }, required: ["v"] },
};
const conditional = { type: "object", properties: { k: { type: "string" }, v: {}, o: {} }, ...condition };
test.each<[string, object, unknown, unknown]>([
  ["at the root", conditional, { k: "n", v: "5" }, { k: "n", v: 5 }],
  ["of an else", conditional, { k: "m", v: "true" }, { k: "m", v: true }],
  ["with null on a property it leaves optional", conditional, { k: "n", v: 5, o: null }, { k: "n", v: 5 }],
  ["in an item", closed({ l: Type.Array(conditional) }), { l: [{ k: "n", v: "5" }] }, { l: [{ k: "n", v: 5 }] }],
  ["in JSON text", closed({ c: conditional as never }), { c: '{"k":"n","v":"5"}' }, { c: { k: "n", v: 5 } }],
  ["below allOf", { type: "object", allOf: [{}, condition] }, { k: "n", v: "5" }, { k: "n", v: 5 }],
  [
    "behind a $ref",
    { ...closed({ c: { $ref: "#/$defs/C" } }), $defs: { C: conditional } },
    { c: { k: "n", v: "5" } },
    { c: { k: "n", v: 5 } },
  ],
  [
    "in a branch of a union",
    closed({ u: { anyOf: [{ type: "null" }, conditional] } }),
    { u: { k: "n", v: "5" } },
    { u: { k: "n", v: 5 } },
  ],
])("A3: what a condition wants %s is repaired", async (_where, schema, value, wanted) => {
  expect(await repaired(schema, value)).toStrictEqual(wanted);
});

test.each<[string, object, unknown]>([
  ["1.5 for an integer", closed({ n: Type.Integer() }), { n: 1.5 }],
  ['"1.5" for an integer', closed({ n: Type.Integer() }), { n: "1.5" }],
  ["an empty text for a number", closed({ n: Type.Number() }), { n: "" }],
  ["a blank text for a number", closed({ n: Type.Number() }), { n: " " }],
  ["hex", closed({ n: Type.Number() }), { n: "0x10" }],
  ["an endless number", closed({ n: Type.Number() }), { n: "1e999" }],
  ["a number that would lose digits", closed({ n: Type.Integer() }), { n: "9007199254740993" }],
  ["1 for a boolean", closed({ b: Type.Boolean() }), { b: 1 }],
  ["a number for a text", closed({ s: Type.String() }), { s: 5 }],
  ["an unknown key", closed({ n: opt(Type.Number()) }), { m: null }],
  ["null on a required property", closed({ n: Type.Number() }), { n: null }],
  ["null in an array", closed({ a: Type.Array(Type.Number()) }), { a: [null] }],
  ["a text that is no JSON", closed({ a: Type.Array(Type.String()) }), { a: "[x" }],
  ["JSON of another kind", closed({ a: Type.Array(Type.String()) }), { a: '{"a":1}' }],
  ["a choice that is not there", closed({ n: Type.Enum([1, 2]) }), { n: "3" }],
  [
    "a union with two ways",
    closed({
      u: Type.Union([closed({ a: Type.Number(), b: Type.String() }), closed({ a: Type.String(), b: Type.Number() })]),
    }),
    { u: { a: "1", b: "2" } },
  ],
  [
    "more levels than A2 allows",
    Type.Object({ a: Type.Array(Type.Unknown()) }),
    { a: "[".repeat(1_001) + "]".repeat(1_001) },
  ],
  ["only one of two places", closed({ n: Type.Number(), m: Type.Number() }), { n: "1", m: "x" }],
])("A3: %s is not repaired", async (_what, schema, value) => {
  expect(await repaired(schema, value)).toBe("not repaired");
});

test("A3: a tree of unions is repaired through its references, and a hostile one ends soon", async () => {
  const node = { anyOf: [{ type: "null" }, closed({ n: Type.Number(), next: { $ref: "#/$defs/Node" } as never })] };
  const tree = { ...closed({ top: { $ref: "#/$defs/Node" } }), $defs: { Node: node } };
  const shallow = { top: { n: "1", next: { n: 2, next: { n: "3", next: null } } } };
  expect(await repaired(tree, shallow)).toEqual({ top: { n: 1, next: { n: 2, next: { n: 3, next: null } } } });

  let deep: unknown = { n: "x", next: null };
  for (let level = 0; level < 200; level += 1) deep = { n: "1", next: deep };
  expect(await repaired(tree, { top: deep })).toBe("not repaired");
});

test("A3: a list of ten thousand texts is repaired, a long list of failing unions ends soon", async () => {
  const texts = Array.from({ length: 10_000 }, (_, index) => String(index));
  expect(await repaired(Type.Object({ a: Type.Array(Type.Number()) }), { a: texts })).toMatchObject({
    a: { length: 10_000 },
  });
  const unions = Type.Object({ a: Type.Array(Type.Union([Type.Number(), closed({ n: Type.Number() })])) });
  expect(await repaired(unions, { a: Array(2_000).fill({ n: "x" }) })).toBe("not repaired");
  expect(await repaired(unions, { a: Array(2_000).fill({ n: "1" }) })).toEqual({ a: Array(2_000).fill({ n: 1 }) });
});

test.each<[string, object]>([
  ["zod", z.object({ n: z.number(), s: z.string().min(2).optional(), d: z.string().default("made") })],
  ["arktype", type({ n: "number", "s?": "string >= 2", d: "string = 'made'" })],
])(
  "A3: arguments for a schema of %s are repaired by its JSON Schema and checked by the library",
  async (_name, schema) => {
    const check = schemaCheckOf(schema);
    expect(await repairArguments(check, { n: "5", s: "" })).toEqual({
      ok: true,
      input: { n: 5 },
      value: { n: 5, d: "made" },
    });
    expect(await repairArguments(check, { n: "five" })).toMatchObject({ ok: false, problems: [{ path: ["n"] }] });
  },
);

test("A3: a place inside a discriminated union of zod is repaired", async () => {
  const kinds = [z.object({ k: z.literal("a"), n: z.number() }), z.object({ k: z.literal("b") })] as const;
  const union = z.object({ u: z.discriminatedUnion("k", kinds) });
  expect(await repaired(union, { u: { k: "a", n: "5" } })).toEqual({ u: { k: "a", n: 5 } });
});

test("A3: what the library takes is not touched, although its JSON Schema does not", async () => {
  const validate = async (value: unknown) => {
    const { a, b } = value as { readonly a: unknown; readonly b: unknown };
    return typeof b === "number"
      ? { value: { a: `took ${String(a)}`, b } }
      : { issues: [{ message: "no", path: [{ key: "b" }] }] };
  };
  const input = () => ({ type: "object", properties: { a: { type: "number" }, b: { type: "number" } } });
  const check = schemaCheckOf({ "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input } } });
  const result = await repairArguments(check, { a: "1", b: "2" });
  expect(result).toEqual({ ok: true, input: { a: "1", b: 2 }, value: { a: "took 1", b: 2 } });
});

const schema = closed({
  i: Type.Integer(),
  o: opt(closed({ n: opt(Type.Number()), s: opt(Type.String({ minLength: 1 })) })),
  l: opt(Type.Array(Type.Union([Type.Number(), Type.Boolean()]))),
  t: opt(Type.String()),
});
const place = fc.oneof(
  fc.string(),
  fc.constantFrom("", "5", "true", "[1]", "null"),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const someArguments = fc.record(
  {
    i: place,
    o: fc.oneof(
      place,
      fc.record({ n: place, s: place }, { requiredKeys: [], noNullPrototype: true }),
      fc.record({ n: place }, { noNullPrototype: true }).map((o) => JSON.stringify(o)),
    ),
    l: fc.oneof(place, fc.array(place)),
    t: place,
    extra: place,
  },
  { requiredKeys: [], noNullPrototype: true },
);

test("A3: whatever comes, the value stays as it was, a repaired one is accepted, and valid parts stay", () => {
  const check = schemaCheckOf(schema);
  const properties = (schema as unknown as { readonly properties: Readonly<Record<string, object>> }).properties;
  fc.assert(
    fc.property(someArguments, (value) => {
      const before = copyJson(value);
      const result = repairArguments(check, value);
      expect(value).toStrictEqual(before);
      if (result instanceof Promise) throw new Error("a plain schema answers at once");
      if (check.accepts?.(value)) expect(result).toStrictEqual({ ok: true, input: value, value });
      if (!result.ok) return;
      expect(check.accepts?.(result.input)).toBe(true);
      for (const [key, part] of Object.entries(value)) {
        const partSchema = properties[key];
        if (partSchema !== undefined && schemaCheckOf(partSchema).accepts?.(part)) {
          expect((result.input as Record<string, unknown>)[key]).toStrictEqual(part);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
