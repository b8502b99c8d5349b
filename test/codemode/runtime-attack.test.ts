// What an attacker found who was told to break the runtime.
import { createCodemodeRuntime, renderDeclarations } from "nestcall/codemode";
import { afterAll, describe, expect, test } from "vitest";
import { Lab, labRuntime, type RunOptions } from "./lab.js";

const runtime = labRuntime({ workers: 1 });
afterAll(() => runtime.close());

describe("C4: limits that the engine cannot hold", () => {
  const LARGEST = 4096 * 2 ** 20 - 4 * 2 ** 20;
  test.each([2 ** 32 - 2 ** 20, 2 ** 32 - 1, 2 ** 33, Number.POSITIVE_INFINITY])(
    "memoryBytes: %d is refused",
    async (memoryBytes) => {
      const refused = { code: "INVALID_ARGUMENTS", message: expect.stringContaining(`${LARGEST} at most`) };
      const lab = new Lab(runtime);
      await expect(lab.run("1", {}, { limits: { memoryBytes } })).rejects.toMatchObject(refused);
      expect(() => createCodemodeRuntime({ limits: { memoryBytes } })).toThrow(expect.objectContaining(refused));
    },
  );

  test("the largest memory is given", async () => {
    const source = "const all = Array.from({ length: 200000 }, (_, n) => ({ n })); all.length";
    const run = await new Lab(runtime).run(source, {}, { limits: { memoryBytes: LARGEST } });
    expect([run.status, run.error, run.value]).toEqual(["ok", undefined, 200000]);
  });

  test("limits without an end are none", async () => {
    const limits = {
      argumentBytes: Number.POSITIVE_INFINITY,
      valueBytes: Number.POSITIVE_INFINITY,
      outputBytes: Number.POSITIVE_INFINITY,
      resultBytes: Number.POSITIVE_INFINITY,
    };
    const lab = new Lab(runtime);
    const source = 'text("printed"); image("data:image/png;base64,AAAA"); return await tools.echo("seven");';
    const run = await lab.run(source, lab.tools, { limits });
    expect([run.status, run.error, run.value, run.output.length]).toEqual(["ok", undefined, "seven", 2]);
    expect(run.output[0]).toEqual({ type: "text", text: "printed" });
  });
});

describe("7.1: tools that are none are refused at the door, and end no script", () => {
  test.each([
    ["namespace", { namespace: "grp" }, /"bad".*namespace/],
    ["namespace null", { namespace: null }, /"bad".*namespace/],
    ["the name of the namespace", { namespace: { name: 5 } }, /"bad".*namespace/],
    ["its description", { namespace: { name: "grp", description: 5 } }, /"bad".*namespace\.description/],
    ["its instructions", { namespace: { name: "grp", instructions: [] } }, /"bad".*namespace\.instructions/],
    ["description", { description: 5 }, /"bad".*description/],
    ["title", { title: {} }, /"bad".*title/],
    ["listed", { listed: "no" }, /"bad".*listed/],
  ])("%s", async (_field, field, message) => {
    const lab = new Lab(runtime);
    const neighbour = lab.run("return await tools.held();");
    const tools = [{ name: "good" }, { name: "bad", ...field }] as unknown as RunOptions["tools"];
    const refused = { code: "INVALID_ARGUMENTS", message: expect.stringMatching(message) };
    await expect(lab.run("searchTools('bad')", {}, { tools })).rejects.toMatchObject(refused);
    expect(() => renderDeclarations(tools)).toThrow(expect.objectContaining(refused));
    lab.gate.open("held");
    expect(await neighbour).toMatchObject({ status: "ok", value: "held" });
  });

  test("two tools of one name", async () => {
    const tools = [{ name: "same" }, { name: "other" }, { name: "same" }];
    const refused = { code: "INVALID_ARGUMENTS", message: expect.stringContaining('"same"') };
    await expect(new Lab(runtime).run("1", {}, { tools })).rejects.toMatchObject(refused);
  });

  test.each([[5], [null], [{}], [[null]], [[5]], [[{}]], [[{ name: 5 }]]])("renderDeclarations(%j)", (tools) => {
    const refused = { code: "INVALID_ARGUMENTS", message: expect.stringContaining("renderDeclarations()") };
    expect(() => renderDeclarations(tools as never)).toThrow(expect.objectContaining(refused));
  });
});

describe("7.1: a function that is exported and never called gives a warning", () => {
  test.each([
    "export async function main() {\n  return 7;\n}",
    "export const main = async () => 5;",
    "export const main = async (): Promise<number> => 5;",
    "export const main = async function () { return 5; };",
    "async function main() { return 5; }\nexport { main };",
  ])("%s", async (source) => {
    const run = await new Lab(runtime).run(source);
    expect([run.status, run.value]).toEqual(["ok", undefined]);
    expect(run.warnings).toEqual([
      expect.stringMatching(/main is declared and never called.*export default await main\(\);/),
    ]);
  });

  test.each([
    "async function main() {}\nexport { main as default };",
    "export async function main() {}\nexport default await main();",
  ])("%s does not", async (source) => {
    expect(await new Lab(runtime).run(source)).toMatchObject({ status: "ok", warnings: [] });
  });
});

describe("7.1: fences", () => {
  test.each(["```", "````", "`````", "~~~~"])("%s", async (fence) => {
    const run = await new Lab(runtime).run(`${fence}js\nreturn 7;\n${fence}`);
    expect([run.error, run.value, run.warnings]).toEqual([undefined, 7, []]);
  });

  test("a longer fence holds shorter ones", async () => {
    const run = await new Lab(runtime).run("````js\n/*\n```\n*/\nreturn 7;\n````\n");
    expect([run.error, run.value, run.warnings]).toEqual([undefined, 7, []]);
  });
});
