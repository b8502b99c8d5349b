// An agent mends a small project with the file tools: it runs the test, looks for the fault, edits, and runs it again.
// The model's turns are scripted; the project, its failing test and every call are real. Checks what each turn found.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BatchOutcome, createExecutor } from "nestcall";
import { createFileTools } from "nestcall/file-tools";
import { runScriptedHost } from "nestcall/testing";

const PROJECT: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }\n',
  ".gitignore": "*.log\n",
  "old.log": "half() was called\n", // grep leaves it out
  "math.js": "/** Half of a number of cents, rounded up. */\nexport function half(cents) {\n  return cents / 2;\n}\n",
  "math.test.js": [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { half } from "./math.js";',
    'test("half a cent is rounded up", () => assert.equal(half(5), 3));',
    "",
  ].join("\n"),
};

const cwd = await mkdtemp(join(tmpdir(), "nestcall-agent-"));
for (const [path, text] of Object.entries(PROJECT)) await writeFile(join(cwd, path), text);

// The command gets what it needs and none of this process's secrets. Relative paths mean the same to all of them.
const { PATH = "" } = process.env;
const tools = createFileTools({ cwd, roots: [cwd], outputFolder: join(cwd, "outputs"), env: { PATH } });
const executor = createExecutor({ cwd, tools: Object.values(tools) });

const runTest = { name: "bash", arguments: { command: "node --test", timeout_seconds: 60 } };
const change = { oldText: "return cents / 2;", newText: "return Math.ceil(cents / 2);" };

const textsOf = (turn: BatchOutcome | undefined): string[] =>
  (turn?.messages ?? []).map(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  );

try {
  const { batches, stopped } = await runScriptedHost(executor, [
    [{ id: "test-1", ...runTest }],
    // The test failed; a model would read the name of the function in its output.
    ([test]) => {
      assert.match(textsOf(test)[0] ?? "", /half a cent is rounded up.*\[Exit code 1\.\]/s);
      return [
        { id: "grep-1", name: "grep", arguments: { pattern: "half(", literal: true } },
        { id: "read-1", name: "read", arguments: { path: "math.js" } },
      ];
    },
    // What it remembers is not what is in the file: the edit is refused, and the text says what is there instead.
    [
      {
        id: "edit-1",
        name: "edit",
        arguments: { path: "math.js", edits: [{ ...change, oldText: "return cents/2;" }] },
      },
    ],
    ([, , edit]) => {
      assert.equal(edit?.messages[0]?.isError, true);
      assert.match(textsOf(edit)[0] ?? "", /return cents \/ 2;/);
      return [{ id: "edit-2", name: "edit", arguments: { path: "math.js", edits: [change] } }];
    },
    [{ id: "test-2", ...runTest }],
    ([, , , , test]) => {
      assert.doesNotMatch(textsOf(test)[0] ?? "", /Exit code/); // it is only told when it is not 0
      return []; // done
    },
  ]);

  const [firstTest, search, refused, edit, lastTest] = batches;
  assert.equal(stopped, "no calls");
  assert.deepEqual(textsOf(search), [
    "math.js:2: export function half(cents) {\nmath.test.js:4: " +
      'test("half a cent is rounded up", () => assert.equal(half(5), 3));\n\n[1 entry is left out as .gitignore says.]',
    PROJECT["math.js"],
  ]);
  assert.equal(edit?.messages[0]?.isError, false);
  assert.equal(
    await readFile(join(cwd, "math.js"), "utf8"),
    PROJECT["math.js"]?.replace(change.oldText, change.newText),
  );
  const exitCodes = [firstTest, lastTest].map((turn) => {
    const data = turn?.outcomes[0]?.result.structuredContent as { exit_code: number } | undefined; // as bash declares it
    return data?.exit_code;
  });
  assert.deepEqual(exitCodes, [1, 0]);

  for (const turn of batches) {
    const calls = turn.outcomes.map(({ toolCall, status }) => `${toolCall.id} ${status}`);
    console.log(calls.join(", "));
  }
  console.log(`the edit that did not fit: ${textsOf(refused)[0]?.split("\n")[0]}`);
  console.log(`the test ended with exit code ${exitCodes[0]}, and after the edit with ${exitCodes[1]}`);
} finally {
  await executor.close();
  await rm(cwd, { recursive: true });
}
