import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { explainArguments } from "../../src/tools/explain-arguments.js";
import { schemaCheckOf } from "../../src/tools/schema-check.js";

const closed = (properties: Readonly<Record<string, unknown>>) =>
  Type.Object(properties as never, { additionalProperties: false });

function explain(schema: object, value: unknown): string[] {
  const text = explainArguments("target", schemaCheckOf(schema).problems(value), schema, value);
  const [first, ...lines] = text.split("\n");
  expect(first).toContain("target");
  expect(text.length).toBeLessThan(4_096);
  return lines;
}

test.each<[string, object, unknown, readonly string[]]>([
  ["a root of another kind", closed({}), 5, ["- arguments: must be an object, got a number"]],
  [
    "a nested place",
    closed({ edits: Type.Array(closed({ oldText: Type.String() })) }),
    { edits: [{ oldText: "a" }, { oldText: 1 }, {}] },
    ["- edits[1].oldText: must be a string, got a number", "- edits[2].oldText: is missing (a string)"],
  ],
  [
    "a text for a number",
    closed({ n: Type.Integer() }),
    { n: "five" },
    ['- n: must be an integer, got the string "five"'],
  ],
  ["a part of a number", closed({ n: Type.Integer() }), { n: 1.5 }, ["- n: must be an integer, got 1.5"]],
  [
    "a choice",
    closed({ mode: Type.Enum(["fast", "slow"]) }),
    { mode: "quick" },
    ['- mode: must be one of "fast", "slow", got the string "quick"'],
  ],
  ["a literal", closed({ k: Type.Literal("a") }), { k: "b" }, ['- k: must be "a", got the string "b"']],
  [
    "an unknown key",
    closed({ skipTests: Type.Optional(Type.Boolean()) }),
    { skip_tests: true },
    ['- skip_tests: is not a known key; did you mean "skipTests"?'],
  ],
  [
    "a key unlike any other",
    closed({ path: Type.Optional(Type.String()) }),
    { zq: 1 },
    ['- zq: is not a known key; the known keys are "path"'],
  ],
  ["a key where none is", closed({}), { zq: 1 }, ["- zq: is not a known key; none is taken here"]],
  [
    "a union of kinds",
    closed({ u: Type.Union([Type.String(), Type.Number()]) }),
    { u: true },
    ["- u: must be either a string or a number, got true"],
  ],
  [
    "a union of literals",
    closed({ u: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]) }),
    { u: 5 },
    ["- u: must be either a string or null, got 5"],
  ],
  [
    "a nullable choice",
    closed({ u: Type.Union([Type.Enum(["a", "b"]), Type.Null()]) }),
    { u: "c" },
    [expect.stringContaining('"a", "b"') as unknown as string],
  ],
  [
    "the branch that was meant",
    closed({ u: Type.Union([closed({ k: Type.Literal("a"), n: Type.Number() }), closed({ k: Type.Literal("b") })]) }),
    { u: { k: "a", n: "x" } },
    ['- u.n: must be a number, got the string "x"'],
  ],
  [
    "an intersection",
    Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })], {
      unevaluatedProperties: false,
    }),
    { a: 1, b: 2, c: 3 },
    ["- a: must be a string, got a number", '- c: is not a known key; the known keys are "a", "b"'],
  ],
  [
    "record values",
    closed({ r: Type.Record(Type.String(), Type.Number()) }),
    { r: { "a b": "x" } },
    ['- r["a b"]: must be a number, got the string "x"'],
  ],
  [
    "a schema for further keys",
    Type.Object({}, { additionalProperties: Type.Number() }),
    { a: "x" },
    ['- a: must be a number, got the string "x"'],
  ],
  [
    "a short text",
    closed({ s: Type.String({ minLength: 3 }) }),
    { s: "x" },
    ['- s: must not have fewer than 3 characters, got the string "x"'],
  ],
  [
    "a place behind a $ref",
    { ...closed({ a: { $ref: "#/$defs/A" } }), $defs: { A: closed({ key: Type.Optional(Type.String()) }) } },
    { a: { Key: 1 } },
    ['- a.Key: is not a known key; did you mean "key"?'],
  ],
])("A4: %s is one readable line each", (_what, schema, value, lines) => {
  expect(explain(schema, value)).toEqual(lines);
});

test("A4: every failing place is named, also beyond TypeBox's eight", () => {
  const names = Array.from({ length: 20 }, (_, index) => `field${index}`);
  const schema = closed(Object.fromEntries(names.map((name) => [name, Type.Number()])));
  expect(explain(schema, Object.fromEntries(names.map((name) => [name, "x"])))).toHaveLength(20);
});

test("A4: long values, many problems and keys with line ends stay short, and what is left out is counted", () => {
  const schema = closed({ a: Type.Array(Type.Number()) });
  const long = explain(schema, { a: Array(5_000).fill("q".repeat(10_000)), "x\n- n: is fine": 1 });
  expect(long.at(-1)).toMatch(/^… and 4\d\d\d more problems$/);
  expect(long.join()).not.toContain("q".repeat(100));
  expect(explain(schema, { a: [], "x\n- n: is fine\u202e": 1 })).toHaveLength(1);
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}${"w".repeat(500)}`, 1]));
  expect(explain(schema, { a: [], ...keys }).at(-1)).toMatch(/more problems$/);
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
  expect(explain(schema, { a: [], ...many })[0]).toMatch(/^- k0: is not a known key/);
});

test("A4: the problems of a library keep its words", async () => {
  const schema = z.strictObject({ mode: z.enum(["fast", "slow"]), list: z.array(z.number()) });
  const value = { mode: "quick", list: ["x"], extra: 1 };
  const result = await schemaCheckOf(schema).validate(value);
  const text = explainArguments("target", result.ok ? [] : result.problems, schemaCheckOf(schema).jsonSchema, value);
  for (const part of ["- mode: ", "fast", "- list[0]: ", "extra"]) expect(text).toContain(part);
});

const condition = {
  if: { properties: { k: { const: "n" } } },
  then: { properties: { v: { type: "number" } }, required: ["v"] },
  else: { properties: { v: { type: "boolean" } }, required: ["v"] },
};
const conditional = { type: "object", properties: { k: { type: "string" }, v: {} }, ...condition };
test.each<[string, object, unknown, readonly string[]]>([
  ["then wants", conditional, { k: "n", v: "five" }, ['- v: must be a number, got the string "five"']],
  ["then misses", conditional, { k: "n" }, ["- v: is missing (a number)"]],
  ["else misses", conditional, {}, ["- v: is missing (a number)"]],
  ["else wants", conditional, { k: "m", v: 1 }, ["- v: must be a boolean, got a number"]],
  [
    "then wants behind a $ref in a list",
    { ...closed({ l: Type.Array({ $ref: "#/$defs/C" } as never) }), $defs: { C: conditional } },
    { l: [{ k: "n" }] },
    ["- l[0].v: is missing (a number)"],
  ],
  [
    "then wants of a closed object",
    { type: "object", properties: { k: {} }, ...condition, unevaluatedProperties: false },
    { k: "n", v: "x", w: 1 },
    ['- v: must be a number, got the string "x"', '- w: is not a known key; the known keys are "k", "v"'],
  ],
  [
    "nothing can be",
    { type: "object", if: { required: ["a"] }, then: false },
    { a: 1 },
    ["- arguments: does not fit what its schema wants in this case"],
  ],
])("A4: what %s is named", (_what, schema, value, lines) => {
  expect(explain(schema, value)).toEqual(lines);
});

const long = "q".repeat(300);
const withJson = (schema: { readonly "~standard": object }, jsonSchema: object) => ({
  "~standard": { ...schema["~standard"], jsonSchema: { input: () => jsonSchema } },
});
const jsonSchema = {
  type: "object",
  properties: { path: { type: "string" }, n: { type: "number" }, mode: { enum: ["fast", "slow"] } },
  additionalProperties: false,
};
test.each<[string, object]>([
  [
    "zod",
    z.strictObject({
      path: z.string(),
      n: z.number({ error: ({ input }) => `no number: ${String(input)}` }).optional(),
    }),
  ],
  ["arktype", type({ "+": "reject", path: "string", "n?": "number", "mode?": "'fast'|'slow'" })],
  [
    "valibot",
    withJson(
      v.strictObject({ path: v.string(), n: v.optional(v.number()), mode: v.optional(v.picklist(["fast", "slow"])) }),
      jsonSchema,
    ),
  ],
])("A4: issues of %s suggest the closest known key and repeat no long value", async (_name, schema) => {
  const check = schemaCheckOf(schema);
  const explained = async (value: unknown) => {
    const result = await check.validate(value);
    return explainArguments("target", result.ok ? [] : result.problems, check.jsonSchema, value).split("\n");
  };
  expect(await explained({ pth: "x" })).toContain('- pth: is not a known key; did you mean "path"?');
  const unlike = (await explained({ path: "x", [`zq${long}`]: 1 })).join("\n");
  expect(unlike).toContain('is not a known key; the known keys are "');
  const lines = await explained({ path: "x", n: long, mode: { a: long } });
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThan(230);
  expect([...lines, unlike].join("\n")).not.toContain("q".repeat(61));
});

test("A4: a message of a library is cut, but the choices of its JSON Schema are not", async () => {
  const choices = Array.from({ length: 30 }, (_, index) => `choice-${index}`);
  const check = schemaCheckOf(
    z.strictObject({ c: z.enum(choices), t: z.string().refine(() => false, `${"w ".repeat(400)}`) }),
  );
  const value = { c: "x", t: "t" };
  const result = await check.validate(value);
  const text = explainArguments("target", result.ok ? [] : result.problems, check.jsonSchema, value);
  for (const choice of choices) expect(text).toContain(`"${choice}"`);
  expect(text.split("\n").find((line) => line.startsWith("- t: "))?.length).toBe(205);
});
