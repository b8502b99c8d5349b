// Rows 56 to 65: calls that nobody awaits, names, time, and what a script may look like.
import { setTimeout as sleep } from "node:timers/promises";
import { turn } from "nestcall/testing";
import { expect } from "vitest";
import { echo, type Lab, type LabTools } from "../lab.js";
import { runForm, SOURCE_FORMS } from "../source-forms.js";
import { battery } from "./row.js";

const row = battery();

/** Waits until the script has made this many calls. */
async function called(lab: Lab, calls: number): Promise<void> {
  while (lab.seen.length < calls) await turn();
}

row("row 56: a call that is not awaited is waited for, with a warning", async (lab) => {
  const running = lab.run('tools.held({}); return "early";');
  await called(lab, 1);
  lab.gate.open("late");
  const run = await running;
  expect(run).toMatchObject({ status: "ok", value: "early", calls: [{ id: 1, name: "held", status: "ok" }] });
  expect(run.warnings.join("\n")).toMatch(/held.*await|await.*held/is);
});

row("row 57: a failed call that is not awaited leaves the value, with a warning", async (lab) => {
  const run = await lab.run('tools.fail({}); return "early";');
  expect(run).toMatchObject({ status: "ok", value: "early", calls: [{ id: 1, name: "fail", status: "error" }] });
  expect(run.warnings.join("\n")).toMatch(/the tool failed/);
});

row("row 58: a rejection that nobody handles leaves the value, with a warning", async (lab) => {
  const run = await lab.run('Promise.reject(new Error("adrift")); return 1;');
  expect(run).toMatchObject({ status: "ok", value: 1 });
  expect(run.warnings.join("\n")).toMatch(/adrift/);
});

row("row 59: a race gives the fast result, and the loser is reported", async (lab) => {
  const tools: LabTools = { fast: () => "fast", slow: async () => (await sleep(30), "slow") };
  const run = await lab.run("return await Promise.race([tools.slow({}), tools.fast({})]);", tools);
  expect(run).toMatchObject({ status: "ok", value: "fast" });
  expect(run.calls).toMatchObject([
    { id: 1, name: "slow", status: "ok" },
    { id: 2, name: "fast", status: "ok" },
  ]);
});

const ODD_NAMES =
  "then toJSON constructor toString __proto__ hasOwnProperty class 1st a.b my-tool my_tool valueOf prototype".split(
    " ",
  );
const oddTools = (): LabTools => {
  const tools: Record<string, () => string> = Object.create(null);
  for (const name of ODD_NAMES) tools[name] = () => name;
  return tools;
};

row("row 60: every odd name is reached by exactly this name, and none takes another's place", async (lab) => {
  const exact = ODD_NAMES.filter((name) => name !== "then" && name !== "toJSON");
  const source = `
    const seen = {};
    for (const name of ${JSON.stringify(exact)}) seen["tool " + name] = await tools[name]({});
    seen["tool then"] = await tools.then_({});
    seen["tool toJSON"] = await tools.toJSON_({});
    return { seen, class: await tools.class({}), under: await tools.my_tool({}), then: typeof tools.then, toJSON: typeof tools.toJSON };`;
  const options = { tools: ODD_NAMES.map((name) => ({ name })) };
  expect(await lab.value(source, oddTools(), options)).toEqual({
    seen: Object.fromEntries(ODD_NAMES.map((name) => [`tool ${name}`, name])),
    class: "class",
    under: "my_tool",
    then: "undefined",
    toJSON: "undefined",
  });
});

row("row 61: awaiting the tools gives the tools, and calls none", async (lab) => {
  const source = "const same = await tools; return [typeof same.echo, same === tools];";
  expect(await lab.value(source, { then: () => "called", echo })).toEqual(["function", true]);
  expect(lab.seen).toEqual([]);
});

const READS = `
  const read = () => [Date.now(), new Date().toString(), new Date(0).getTimezoneOffset(), Math.random(), Math.random(), typeof performance === "undefined" ? 0 : performance.now()];
  const before = read();
  await tools.echo({});
  return [before, read()];`;

row("row 62: two runs of one seed read the same time, time zone and random numbers", async (lab) => {
  const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5);
  const runs = async (seed: number) =>
    JSON.stringify(((await lab.value(READS, lab.tools, { seed, startedAt })) as unknown[])[0]);
  const first = await runs(1);
  await sleep(5); // the clock of the host moves on
  expect(await runs(1)).toBe(first);
  expect(await runs(2)).not.toBe(first);
  const [now, date, zone] = JSON.parse(first) as unknown[];
  expect([now, date, zone]).toEqual([startedAt, expect.stringContaining("GMT+0000"), 0]);
});

row("row 62: runs without a seed see different random numbers", async (lab) => {
  expect(await lab.value("return Math.random()")).not.toBe(await lab.value("return Math.random()"));
});

row("row 63: every form of source gives its value", async (lab) => {
  for (const form of SOURCE_FORMS) await runForm(lab, form);
});

row("row 64: errors have the line of the script, types or not", async (lab) => {
  const lineOf = async (source: string) => (await lab.run(source)).error?.line;
  expect(await lineOf("const a = 1;\nconst b = ;\nreturn a;")).toBe(2);
  expect(await lineOf('const a = 1;\nconst b = 2;\nthrow new Error("here");')).toBe(3);
  const typed = "interface A {\n  n: number;\n}\nconst a: A = { n: 1 };\nthrow new Error(String(a.n));";
  expect(await lineOf(typed)).toBe(5);
  expect(await lineOf("const a: number = 1;\nconst b: = 2;\nreturn a;")).toBe(2);
  expect(await lineOf("const run = async () => {\n  await tools.echo({});\n  null.x;\n};\nawait run();")).toBe(3);
});

row("row 65: a timer says that there are none, and what to do", async (lab) => {
  const run = await lab.run("await new Promise((resolve) => setTimeout(resolve, 10));");
  expect(run.status).toBe("error");
  expect(run.error?.message).toMatch(/timer/i);
  expect(run.error?.message).toMatch(/tool/i);
});
