// What is left of a runtime: nothing, and a process that ends by itself.
import { createCodemodeRuntime } from "nestcall/codemode";
import { turn } from "nestcall/testing";
import { expect, test, vi } from "vitest";
import { inspectRuntime } from "../../src/codemode/inspect-runtime.js";
import { root } from "../examples/built.js";
import { runNode } from "../examples/run.js";
import { Lab } from "./lab.js";

test("7.1: close ends running scripts as aborted, their calls too, and later runs", async () => {
  const runtime = createCodemodeRuntime({ workers: 1, limits: { maxScripts: 2 } });
  const lab = new Lab(runtime);
  const signals: AbortSignal[] = [];
  const tools = {
    slow: (_args: never, { signal }: { readonly signal: AbortSignal }) => new Promise(() => signals.push(signal)),
  };
  const parked = lab.run("try { await tools.slow({}); } catch { await tools.slow({}); }", tools);
  while (signals.length === 0) await turn();
  const endless = lab.run("for (;;) {}");
  const queued = lab.run("return 1");
  await runtime.close();
  expect([(await parked).status, (await endless).status, (await queued).status]).toEqual([
    "aborted",
    "aborted",
    "aborted",
  ]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect((await lab.run("return 1")).status).toBe("aborted");
  expect((await inspectRuntime(runtime)).workers).toEqual([]);
  await runtime.close();
});

const IMPORT = `import { createCodemodeRuntime } from ${JSON.stringify(new URL("dist/codemode/index.js", `file://${root}`).href)};`;
const OPTIONS = "{ tools: [{ name: 'echo' }], callTool: async (_name, args) => args }";

vi.setConfig({ testTimeout: 60_000 }); // threads begin slowly on a busy machine

test.each([
  ["that was closed", "await runtime.close();"],
  ["that nobody closed", ""],
])("7.1: a process with a runtime %s ends by itself", async (_which, end) => {
  const script = `${IMPORT}
    const runtime = createCodemodeRuntime();
    const run = await runtime.run("return (await tools.echo({ n: 1 })).n", ${OPTIONS});
    console.log(run.status, run.value);
    ${end}`;
  const { exitCode, stdout, stderr } = await runNode(["--input-type=module", "--eval", script]);
  expect([exitCode, stdout, stderr]).toEqual([0, "ok 1\n", ""]);
});

test("7.1: a process lives for as long as a script runs", async () => {
  const script = `${IMPORT}
    const runtime = createCodemodeRuntime();
    runtime.run("let n = 0; for (let i = 0; i < 3e6; i += 1) n += i % 7; return n > 0", ${OPTIONS}).then(({ value }) => console.log(value));`;
  const { exitCode, stdout } = await runNode(["--input-type=module", "--eval", script]);
  expect([exitCode, stdout]).toEqual([0, "true\n"]);
});
