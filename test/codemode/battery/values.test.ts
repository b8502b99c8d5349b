// Rows 39 to 55: awkward values on their way in and out.
import { performance } from "node:perf_hooks";
import { expect } from "vitest";
import { echo, type Lab, type Run } from "../lab.js";
import { battery } from "./row.js";

const row = battery();
const CPU_ENDS = { status: "limit", error: { limit: "cpu" } };

/** The message with which a call with this argument is refused; no call may have been made. */
async function refusalOf(lab: Lab, argument: string, before = ""): Promise<string> {
  const source = `${before}\ntry { await tools.echo(${argument}); } catch (error) { return String(error.message); }\nreturn "accepted";`;
  const message = await lab.value(source);
  expect(lab.seen).toEqual([]);
  return String(message);
}

row("row 39: an argument whose getter throws is refused, and no call is made", async (lab) => {
  expect(await refusalOf(lab, '{ get a() { throw new Error("from the getter"); } }')).toContain("from the getter");
});

row("row 40: a toJSON that never ends ends the script by its time", async (lab) => {
  expect(await lab.run("await tools.echo({ toJSON() { for (;;) {} } });")).toMatchObject(CPU_ENDS);
  expect(lab.seen).toEqual([]);
});

row("row 41: a toJSON that calls a tool makes both calls, the inner one first", async (lab) => {
  const source = 'return await tools.echo({ a: { toJSON() { tools.echo({ inner: true }); return "outer"; } } });';
  expect(await lab.value(source)).toEqual({ a: "outer" });
  expect(lab.seen).toEqual([
    { name: "echo", args: { inner: true }, id: 1 },
    { name: "echo", args: { a: "outer" }, id: 2 },
  ]);
});

row("row 42: a proxy that lies gives what its traps say", async (lab) => {
  const source = `
    const traps = {
      ownKeys: () => ["b"],
      getOwnPropertyDescriptor: () => ({ value: 2, enumerable: true, configurable: true }),
      get: (_target, key) => (key === "b" ? 3 : undefined),
    };
    return await tools.echo(new Proxy({ a: 1 }, traps));`;
  expect(await lab.value(source)).toEqual({ b: 3 });
});

row("row 43: nothing, undefined, null, NaN and a function arrive as JSON has them", async (lab) => {
  const source = `
    await tools.echo();
    await tools.echo(undefined);
    await tools.echo(null);
    await tools.echo({ n: NaN });
    await tools.echo({ f() {}, u: undefined, k: 1 });`;
  await lab.value(source);
  expect(lab.seen.map(({ args }) => args)).toEqual([undefined, undefined, null, { n: null }, { k: 1 }]);
});

row("row 44: BigInts and cycles are refused, with their place", async (lab) => {
  expect(await refusalOf(lab, "{ a: [{ b: 1n }] }")).toContain("a[0].b");
  expect(await refusalOf(lab, "round", "const round = { list: [] }; round.list.push(round);")).toContain("list[0]");
});

row("row 45: Map, Set and typed arrays are refused with advice, a Date is its text", async (lab) => {
  for (const odd of ["new Map([[1, 2]])", "new Set([1])", "new Uint8Array(2)"]) {
    const message = await refusalOf(lab, `{ deep: { odd: ${odd} } }`);
    expect(message).toContain("deep.odd");
    expect(message).toMatch(/array|Object\.fromEntries/);
  }
  expect(await lab.value("return await tools.echo({ at: new Date(0) })")).toEqual({ at: "1970-01-01T00:00:00.000Z" });
});

row("row 46: whatever is thrown is described at once", async (lab) => {
  for (const thrown of ["undefined", "null", 'Symbol("s")', "Object.create(null)", "7", '"a text"', "{ a: 1 }"]) {
    const startedAt = performance.now();
    const run = await lab.run(`throw ${thrown};`);
    lab.within(`throw ${thrown}`, performance.now() - startedAt, 10);
    expect(run.status).toBe("error");
    expect(run.error?.message).toMatch(/./);
  }
});

row("row 47: a thrown value that fights its description gives a placeholder, or ends by its time", async (lab) => {
  const throwsOnAll = 'new Proxy({}, new Proxy({}, { get() { throw new Error("no"); } }))';
  for (const thrown of [
    "{ get message() { for (;;) {} } }",
    'Object.defineProperty(new Error("e"), "message", { get() { for (;;) {} } })',
    "new (class extends Error { get stack() { for (;;) {} } })()",
    "{ toString() { for (;;) {} } }",
    throwsOnAll,
  ]) {
    const run = await lab.run(`throw ${thrown};`);
    expect([thrown, run.status === "error" || run.error?.limit === "cpu"]).toEqual([thrown, true]);
    expect(run.error?.message).toMatch(/./);
    expect(run.timings.cpuMs).toBeLessThan(4500);
  }
});

row("row 48: the cause of an error is told", async (lab) => {
  const run = await lab.run('throw new Error("outer", { cause: new TypeError("inner", { cause: "the root" }) });');
  expect(run.status).toBe("error");
  const told = JSON.stringify(run.error);
  for (const text of ["outer", "TypeError", "inner", "the root"]) expect(told).toContain(text);
});

const isWarnedOf = ({ warnings }: Run, pattern: RegExp) => expect(warnings.join("\n")).toMatch(pattern);

row("row 49: a returned function or symbol is no value, with a warning", async (lab) => {
  for (const [value, what] of [
    ["() => 1", /function/],
    ['Symbol("s")', /symbol/i],
  ] as const) {
    const run = await lab.run(`return ${value};`);
    expect([run.status, run.value]).toEqual(["ok", undefined]);
    isWarnedOf(run, what);
  }
});

row("row 50: a returned BigInt or cycle is an error that names its place", async (lab) => {
  const big = await lab.run("return { a: { b: [1n] } };");
  expect(big).toMatchObject({ status: "error", error: { message: expect.stringContaining("a.b[0]") } });
  const round = await lab.run("const round = { list: [] }; round.list.push(round); return round;");
  expect(round).toMatchObject({ status: "error", error: { message: expect.stringContaining("list[0]") } });
});

row("row 51: a returned object whose toJSON or then never ends ends by its time", async (lab) => {
  expect(await lab.run("return { toJSON() { for (;;) {} } };")).toMatchObject(CPU_ENDS);
  expect(await lab.run("return { then() { for (;;) {} } };")).toMatchObject(CPU_ENDS);
});

row("row 52: promises that are returned or printed give a warning about await", async (lab) => {
  for (const source of [
    "return [tools.echo({ a: 1 })];",
    "return { a: { b: tools.echo({ a: 1 }) } };",
    "text([tools.echo({ a: 1 })]); return 1;",
    "console.log(tools.echo({ a: 1 })); return 1;",
  ]) {
    const run = await lab.run(source);
    expect([source, run.status]).toEqual([source, "ok"]);
    isWarnedOf(run, /await/);
  }
});

row("row 53: lone surrogates, NUL and line separators pass unchanged everywhere", async (lab) => {
  const odd = "a\ud800b\u0000c\u2028d\u2029e\udfffz😀";
  const source = `const odd = "${odd}"; text(odd); const back = await tools.echo({ odd, list: [odd] }); return [odd, back, odd.length];`;
  const run = await lab.run(source);
  expect(run).toMatchObject({ status: "ok", value: [odd, { odd, list: [odd] }, odd.length] });
  expect(lab.made).toEqual([["echo", { odd, list: [odd] }]]);
  expect(run.output).toEqual([expect.objectContaining({ text: odd })]);
  expect(await lab.value("return await tools.odd({})", { odd: () => odd })).toBe(odd);
});

row("row 54: a failed tool's name, message, code and details are seen by the script", async (lab) => {
  const source = `
    try { await tools.fail({}); } catch (error) {
      return { name: error.name, message: error.message, code: error.code, details: error.details, isError: error instanceof Error };
    }`;
  expect(await lab.value(source)).toEqual({
    name: "ToolTrouble",
    message: "the tool failed",
    code: "E_TROUBLE",
    details: { attempts: 3, hint: "try the other one" },
    isError: true,
  });
});

row("row 55: an unknown tool is told with close names, and no call is made", async (lab) => {
  const tools = { read_file: echo, write_file: echo };
  const run = await lab.run("await tools.raed_file({});", tools);
  expect(run).toMatchObject({ status: "error", error: { message: expect.stringContaining("read_file") } });
  expect([lab.seen, run.calls]).toEqual([[], []]);
});
