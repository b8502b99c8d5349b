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
