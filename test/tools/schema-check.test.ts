import { type } from "arktype";
import { Type } from "typebox";
import { Settings } from "typebox/system";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { schemaCheckOf } from "../../src/tools/schema-check.js";

test("A3: a plain schema is checked at once, strictly, and the value comes back as it is", () => {
  const schema = Type.Object({ n: Type.Integer() }, { additionalProperties: false });
  const check = schemaCheckOf(schema);
  const value = { n: 1 };
  expect(check).toBe(schemaCheckOf(schema));
  expect([check.accepts?.(value), check.accepts?.({ n: "1" })]).toEqual([true, false]);
  expect(check.validate(value)).toEqual({ ok: true, value });
  expect(check.problems({ n: "1" })).toMatchObject([{ path: ["n"], message: "must be integer" }]);
});

test("A4: more than TypeBox's eight problems are found, and its setting is as it was", () => {
  const check = schemaCheckOf(Type.Array(Type.Number()));
  const before = Settings.Get().maxErrors;
  expect(check.problems(Array(100).fill("x"))).toHaveLength(100);
  expect(Settings.Get().maxErrors).toBe(before);
});

test("A4: indices are numbers, keys are texts, also those with a slash", () => {
  const check = schemaCheckOf(Type.Record(Type.String(), Type.Array(Type.Number())));
  expect(check.problems({ "a/b~1": [0, "x"] })[0]?.path).toEqual(["a/b~1", 1]);
});

test("4.1: a schema that does not compile is an INVALID_TOOL at the first value", () => {
  const check = schemaCheckOf({ type: "object", properties: { a: { pattern: "(" } } });
  expect(() => check.accepts?.({})).toThrow(expect.objectContaining({ code: "INVALID_TOOL" }));
});

const libraries: readonly [string, object][] = [
  ["zod", z.object({ n: z.number(), d: z.string().default("made") })],
  ["arktype", type({ n: "number", d: "string = 'made'" })],
  [
    "valibot",
    (() => {
      const schema = v.object({ n: v.number(), d: v.optional(v.string(), "made") });
      const input = () => ({
        type: "object",
        properties: { n: { type: "number" }, d: { type: "string" } },
        required: ["n"],
      });
      return { "~standard": { ...schema["~standard"], jsonSchema: { input } } };
    })(),
  ],
];

test.each(libraries)(
  "4.1: a schema of %s gives its own output, its problems and its JSON Schema",
  async (_name, schema) => {
    const check = schemaCheckOf(schema);
    expect(check.accepts).toBeUndefined();
    expect(check.jsonSchema).toMatchObject({ type: "object", properties: { n: { type: "number" } } });
    expect(await check.validate({ n: 1 })).toEqual({ ok: true, value: { n: 1, d: "made" } });
    expect(await check.validate({ n: "x" })).toMatchObject({ ok: false, problems: [{ path: ["n"] }] });
  },
);

test.each([
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
  ["rejects", () => Promise.reject(new Error("broken"))],
])("4.1: a Standard Schema whose check %s gives a problem", async (_how, validate) => {
  const schema = {
    "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: () => ({ type: "object" }) } },
  };
  const result = await schemaCheckOf(schema).validate({});
  expect(result).toMatchObject({ ok: false, problems: [{ path: [], message: expect.stringContaining("broken") }] });
});

test("4.1: draft 7 is asked for when the library has no 2020-12", () => {
  const input = ({ target }: { readonly target: string }) => {
    if (target !== "draft-07") throw new Error("no");
    return { type: "object", title: target };
  };
  const schema = {
    "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }), jsonSchema: { input } },
  };
  expect(schemaCheckOf(schema).jsonSchema).toEqual({ type: "object", title: "draft-07" });
});

test("4.1: a schema with thousands of properties is checked, also when its compiled test is too deep for the stack", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
  const check = schemaCheckOf(
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Number())])), {
      additionalProperties: false,
    }),
  );
  expect(check.accepts?.({ p5: 1, p9999: 2 })).toBe(true);
  expect(check.accepts?.({ p5: 1, p9999: "2" })).toBe(false);
  expect(check.problems({ p5: "x", p9999: 2, q: 1 }).map(({ path }) => path)).toEqual(
    expect.arrayContaining([["q"], ["p5"]]),
  );
});

test("4.1: a value too deep for the stack does not cost the others their compiled test", () => {
  const check = schemaCheckOf({ ...Type.Object({ next: { $ref: "#" } as never }), required: [] });
  let deep: object = {};
  for (let level = 0; level < 100_000; level += 1) deep = { next: deep };
  expect(() => check.accepts?.(deep)).toThrow(RangeError);
  expect([check.accepts?.({ next: {} }), check.accepts?.({ next: 1 })]).toEqual([true, false]);
});

// What each `then` and `else` wants is a problem of its own, wherever the condition stands.
const condition = {
  if: { properties: { k: { const: "n" } } },
  then: { properties: { v: { type: "number" } }, required: ["v"] },
  else: { properties: { v: { type: "boolean" } }, required: ["v"] },
};
const conditional = { type: "object", properties: { k: { type: "string" }, v: {} }, ...condition };
test.each<[string, object, unknown, readonly (readonly [string, string])[]]>([
  ["then", conditional, { k: "n", v: "5" }, [["v", "#/then/properties/v"]]],
  ["a key that then wants", conditional, { k: "n" }, [["", "#/then"]]],
  ["else", conditional, { k: "m", v: "5" }, [["v", "#/else/properties/v"]]],
  [
    "then in an item",
    { type: "object", properties: { l: { type: "array", items: conditional } } },
    {
      l: [
        { k: "n", v: 1 },
        { k: "n", v: "x" },
      ],
    },
    [["l.1.v", "#/properties/l/items/then/properties/v"]],
  ],
  [
    "then beside allOf",
    { ...conditional, allOf: [{ type: "object" }, { required: ["k"] }] },
    { k: "n", v: "x" },
    [["v", "#/then/properties/v"]],
  ],
  [
    "then below allOf",
    { type: "object", allOf: [{ minProperties: 1 }, condition] },
    { k: "n", v: "x" },
    [["v", "#/allOf/1/then/properties/v"]],
  ],
  [
    "then behind a $ref, and in a part that a pointer into it leads to",
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A/then" } },
      $defs: { A: conditional },
    },
    { a: { k: "n", v: "x" }, b: { v: "x" } },
    [
      ["a.v", "#/properties/a/then/properties/v"],
      ["b.v", "#/properties/b/properties/v"],
    ],
  ],
  [
    "then within then",
    { type: "object", if: { required: ["k"] }, then: condition },
    { k: "n", v: "x" },
    [["v", "#/then/then/properties/v"]],
  ],
  [
    "then within else",
    { type: "object", if: { required: ["z"] }, then: {}, else: condition },
    { k: "n", v: "x" },
    [["v", "#/else/then/properties/v"]],
  ],
  [
    "nothing where properties are named if and then",
    { type: "object", properties: { if: { type: "object" }, then: { type: "number" }, allOf: { type: "number" } } },
    { if: {}, then: "x", allOf: "y" },
    [
      ["then", "#/properties/then"],
      ["allOf", "#/properties/allOf"],
    ],
  ],
])("A4: the problems of a condition are those of %s", (_what, schema, value, wanted) => {
  const before = JSON.stringify(schema);
  const problems = schemaCheckOf(schema).problems(value);
  expect(problems.map(({ path, rule }) => [path.join("."), rule?.schemaPath])).toEqual(wanted);
  expect(JSON.stringify(schema)).toBe(before);
});
