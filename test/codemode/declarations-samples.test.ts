import { expect, test } from "vitest";
import { describeTool, renderDeclarations } from "../../src/codemode/declarations/index.js";
import { schemaCheckOf } from "../../src/tools/schema-check.js";
import { AWKWARD_SCHEMAS, type AwkwardSchema } from "./declarations/awkward-schemas.js";
import { typeCheck } from "./declarations/type-check.js";

const toolOf = ({ schema, what }: AwkwardSchema) => ({ name: "probe", description: what, inputSchema: schema });
const call = (value: unknown) => `tools.probe(${JSON.stringify(value)})`;

test("C6: the samples say what the check says, 17 valid and 22 invalid", () => {
  for (const { what, schema, valid, invalid } of AWKWARD_SCHEMAS) {
    const check = schemaCheckOf(schema);
    const accepts = (value: unknown) => check.accepts?.(value);
    for (const value of valid) expect(accepts(value), `${what}: ${JSON.stringify(value)}`).toBe(true);
    for (const value of invalid) expect(accepts(value), `${what}: ${JSON.stringify(value)}`).toBe(false);
  }
  expect(AWKWARD_SCHEMAS.flatMap(({ valid }) => valid)).toHaveLength(17);
  expect(AWKWARD_SCHEMAS.flatMap(({ invalid }) => invalid)).toHaveLength(22);
});

test.each([
  ["renderDeclarations", (tool: ReturnType<typeof toolOf>) => renderDeclarations([tool])],
  ["describeTool", (tool: ReturnType<typeof toolOf>) => describeTool(tool)],
])("C6: the types of %s accept every valid sample and refuse every invalid one", async (_name, render) => {
  const pieces = AWKWARD_SCHEMAS.map((awkward) => ({
    declarations: render(toolOf(awkward)),
    statements: [...awkward.valid, ...awkward.invalid].map(call),
  }));
  const verdicts = await typeCheck(pieces);

  for (const [index, { errors, statements }] of verdicts.entries()) {
    const { what, valid } = AWKWARD_SCHEMAS[index] as AwkwardSchema;
    expect(errors, what).toEqual([]);
    const refused = statements.map((error) => error !== undefined);
    expect(refused, `${what}\n${pieces[index]?.declarations}`).toEqual(
      statements.map((_, sample) => sample >= valid.length),
    );
  }
});

test("C6: a definition keeps its description, required properties come first, both in schema order", () => {
  const [described, ordered] = [AWKWARD_SCHEMAS[8], AWKWARD_SCHEMAS[9]].map((awkward) =>
    renderDeclarations([toolOf(awkward as AwkwardSchema)]),
  );
  expect(described).toContain("/** A place on the map. */\n  type Place = {");
  expect(ordered).toContain("{ zebra: string; mango: string; apple?: boolean }");
});

test("C6: 12 definitions used twice each are written once each", () => {
  const text = renderDeclarations([toolOf(AWKWARD_SCHEMAS[11] as AwkwardSchema)]);
  expect(text.match(/type Part\d+ =/g)).toHaveLength(12);
  expect(text.length).toBeLessThan(2_000);
});
