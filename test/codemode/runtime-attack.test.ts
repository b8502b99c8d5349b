// What an attacker found who was told to break the runtime.
import { createCodemodeRuntime, renderDeclarations } from "nestcall/codemode";
import { afterAll, describe, expect, test } from "vitest";
import { Lab, labRuntime, type RunOptions } from "./lab.js";

const runtime = labRuntime({ workers: 1 });
afterAll(() => runtime.close());

describe("7.1: only a function that the script wrote is called when it is the script's value", () => {
  test.each([
    ["a tool that is assigned", "const m = {}; m.remove = tools.echo", "echo"],
    ["a tool", "tools.echo", "echo"],
    ["a tool in brackets", "(tools.echo)", "echo"],
    ["a tool of a promise", "Promise.resolve(tools.echo)", "echo"],
    ["a bound tool", "tools.echo.bind(null)", "bound"],
    ["a proxy of a tool", "new Proxy(tools.echo, {})", ""],
    ["a tool as default export", "export default tools.echo;", "echo"],
    ["text", "text", "text"],
    ["console.log", "console.log", "log"],
    ["a built-in", "JSON.stringify", "stringify"],
    ["a bound built-in", "const show = console.log.bind(console); show", "bound"],
  ])("%s", async (_case, source, name) => {
    const lab = new Lab(runtime);
    const { status, value, warnings, output, console: lines } = await lab.run(source);
    expect({ status, value, output, lines, made: lab.made }).toEqual({
      status: "ok",
      value: undefined,
      output: [],
      lines: [],
      made: [],
    });
    expect(warnings).toEqual([expect.stringMatching(/did not write.*not called.*return await tools\./)]);
    expect(warnings[0]).toContain(name);
  });

  test.each([
    ["one that is evaluated", "(0, eval)('() => 7')"],
    ["one made of text", "new Function('return 7')"],
    ["a method", "({ seven() { return 7; } }).seven"],
    ["one that calls a tool", "const seven = async () => await tools.echo(7); seven"],
  ])("%s is", async (_case, source) => {
    expect(await new Lab(runtime).run(source)).toMatchObject({ status: "ok", value: 7, warnings: [] });
  });
});

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

describe("7.1: image() takes images", () => {
  const block = (data: string, mimeType: string) => JSON.stringify({ type: "image", data, mimeType });
  test.each([
    ["data that is no base64", block("!!!", "image/png")],
    ["base64 of a length that there is not", block("AAAAA", "image/png")],
    ["base64 for addresses", block("__--", "image/png")],
    ["data that is empty", block("", "image/png")],
    ["data of padding only", block("==", "image/png")],
    ["another type", block("AAAA", "text/html")],
    ["a type with more parts", block("AAAA", "image/../../x")],
    ["a type of dots", block("AAAA", "image/..")],
    ["a type without a name", block("AAAA", "image/")],
    ["a type with more lines", block("AAAA", "image/png\nX: 1")],
    ["an address without data", '"data:image/png;base64,"'],
    ["an address of no base64", '"data:image/png;base64,!!!"'],
    ["an address with a bad type", '"data:image/../x;base64,AAAA"'],
    ["text", '"picture.png"'],
    ["nothing", ""],
  ])("%s is refused", async (_case, given) => {
    const run = await new Lab(runtime).run(`image(${given})`);
    expect(run.output).toEqual([]);
    expect(run.error).toMatchObject({ name: "TypeError", message: expect.stringContaining("data:image/png;base64,…") });
  });

  test.each([
    ["AAAA", "image/png"],
    ["AA==", "image/jpeg"],
    ["AAA=", "image/svg+xml"],
    ["AA", "image/x-icon"],
    ["+/8", "image/vnd.microsoft.icon"],
  ])("%s as %s is taken, as a block and as an address", async (data, mimeType) => {
    const run = await new Lab(runtime).run(`image(${block(data, mimeType)}); image("data:${mimeType};base64,${data}")`);
    const image = { type: "image", data, mimeType };
    expect([run.error, run.output]).toEqual([undefined, [image, image]]);
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

describe("7.1: what is told of an error is bounded", () => {
  const count = (error: unknown): number => {
    if (typeof error !== "object" || error === null) return 0;
    const { cause, errors = [] } = error as { readonly cause?: unknown; readonly errors?: readonly unknown[] };
    return 1 + count(cause) + errors.reduce((sum: number, one) => sum + count(one), 0);
  };

  test.each([
    ["that holds itself", "const e = new AggregateError([]); e.errors = [e, e, e, e, e, e, e, e, e, e]; throw e;", 1],
    ["that is its own cause", "const e = new Error('mine'); e.cause = e; throw e;", 1],
    [
      "of errors of errors",
      "const deep = (n) => new AggregateError(n === 0 ? [] : Array.from({ length: 10 }, () => deep(n - 1)), 'level ' + n); throw deep(3);",
      11,
    ],
    [
      "with many causes",
      "let e = new Error('0'); for (let n = 1; n < 50; n += 1) e = new Error(String(n), { cause: e }); throw e;",
      11,
    ],
  ])("one %s", async (_case, source, wanted) => {
    const { status, error } = await new Lab(runtime).run(source);
    expect([status, count(error)]).toEqual(["error", wanted]);
  });

  test("long texts in inner errors", async () => {
    const source = "throw new AggregateError(Array.from({ length: 10 }, () => new Error('x'.repeat(100000))));";
    const { error } = await new Lab(runtime).run(source);
    expect(JSON.stringify(error).length).toBeLessThan(6 * 65536);
  });

  test("a long code is cut like a name, one that JSON does not have is left out", async () => {
    const long = await new Lab(runtime).run("throw Object.assign(new Error('long'), { code: 'x'.repeat(1000000) });");
    expect((long.error as { readonly code?: string }).code).toHaveLength(65536);
    const odd = await new Lab(runtime).run("throw Object.assign(new Error('odd'), { code: NaN });");
    expect(odd.error).not.toHaveProperty("code");
  });
});

describe("C2: arguments", () => {
  const KEYS = [`x"__proto__`, `x\\"__proto__`, `"__proto__`, `\\"__proto__`];
  test.each(KEYS)("a key that only ends like __proto__ is sent: %s", async (key) => {
    const args = { [key]: 1, value: `${key}":` };
    const lab = new Lab(runtime);
    expect(await lab.value(`return await tools.echo(${JSON.stringify(args)});`)).toEqual(args);
    const large = { ...args, more: "x".repeat(200_000) };
    expect(
      await lab.value(`return await tools.echo({ ...${JSON.stringify(args)}, more: "x".repeat(200000) });`),
    ).toEqual(large);
  });

  test.each(["", "x".repeat(200_000)])("the key __proto__ is refused wherever it is", async (more) => {
    const source = `return await tools.echo({ ${JSON.stringify(KEYS[0])}: "${more}", list: [JSON.parse('{"__proto__":1}')] });`;
    expect((await new Lab(runtime).run(source)).error?.message).toContain("arguments.list[0].__proto__");
  });

  test.each([
    [
      "its own JSON",
      "toJSON() { return JSON.stringify({ seen: new Map() }); }",
      /arguments\.rows\[0\]\.toJSON\(\).* is a Map/,
    ],
    ["what it gives", "toJSON() { return { seen: new Map() }; }", /arguments\.rows\[0\]\.seen is a Map/],
  ])("what cannot be sent from toJSON is told with its place: %s", async (_case, member, message) => {
    const { error } = await new Lab(runtime).run(`return await tools.echo({ rows: [{ ${member} }] });`);
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringMatching(message) });
  });

  test("an iterator is not sent as an empty object", async () => {
    const { error } = await new Lab(runtime).run("return await tools.echo({ ids: new Map().keys() });");
    expect(error?.message).toMatch(/arguments\.ids is an iterator; .*\[\.\.\.it\]/);
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

describe("7.1: a generator that is returned gives a warning", () => {
  test.each([
    "function* rows() { yield 1; }\nreturn rows();",
    "async function* rows() { yield 1; }\nrows()",
    "(function* () { yield 1; })",
    "return { rows: new Map([[1, 2]]).values() };",
  ])("%s", async (source) => {
    const { status, warnings } = await new Lab(runtime).run(source);
    expect([status, warnings]).toEqual(["ok", [expect.stringMatching(/generator.*\[\.\.\.it\]/)]]);
  });
});
