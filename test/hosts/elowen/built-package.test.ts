// The JavaScript sample in a process of its own, which imports the built package by its public name as a plugin does.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt, root } from "../../examples/built.js";
import { runNode } from "../../examples/run.js";

beforeAll(() => ensureBuilt(), 120_000);

const sample = pathToFileURL(join(root, "test", "hosts", "elowen", "samples", "echo.mjs")).href;
const SCRIPT = `
import { createExecutor } from "nestcall";
import { loadPlugin } from "nestcall/elowen";
const executor = createExecutor();
await loadPlugin({ manifest: { name: "echo" }, ...await import(${JSON.stringify(sample)}) }, { executor });
const { result } = await executor.executeTool("EchoText", { value: "hello" });
process.stdout.write(JSON.stringify(result.content));
await executor.close();
`;

test("E5: in a process whose stdout is a wire, log lines are on stderr and stdout has the answer alone", async () => {
  const { exitCode, stdout, stderr } = await runNode(["--input-type=module", "--eval", SCRIPT], { cwd: root });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: '[{"type":"text","text":"hello"}]',
    stderr: "info [echo] EchoText is registered\n",
  });
});
