// Cases from public bug reports that are about scripts that call tools.
import { createExecutor, type Tool } from "nestcall";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { createGate } from "nestcall/testing";
import { afterAll, expect, test } from "vitest";
import { textOf, tool } from "../helpers/engine.js";

const runtime = createCodemodeRuntime({ limits: { cpuMs: 300 } });
afterAll(() => runtime.close());

function scripts(tools: readonly Tool[]) {
  const executor = createExecutor({ tools: [...tools] });
  executor.registry.register(createCodemodeTool({ runtime, executor }));
  const run = (code: string) => executor.executeTool("codemode", { code }, { toolCallId: "T" });
  return { executor, run };
}

test.each([
  "return typeof process",
  "return typeof require",
  "return typeof fetch",
  'try { return ({}).constructor.constructor("return typeof process")() } catch { return "undefined" }',
  'try { return globalThis.constructor.constructor("return typeof process")() } catch { return "undefined" }',
])("TC31: nothing of the host is there: %s", async (code) => {
  expect(textOf(await scripts([]).run(code))).toBe("undefined");
});

test("TC33: a script that never ends is ended in time, the host goes on, and the next script works", async () => {
  const { run } = scripts([]);
  await run("return 0");
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 20);
  const startedAt = performance.now();
  const endless = await run("while(true){}");
  clearInterval(timer);
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect([endless.status, textOf(endless)]).toEqual(["error", expect.stringMatching(/limit cpu|timed out|time/i)]);
  expect(ticks).toBeGreaterThanOrEqual(5);
  expect(textOf(await run("return 1+1"))).toBe("2");
});

test("TC35: calls of a script run at the same time, and each is recorded with how it ended", async () => {
  const gates = { 10: createGate(), 30: createGate() };
  const leaf = tool("leaf", async ({ n }) => {
    // Each waits until the other has started.
    gates[n as 10 | 30].open();
    await gates[n === 10 ? 30 : 10].promise;
    return String(n);
  });
  const boom = tool("boom", () => {
    throw new Error("boom");
  });
  const outcome = await scripts([leaf, boom]).run(
    "const r = await Promise.allSettled([tools.leaf({n:30}), tools.boom({}), tools.leaf({n:10})]); return r.map(x => x.status)",
  );
  expect(textOf(outcome)).toBe('["fulfilled","rejected","fulfilled"]');
  expect(outcome.nestedCalls?.calls.map(({ id, name, status }) => [id, name, status])).toEqual([
    ["T/1", "leaf", "ok"],
    ["T/2", "boom", "error"],
    ["T/3", "leaf", "ok"],
  ]);
});

test("TC37: a name with a dash is reached by it and by its identifier, which never answers for another tool", async () => {
  const dash = tool("github-list-issues", () => "dash");
  const { executor, run } = scripts([dash]);
  expect(textOf(await run('return await tools["github-list-issues"]({})'))).toBe("dash");
  expect(textOf(await run("return await tools.github_list_issues({})"))).toBe("dash");
  executor.registry.register(tool("github_list_issues", () => "under"));
  expect(textOf(await run('return await tools["github-list-issues"]({})'))).toBe("dash");
  expect(textOf(await run('return await tools["github_list_issues"]({})'))).toBe("under");
  expect(textOf(await run("return await tools.github_list_issues({})"))).toBe("under");
});
