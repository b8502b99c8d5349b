// Rows 17 to 27: floods of calls, output and data.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { battery } from "./row.js";

const row = battery();
const MIB = 1024 * 1024;

row("row 17: calls in an endless loop end by their number, at most 64 of them at once", async (lab) => {
  const run = await lab.run("for (;;) tools.echo({});");
  expect(run).toMatchObject({ status: "limit", error: { limit: "calls" } });
  expect(lab.peak).toBeLessThanOrEqual(64);
  expect(run.calls.length).toBeLessThanOrEqual(10_000);
});

row("row 18: 200,000 slow calls end by their number, at most 64 of them at once", async (lab) => {
  const source = `
    const all = [];
    for (let i = 0; i < 200_000; i += 1) all.push(tools.slow({ i }));
    await Promise.all(all);`;
  const run = await lab.run(source, { slow: (_args, { signal }) => sleep(1000, undefined, { signal }) });
  expect(run).toMatchObject({ status: "limit", error: { limit: "calls" } });
  expect(lab.peak).toBeLessThanOrEqual(64);
});

row("row 19: 5,000 calls together all settle, 64 at a time", async (lab) => {
  const source = `
    const items = Array.from({ length: 5000 }, (_, i) => i);
    const results = await Promise.all(items.map((i) => tools.slow({ i })));
    return results.every((result, i) => result === i);`;
  const run = await lab.run(source, { slow: async ({ i }: { i: number }) => (await sleep(50), i) });
  expect(run).toMatchObject({ status: "ok", value: true });
  expect(run.calls).toHaveLength(5000);
  expect(lab.peak).toBe(64);
});

row("row 20: output without end is cut, and the script ends by its time", async (lab) => {
  for (const print of ["text", "console.log"]) {
    const run = await lab.run(`const line = "x".repeat(10_240); for (;;) ${print}(line);`);
    expect(run).toMatchObject({ status: "limit", error: { limit: "cpu" } });
    expect(JSON.stringify([run.output, run.console]).length).toBeLessThan(300 * 1024);
    expect(run.warnings.join("\n")).toMatch(/output/i);
  }
});

row("row 21: 100,000 printed numbers are cut with a marker, and the value is kept", async (lab) => {
  const run = await lab.run('for (let i = 0; i < 100_000; i += 1) text(i); return "kept";');
  expect(run).toMatchObject({ status: "ok", value: "kept" });
  expect(run.output.length).toBeLessThanOrEqual(2001);
  expect(run.warnings.join("\n")).toMatch(/output/i);
});

row("row 22: a returned text of 50 MB is an error that names its size", async (lab) => {
  const run = await lab.run('return "x".repeat(50 * 1024 * 1024)');
  expect(run.status).toBe("error");
  expect(run.error?.message).toMatch(/52,?428,?8\d\d|50(\.\d+)? MiB/);
  expect(run.error?.message).toMatch(/filter|smaller|part/i);
});

row("row 23: awaiting what nobody settles is a deadlock at once, with its line", async (lab) => {
  const startedAt = performance.now();
  const run = await lab.run("const a = 1;\nawait new Promise(() => {});\nreturn a;");
  lab.within("the deadlock", performance.now() - startedAt, 10);
  expect(run.status).toBe("deadlock");
  if (run.error?.line !== undefined) expect(run.error.line).toBe(2);
});

row("row 24: 100,000 asynchronous functions at once finish, or end by memory", async (lab) => {
  const source = `
    await Promise.all(Array.from({ length: 100_000 }, async (_, i) => { await null; return i; }));
    return "done";`;
  const run = await lab.run(source);
  if (run.status === "ok") expect(run.value).toBe("done");
  else expect(run).toMatchObject({ status: "limit", error: { limit: "memory" } });
});

row("row 25: 100,000 objects after an await are no trouble", async (lab) => {
  const source =
    "await tools.echo({}); const all = Array.from({ length: 100_000 }, (_, i) => ({ i })); return all.length;";
  expect(await lab.value(source)).toBe(100_000);
});

row("row 26: a text of 6 MB comes back whole", async (lab) => {
  const big = "0123456789abcdef".repeat((6 * MIB) / 16);
  expect(await lab.value("return (await tools.big({})).length", { big: () => big })).toBe(big.length);
});

const rows = Array.from({ length: 60_000 }, (_, id) => ({
  id,
  name: `row ${id}`,
  tags: ["some", "tags", "of it"],
  n: id / 7,
}));
row(
  "row 26: data of 6 MB come back whole, at most 50 ms a MB",
  async (lab) => {
    const source = "const rows = await tools.big({}); return [rows.length, rows.at(-1).name]";
    expect(await lab.value(source, { big: () => rows })).toEqual([60_000, "row 59999"]);
  },
  { stallMs: (JSON.stringify(rows).length / 1e6) * 50 },
);

row("row 27: there is no Atomics to wait with", async (lab) => {
  const run = await lab.run("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
  expect(run.status).toBe("error");
  expect(run.error?.message).toMatch(/Atomics.*not defined/);
});
