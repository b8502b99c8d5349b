// A script of the model calls the file tools and the review tools of the second example: one call of the model instead
// of a dozen, and the patch never enters its context. Each call of the script is a nested call, so the same approval
// guard stands in front of it: it asks about the report, and refuses the shell. Checks the value and prints the record.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { createFileTools } from "nestcall/file-tools";
import { createReviewExecutor } from "./02-review-guard/review-executor.js";
import { bundledTarget } from "./02-review-guard/review-target.js";

const reports = await mkdtemp(join(tmpdir(), "nestcall-codemode-"));
const target = await bundledTarget();

/** Somebody who lets the script write its report, and nothing else that may do harm. */
const asked: string[] = [];
const confirm = ({ toolName }: { readonly toolName: string }) => {
  asked.push(toolName);
  return toolName === "write";
};
const { executor } = createReviewExecutor(target, { confirm });
const files = createFileTools({ cwd: target.folder, roots: [target.folder, reports], outputFolder: reports, env: {} });
for (const tool of [files.read, files.grep, files.write]) executor.registry.register(tool);

const runtime = createCodemodeRuntime();
const codemode = createCodemodeTool({ runtime, executor, outputFolder: reports });
executor.registry.register(codemode);

// The model reads what it can call in the description of the tool. Deferred tools are not there; scripts find them.
assert.match(codemode.description, /collect_diff/);
assert.doesNotMatch(codemode.description, /dangerous_commands/);

// What a model would write. It is text from outside, and runs in the sandbox only.
const code = String.raw`
interface Finding { command: string; reasons: string[] }

const [diff, tests] = await Promise.all([tools.collect_diff({}), tools.failing_tests({})]);

// Of the whole patch only the commands that it adds to package.json are of interest.
const commands = [...diff.patch.matchAll(/^\+\s+"[\w-]+": "(.+?)",?$/gm)].map((match) => match[1]);
const [lookup] = await searchTools("dangerous shell command");
const findings: Finding[] = await parallel(commands, async (command) => {
  const { matches } = await tools[lookup.name]({ command });
  return { command, reasons: matches.map((match: { reason: string }) => match.reason) };
}, 2);
const dangerous = findings.filter(({ reasons }) => reasons.length > 0);

const { matches } = await tools.grep({ pattern: "discounted\\(", path: "test" });
const cleaned = await tools.run_command({ command: "rm -rf build" }).catch((error: Error) => error.message);

const lines = dangerous.map(({ command, reasons }) => "- " + command + ": " + reasons.join(", "));
await tools.write({ path: ${JSON.stringify(join(reports, "review.md"))}, content: "# Review\n\n" + lines.join("\n") + "\n" });
console.log("looked up " + commands.length + " commands with " + lookup.name);
return { failed: tests.failures.map(({ name }) => name), dangerous: dangerous.length, uses: matches.length, cleaned };
`;

try {
  const sources = new Set<string>();
  executor.on("tool_call", ({ depth, source }) => void (depth > 0 && sources.add(source)));
  const { outcomes, messages } = await executor.executeBatch([{ id: "s", name: "codemode", arguments: { code } }]);
  const [outcome] = outcomes;
  assert.equal(outcome?.status, "ok", outcome?.error?.message);

  const { value } = outcome.result.details as { readonly value: unknown }; // the tool's details for the host
  assert.deepEqual(value, {
    failed: ["a discount leaves whole cents"],
    dangerous: 3,
    uses: 2,
    cleaned: "run_command was not approved",
  });
  assert.deepEqual(asked, ["run_command", "write"]);
  assert.deepEqual([...sources], ["codemode"]);
  assert.match(
    await readFile(join(reports, "review.md"), "utf8"),
    /^# Review\n\n- rm -rf dist coverage: removes whole/,
  );
  const refused = outcome.nestedCalls?.calls.find(({ name }) => name === "run_command");
  assert.equal(refused?.code, "BLOCKED");

  const texts = messages[0]?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])) ?? [];
  console.log(`What the model reads:\n${texts.join("\n")}\n`);
  console.log(`The record:\n${JSON.stringify(outcome.nestedCalls, null, 2)}`);
} finally {
  await executor.close();
  await runtime.close();
  await rm(reports, { recursive: true });
}
