import { expect, test } from "vitest";
import { describeTool, renderDeclarations } from "../../src/codemode/declarations/index.js";
import { AWKWARD_SCHEMAS } from "./declarations/awkward-schemas.js";
import { typeCheck } from "./declarations/type-check.js";

const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** A tool of `required + optional` described fields. */
function wideTool(name: string, required: number, optional: number) {
  const names = Array.from({ length: required + optional }, (_, index) => `field_${index}`);
  const properties = names.map((field, index) => [
    field,
    { type: index % 2 === 0 ? "string" : "integer", minimum: 1, description: `What stands at ${field}. It is long.` },
  ]);
  const inputSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: names.slice(0, required),
  };
  return { name, description: `Fills in the form ${name}. There is more to say about it.`, inputSchema };
}
const typedFields = (text: string) => text.match(/field_\d+\??: (?:string|number)/g)?.length ?? 0;
const requiredFields = (text: string) => text.match(/field_\d+: (?:string|number)/g)?.length ?? 0;

test.each([10, 100, 250])(
  "C6: of 300 fields alone the %i required ones are typed in under 1,500 tokens",
  (required) => {
    const text = renderDeclarations([wideTool("form", required, 300 - required)]);
    expect(tokensOf(text)).toBeLessThan(1_500);
    expect(requiredFields(text)).toBe(required);
  },
);

test("C6: a tool loses bounds first, then sentences, descriptions, optional and last required properties", () => {
  const tool = wideTool("form", 3, 20);
  const at = (budgetTokens: number) => renderDeclarations([tool], { budgetTokens });
  const features = [1_000, 450, 380, 190, 110, 75, 40].map((budget) => {
    const text = at(budget);
    expect(tokensOf(text)).toBeLessThanOrEqual(budget);
    return {
      bounds: text.includes(">= 1"),
      sentences: text.includes("It is long."),
      descriptions: text.includes("What stands"),
      optional: typedFields(text) === 23,
      optionalNames: text.includes("field_22"),
      required: requiredFields(text) === 3,
    };
  });
  const counts = features.map((each) => Object.values(each).filter(Boolean).length);
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  expect(counts[0]).toBe(6);
  expect(features.map(({ required }) => required)).toEqual([true, true, true, true, true, true, false]);
});

test("C6: many tools stay within the budget, none disappears, and what is left goes to the first", async () => {
  const pieces = [3, 10, 40, 120, 300].map((count) => {
    const tools = Array.from({ length: count }, (_, index) => ({
      ...wideTool(`tool_${index}`, 2, index % 9),
      namespace: { name: `group_${index % 3}`, description: "Forms." },
    }));
    const declarations = renderDeclarations(tools);
    expect(tokensOf(declarations), `${count} tools`).toBeLessThanOrEqual(4_000);
    const named = tools.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(declarations));
    expect(named).toHaveLength(count);
    const last = `tools.tool_${count - 1}({ field_0: "a", field_1: 1 })`;
    return {
      declarations,
      statements: [`tools.tool_0({ field_0: "a", field_1: 1 })`, `tools.tool_0({ field_0: 5 })`, last],
    };
  });
  for (const { errors, statements } of await typeCheck(pieces)) {
    expect(errors).toEqual([]);
    expect(statements.map((error) => error !== undefined)).toEqual([false, true, false]);
  }
});

test("C6: thousands of tools are named as far as the budget goes, and counted", () => {
  const tools = Array.from({ length: 3_000 }, (_, index) => wideTool(`tool_${index}`, 2, 2));
  const text = renderDeclarations(tools);
  expect(tokensOf(text)).toBeLessThanOrEqual(4_000);
  expect(text).toMatch(/\/\/ \d+ more tools can be called: searchTools\(query\) finds them\./);
});

test("C6: hundreds of namespaces with long descriptions do not use the budget up", () => {
  const tools = Array.from({ length: 200 }, (_, index) => ({
    ...wideTool(`tool_${index}`, 1, 1),
    namespace: { name: `group_${index}`, description: "Words. ".repeat(70) },
  }));
  expect(tokensOf(renderDeclarations(tools))).toBeLessThanOrEqual(4_000);
});

test("C6: one tool among others has 400 tokens, or what toolBudgetTokens says", () => {
  const tools = [wideTool("a", 2, 60), wideTool("b", 2, 60)];
  expect(tokensOf(renderDeclarations(tools))).toBeLessThanOrEqual(850);
  const generous = renderDeclarations(tools, { toolBudgetTokens: 2_000 });
  expect(typedFields(generous)).toBe(124);
  expect(generous).toContain("What stands");
});

test("C6: definitions that several tools share are written once", () => {
  const $defs = { User: { type: "object", properties: { login: { type: "string" } }, required: ["login"] } };
  const inputSchema = { type: "object", properties: { user: { $ref: "#/$defs/User" } }, $defs };
  const other = {
    ...inputSchema,
    $defs: { User: { type: "object", properties: { id: { type: "number" } }, required: ["id"] } },
  };
  const text = renderDeclarations([
    { name: "follow", inputSchema },
    { name: "block", inputSchema: structuredClone(inputSchema) },
    { name: "bill", inputSchema: other },
  ]);
  expect(text.match(/login: string/g)).toHaveLength(1);
  expect(text).toContain("type User = ");
  expect(text).toContain("type BillUser = ");
});

test("describeTool shows what renderDeclarations had to leave out", () => {
  const text = describeTool(wideTool("form", 3, 297));
  expect(typedFields(text)).toBe(300);
  expect(text).toContain("What stands at field_299. It is long. [integer, >= 1]");
});

test("C6: a schema takes under 5 ms once warm, also one made to be slow", () => {
  const list = Array.from({ length: 60 }, (_, index) => ({ $ref: `#/$defs/D${index % 12}` }));
  const knots = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`D${index}`, { anyOf: list }]));
  const knot = { type: "object", properties: { a: { allOf: [...list, { anyOf: list }] } }, $defs: knots };
  let deep: object = { type: "string" };
  for (let level = 0; level < 2_000; level += 1) deep = { type: "object", properties: { a: deep } };
  const circle: { properties: Record<string, unknown>; type: string } = { type: "object", properties: {} };
  circle.properties.self = circle;
  const schemas = [...AWKWARD_SCHEMAS.map(({ schema }) => schema), knot, deep, circle];

  for (const inputSchema of schemas) {
    const tool = { name: "probe", inputSchema };
    for (let round = 0; round < 60; round += 1) renderDeclarations([tool]);
    const times = Array.from({ length: 9 }, () => {
      const start = performance.now();
      renderDeclarations([tool]);
      return performance.now() - start;
    });
    expect(Math.min(...times), JSON.stringify(Object.keys(inputSchema))).toBeLessThan(5);
  }
});
