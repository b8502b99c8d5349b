// What a loader tells of the parameters of a tool, from any schema that a tool may have.
import { Type } from "typebox";
import { expect, test } from "vitest";
import { z } from "zod";
import { parameterNames, parametersOf } from "../../src/registry/schema-parameters.js";

const told = (schema: object) =>
  parametersOf(schema).map(({ name, type, isRequired }) => `${name}${isRequired ? "" : "?"}: ${type}`);
const typeOf = (schema: unknown) => told({ type: "object", properties: { a: schema } })[0];

test.each<[unknown, string]>([
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["open", "closed"] }, '"open" | "closed"'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7] }, "1 | 2 | 3 | 4 | 5 | 6 | …"],
  [{ const: true }, "true"],
  [{ type: "array", items: { type: "integer" } }, "integer[]"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array" }, "any[]"],
  [{ anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string | number"],
  [{ oneOf: [{ const: "a" }, { type: "null" }] }, '"a" | null'],
  [{}, "any"],
  [true, "any"],
  [{ $ref: "#/nowhere" }, "any"],
])("5: the type of %j is told as %s", (schema, type) => {
  expect(typeOf(schema)).toBe(`a?: ${type}`);
});

test("5: parameters are told in the order of the schema, with the required ones marked", () => {
  const schema = Type.Object({ to: Type.Array(Type.String()), note: Type.Optional(Type.String()), n: Type.Integer() });
  expect(told(schema)).toEqual(["to: string[]", "note?: string", "n: integer"]);
  expect(told(z.toJSONSchema(z.object({ at: z.string(), days: z.number().optional() })))).toEqual([
    "at: string",
    "days?: number",
  ]);
  expect(told({ type: "object" })).toEqual([]);
});

test("5: the parts of an intersection and what is referred to count as the schema's own", () => {
  const page = { type: "object", properties: { page: { $ref: "#/$defs/count" } }, required: ["page"] };
  const schema = {
    $defs: { page, count: { type: "integer" } },
    allOf: [{ type: "object", properties: { owner: { type: "string" } } }, { $ref: "#/$defs/page" }],
  };
  expect(told(schema)).toEqual(["owner?: string", "page: integer"]);
  expect(parameterNames(schema)).toEqual(["owner", "page"]);
});

test("5: a schema that contains itself, and one with too much in it, are read to a bound", () => {
  const self: Record<string, unknown> = { type: "object", properties: {}, allOf: [{ $ref: "#" }] };
  (self.properties as Record<string, unknown>).child = { $ref: "#" };
  expect(told(self)).toEqual(["child?: object"]);
  expect(parameterNames(self).length).toBeLessThanOrEqual(200);
  const refs = Array.from({ length: 1_000 }, () => ({ $ref: "#" }));
  for (const hostile of [{ allOf: refs }, { anyOf: refs }, { properties: { a: { anyOf: refs } } }]) {
    expect([parameterNames(hostile).length, parametersOf(hostile).length].every((count) => count < 2)).toBe(true);
  }
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`p${n}`, { type: "string" }]));
  expect(parameterNames({ type: "object", properties: many })).toHaveLength(200);
});
