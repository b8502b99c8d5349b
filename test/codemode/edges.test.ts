// What random attacks found: ends in the middle of results, and results that are too large.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { Lab, type LabTools, labRuntime } from "./lab.js";

const runtime = labRuntime({ limits: { resultBytes: 100_000 } });
afterAll(() => runtime.close());

test("7.1: exit() while several results come together ends the script at once", async () => {
  const source = `
    await Promise.all([1, 2, 3].map(async (n) => {
      await tools.echo({ n });
      if (n === 2) exit();
      text(n);
    }));
    text("after");`;
  const startedAt = performance.now();
  const run = await new Lab(runtime).run(source);
  expect(performance.now() - startedAt).toBeLessThan(5000); // drainMs is 10,000
  expect(run).toMatchObject({ status: "ok", output: [{ type: "text", text: "1" }], warnings: [] });
  expect(run.calls.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
});

test("7.1: exit() cannot be caught, and nothing runs after it", async () => {
  const source = 'try { exit(); } catch { text("caught"); } finally { text("finally"); } text("after");';
  expect(await new Lab(runtime).run(source)).toMatchObject({ status: "ok", value: undefined, output: [] });
});

test("7.1: exit() leaves calls behind that are waited for", async () => {
  const slow = async () => {
    await sleep(20);
    return "slow";
  };
  const run = await new Lab(runtime).run("tools.slow(); exit();", { slow });
  expect(run).toMatchObject({ status: "ok", calls: [{ id: 1, status: "ok" }] });
});

test("C4: a result beyond resultBytes is an error of its call, live and replayed", async () => {
  const tools: LabTools = { text: () => "x".repeat(100_001), data: () => ["x".repeat(100_000)] };
  const source = `
    const said = [];
    for (const name of ["text", "data"]) try { await tools[name](); } catch (error) { said.push(error.message); }
    return said;`;
  const journal: unknown[] = [];
  const run = await new Lab(runtime).run(source, tools, { journal });
  expect(run.value).toEqual([expect.stringContaining("100001 bytes"), expect.stringContaining("100004 bytes")]);
  expect(run.calls.map(({ status }) => status)).toEqual(["error", "error"]);
  const again = await new Lab(runtime).run(source, tools, { journal });
  expect([again.value, again.calls.map(({ status }) => status)]).toEqual([run.value, ["error", "error"]]);
});

test("C2: details that JSON cannot hold, or beyond resultBytes, are left out of an error", async () => {
  const round: Record<string, unknown> = {};
  round.me = round;
  const failWith = (details: unknown) => () => {
    throw Object.assign(new Error("failed"), { details, code: 7 });
  };
  const tools: LabTools = { round: failWith(round), large: failWith("x".repeat(100_001)), small: failWith({ a: 1 }) };
  const source = `
    const said = {};
    for (const name of ["round", "large", "small"]) try { await tools[name](); } catch (error) { said[name] = [error.message, error.code, error.details ?? null]; }
    return said;`;
  expect(await new Lab(runtime).value(source, tools)).toEqual({
    round: ["failed", 7, null],
    large: ["failed", 7, null],
    small: ["failed", 7, { a: 1 }],
  });
});

test.each([
  ["source", 7, {}],
  ["tools", "", { tools: null }],
  ["name", "", { tools: [{}] }],
  ["callTool", "", { callTool: 1 }],
  ["signal", "", { signal: 5 }],
  ["store", "", { store: 5 }],
  ["store", "", { store: [] }],
  ["seed", "", { seed: {} }],
  ["startedAt", "", { startedAt: "now" }],
  ["journal", "", { journal: 7 }],
  ["journal", "", { journal: { push() {} } }],
  ["limits", "", { limits: 3 }],
  ["speed", "", { limits: { speed: 1 } }],
])("7: run rejects a wrong %s", async (_name, source, options) => {
  const complete = { tools: [], callTool: () => 1, ...options } as never;
  await expect(runtime.run(source as never, complete)).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
});
