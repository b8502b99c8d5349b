// Rows 1 to 16: scripts that eat time, memory or the stack.
import { performance } from "node:perf_hooks";
import { expect } from "vitest";
import type { Lab, Run } from "../lab.js";
import { threadsOf } from "./pristine.js";
import { battery, CPU_MS } from "./row.js";

const row = battery();

const ends = (limit: string) => ({ status: "limit", error: { limit } });

/** Whether a script ended by one of these limits, or by an error that it could have caught. */
function endsByLimitOrError({ status, error }: Run, limits: readonly string[]): boolean {
  return status === "error" || (status === "limit" && limits.includes(error?.limit ?? ""));
}

async function timed(lab: Lab, source: string): Promise<{ readonly run: Run; readonly ms: number }> {
  const startedAt = performance.now();
  const run = await lab.run(source);
  return { run, ms: performance.now() - startedAt };
}

/** Runs a script that spends all of its time, and expects the end soon after. */
async function expectCpuLimit(lab: Lab, source: string, graceMs = 100): Promise<void> {
  const { run, ms } = await timed(lab, source);
  expect(run).toMatchObject(ends("cpu"));
  lab.within("the script", ms, CPU_MS + graceMs);
}

row("row 1: an endless empty loop ends by its time, and the worker is used again", async (lab) => {
  const before = await threadsOf(lab.runtime);
  await expectCpuLimit(lab, "for (;;) {}");
  // A thread that got no time for 250 ms is taken for one that does not answer.
  lab.calmly("the worker was to be kept", (await threadsOf(lab.runtime)).join() === before.join());
});

row("row 2: awaiting null for ever ends by its time", async (lab) => {
  await expectCpuLimit(lab, "while (true) await null;");
});

row("row 3: a chain of promises that goes on for ever ends by its time", async (lab) => {
  await expectCpuLimit(
    lab,
    "const next = () => { Promise.resolve().then(next); }; next(); await new Promise(() => {});",
  );
});

row("row 4: filled arrays for ever end by memory", async (lab) => {
  const run = await lab.run("const kept = []; for (;;) kept.push(new Array(1000).fill(7));");
  expect(run).toMatchObject(ends("memory"));
});

row("row 5: a string that doubles for ever ends by memory, or by an error that can be caught", async (lab) => {
  const run = await lab.run('let s = "x"; for (;;) s += s;');
  expect(endsByLimitOrError(run, ["memory"])).toBe(true);
});

row("row 6: half a gigabyte of text is an error within a second", async (lab) => {
  const { run, ms } = await timed(lab, 'return "x".repeat(512 * 1024 * 1024).length');
  expect(endsByLimitOrError(run, ["memory"])).toBe(true);
  lab.within("the script", ms, 1000);
});

row("row 7: buffers of 16 MiB for ever end by memory", async (lab) => {
  const run = await lab.run("const kept = []; for (;;) kept.push(new Uint8Array(16 * 1024 * 1024));");
  expect(run).toMatchObject(ends("memory"));
});

row("row 8: recursion without end is a RangeError that the script can catch", async (lab) => {
  const source = `
    let depth = 0;
    const deeper = () => { depth += 1; deeper(); };
    try { deeper(); } catch (error) { return [error instanceof RangeError, depth > 100]; }`;
  expect(await lab.value(source)).toEqual([true, true]);
});

row("row 9: parsing 200,000 nested brackets ends by the stack", async (lab) => {
  const run = await lab.run('return JSON.parse("[".repeat(200_000) + "]".repeat(200_000)).length');
  expect(run).toMatchObject(ends("stack"));
});

const callDeep = (levels: number) => `
  let deep = {};
  for (let i = 0; i < ${levels}; i += 1) deep = { deep };
  try { await tools.echo(deep); } catch (error) { return error.message; }`;

row("row 10: an argument of 100,000 levels is refused, and no call is made", async (lab) => {
  expect(await lab.value(callDeep(100_000))).toMatch(/200/);
  expect(lab.seen).toEqual([]);
});

row("row 11: an argument of 3,000 levels is refused, and no call is made", async (lab) => {
  expect(await lab.value(callDeep(3000))).toMatch(/200/);
  expect(lab.seen).toEqual([]);
});

row("row 12: a catastrophic regular expression ends by its time", async (lab) => {
  await expectCpuLimit(lab, 'return /^(a+)+$/.test("a".repeat(60) + "b")');
});

row("row 13: large BigInts end by an error that can be caught, or by time", async (lab) => {
  for (const source of ["let n = 3n; for (;;) n = n * n;", "return String(2n ** (2n ** 27n)).length"]) {
    expect(endsByLimitOrError(await lab.run(source), ["cpu", "memory"])).toBe(true);
  }
});

row("row 14: arrays of a billion and of 300 million end by memory or time", async (lab) => {
  for (const source of ["return new Array(1e9).fill(0).length", "return new Array(3e8).fill(1).length"]) {
    const run = await lab.run(source);
    expect(run.status).toBe("limit");
    expect(["cpu", "memory"]).toContain(run.error?.limit);
  }
});

row("row 15: a sort whose comparison never ends ends by its time", async (lab) => {
  await expectCpuLimit(lab, "return [3, 1, 2].sort(() => { for (;;) {} })");
});

const UNSTOPPABLE = {
  "100,000 proxies": "let p = {}; for (let i = 0; i < 100_000; i += 1) p = new Proxy(p, {}); return String(p.x)",
  "comparing 10 MB": 'const [a, b] = ["é".repeat(5e6), "e\u0301".repeat(5e6)]; for (;;) a.localeCompare(b);',
  "nested source": 'return eval("(".repeat(200_000) + "1" + ")".repeat(200_000))',
};
row("row 16: what the engine cannot interrupt ends all the same, at most 250 ms after the limit", async (lab) => {
  for (const [name, source] of Object.entries(UNSTOPPABLE)) {
    const { run, ms } = await timed(lab, source);
    expect(["limit", "error", "engine"]).toContain(run.status);
    lab.within(name, ms, CPU_MS + 350); // 250 ms, and as much as any script is given to end
  }
});
