// Rows of features.md about the review of Pi's chapter, through the door: P9 to P16, P23 to P27, P36 to P38, P47, P66, P67.
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { at, eventsOf, textOf } from "../../helpers/engine.js";
import { endOf, openDoor, piCaller, piTool, textOfPi } from "./door.js";
import { collectDiff } from "./samples/collect-diff.js";
import dynamicTools from "./samples/dynamic-tools.js";
import { failingTests } from "./samples/failing-tests.js";
import helloExtension from "./samples/hello.js";
import reviewExtension from "./samples/review-extension.js";
import { runChecks } from "./samples/run-checks.js";
import { runStep } from "./samples/run-step.js";
import todoExtension from "./samples/todo.js";
import truncatedTool from "./samples/truncated-tool.js";

interface ChecksDetails {
  readonly steps: readonly { readonly name: string; readonly output: string; readonly exit_code: number }[];
}

test("P9: a tool with label, annotations, exposure and parameters registers as it is and is listed with all of it", async () => {
  const { pi } = await openDoor([reviewExtension]);
  expect(pi.getAllTools().find(({ name }) => name === "run_checks")).toEqual({
    name: "run_checks",
    description: runChecks.description,
    parameters: runChecks.parameters,
    exposure: "direct",
    annotations: { readOnlyHint: true, openWorldHint: false },
    sourceInfo: { path: "<extension:review>", source: "extension", scope: "temporary", origin: "top-level" },
  });
});

test("P10: a tool whose only parameter is optional is called without arguments", async () => {
  const { executor } = await openDoor([reviewExtension]);
  for (const args of [undefined, null, {}]) {
    const { result } = await executor.executeTool("run_checks", args);
    expect((result.details as ChecksDetails).steps.map(({ name }) => name)).toEqual(["types", "tests"]);
  }
  const { result } = await executor.executeTool("run_checks", { skipTests: true });
  expect((result.details as ChecksDetails).steps.map(({ name }) => name)).toEqual(["types"]);
});

test("P11: the model gets 1,000 characters of each step, the details keep all of it and the exit codes", async () => {
  const { executor } = await openDoor([reviewExtension]);
  const outcome = await executor.executeTool("run_checks");
  const { steps } = outcome.result.details as ChecksDetails;
  const [, tests] = textOf(outcome).split("tests: exit 1\n");
  expect(tests).toHaveLength(1000);
  expect(tests).toContain("1 of 3 tests fails");
  expect(steps.map(({ exit_code }) => exit_code)).toEqual([0, 1]);
  expect(at(steps, 1).output.length).toBeGreaterThan(3000);
});

test("P12: a check that fails is data: no error, its exit code in the details", async () => {
  const { executor } = await openDoor([reviewExtension]);
  const outcome = await executor.executeTool("run_checks");
  expect([outcome.isError, outcome.result.isError]).toEqual([false, undefined]);
});

test("P13: a program that prints 2 MiB, or is not there, is data as well", async () => {
  const { executor, pi } = await openDoor();
  pi.registerTool(
    piTool("run", async (params) => {
      const { output, exit_code } = await runStep(String(params.command), params.args as string[]);
      return { content: [{ type: "text", text: `${output.length}, exit ${exit_code}` }], details: undefined };
    }),
  );
  const run = async (...args: readonly unknown[]) =>
    textOf(await executor.executeTool("run", { command: args[0], args: args.slice(1) }));
  expect(await run(process.execPath, "-e", "process.stdout.write('x'.repeat(2 * 1024 * 1024))")).toBe(
    "1048576, exit 1",
  );
  expect(await run("no-such-program")).toBe("0, exit 1");
});

test("P14: the four hints reach the listing and the engine's tool", async () => {
  const { executor, pi } = await openDoor();
  const annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
  pi.registerTool(piTool("x", () => "ran", { annotations }));
  expect(executor.registry.get("x")?.annotations).toEqual(annotations);
  expect(at(pi.getAllTools(), 0).annotations).toEqual(annotations);
});

test("P23: the model gets content, a program structuredContent, which is checked against the output schema", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  let seen: unknown;
  pi.registerTool(
    piTool("program", async (_params, ctx) => {
      seen = (await ctx.executeTool("collect_diff", {})).result.structuredContent;
      return "ran";
    }),
  );
  await executor.executeTool("program");
  expect(seen).toMatchObject({ files: [{ path: "deploy.sh" }, { path: "src/total.ts" }] });
  const outcome = await executor.executeTool("collect_diff");
  expect(textOf(outcome)).toBe("2 files changed");
  pi.registerTool(
    piTool("liar", () => ({ content: [], details: undefined, structuredContent: {} }), {
      outputSchema: collectDiff.outputSchema,
    }),
  );
  expect(endOf(await executor.executeTool("liar"))).toMatch(/^INVALID_OUTPUT/);
});

test("P24: a returned error keeps its data, a thrown one has none", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  const returned = await executor.executeTool("failing_tests");
  expect([returned.isError, textOf(returned)]).toEqual([true, "1 of 3 tests fail"]);
  expect(returned.result.structuredContent).toMatchObject({ total: 3, failures: [{ name: "adds up an empty list" }] });
  pi.registerTool(
    piTool("thrower", () => {
      throw new Error("no data");
    }),
  );
  const thrown = await executor.executeTool("thrower");
  expect([thrown.isError, textOf(thrown), thrown.result.structuredContent]).toEqual([true, "no data", undefined]);
});

test("P25: a text that was cut says where the complete output is", async () => {
  const { executor } = await openDoor([truncatedTool]);
  const outcome = await executor.executeTool("list_numbers", { limit: 5000 });
  const lines = textOf(outcome).split("\n");
  expect(lines).toHaveLength(101);
  const [, file] = /^\[100 of 5000 lines; the complete output is in (.*)\]$/.exec(at(lines, 100)) ?? [];
  onTestFinished(() => rm(dirname(String(file)), { recursive: true }));
  expect((await readFile(String(file), "utf8")).split("\n")).toHaveLength(5000);
  expect(outcome.result.details).toEqual({ total: 5000, file });
});

test("P36, P38: nested calls leave a record on the caller's message, and nothing else of them is in it", async () => {
  const { executor } = await openDoor([reviewExtension]);
  const { messages } = await executor.executeBatch([{ id: "m", name: "review_diff" }]);
  expect(messages.map(({ toolCallId }) => toolCallId)).toEqual(["m"]);
  const calls = at(messages, 0).nestedCalls?.calls ?? [];
  expect(calls.map(({ id, name, status }) => `${id} ${name} ${status}`)).toEqual([
    "m/1 run_checks ok",
    "m/2 collect_diff ok",
    "m/3 failing_tests error",
    "m/4 dangerous_commands ok",
    "m/5 dangerous_commands ok",
  ]);
  expect(at(calls, 3)).toEqual({
    id: "m/4",
    name: "dangerous_commands",
    arguments: { command: "rm -rf build" },
    status: "ok",
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify(calls)).not.toContain("removes folders");
});

test("P37: what a nested call gave reaches its caller and the end event, no other tool", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  const other: string[] = [];
  pi.registerTool(piTool("other", (_params, ctx) => JSON.stringify([ctx.tools, ctx.cwd])));
  pi.registerTool(piCaller("top", [["dangerous_commands", { command: "rm -rf /" }], ["other"]]));
  const events = eventsOf(executor);
  other.push(textOf(await executor.executeTool("top", {}, { toolCallId: "T" })));
  expect(other.join("")).toMatch(/^removes folders/);
  const ends = events.filter((event) => event.type === "tool_execution_end" && event.toolCallId === "T/2");
  expect(JSON.stringify(ends)).not.toContain("removes folders");
});

test("P66: the orchestrator puts the failures and the data of what it called into its text", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  expect(pi.getAllTools().map(({ name, exposure }) => `${name} ${exposure}`)).toEqual([
    "run_checks direct",
    "collect_diff codemode",
    "dangerous_commands deferred",
    "failing_tests direct",
    "review_diff model-only",
  ]);
  expect(textOf(await executor.executeTool("review_diff")).split("\n")).toEqual([
    "checks: ran",
    "files: deploy.sh, src/total.ts",
    'tests: 1 of 3 tests fail {"total":3,"failures":[{"name":"adds up an empty list","file":"test/total.test.ts"}]}',
    "deploy.sh: rm -rf build: removes folders and asks nothing",
    "deploy.sh: npm run build: No known danger.",
  ]);
});

test("P66: a child that is blocked is a line of the review, not its end", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  pi.on("tool_call", ({ toolName }) =>
    toolName === "collect_diff" ? { block: true, reason: "not today" } : undefined,
  );
  const outcome = await executor.executeTool("review_diff");
  expect(outcome.isError).toBe(false);
  expect(textOf(outcome)).toContain("files: none: not today");
});

test("P67: four small extensions run: hello, a list with memory, tools that come later, a long output", async () => {
  const { executor, host } = await openDoor([helloExtension, todoExtension, dynamicTools, truncatedTool]);
  expect(textOf(await executor.executeTool("hello", { name: "Ada" }))).toBe("Hello, Ada!");
  await Promise.all(["tea", "cake"].map((add) => executor.executeTool("todo", { add })));
  expect(textOf(await executor.executeTool("todo", { done: 1 }))).toBe("1. [x] tea\n2. [ ] cake");
  expect(endOf(await executor.executeTool("todo", { done: 7 }))).toBe("TOOL_FAILED: There is no item 7.");
  expect(endOf(await executor.executeTool("echo_session", { message: "hi" }))).toMatch(/^UNKNOWN_TOOL/);
  await host.start();
  expect(textOf(await executor.executeTool("echo_session", { message: "hi" }))).toBe("[session] hi");
  expect(textOf(await executor.executeTool("list_numbers", { limit: 3 }))).toBe("1\n2\n3");
});

test("P67: the samples that give fixtures say so", async () => {
  for (const name of ["run-checks", "collect-diff", "failing-tests", "native-review"]) {
    const text = await readFile(new URL(`samples/${name}.ts`, import.meta.url), "utf8");
    expect([name, text.split("\n\n")[0]]).toEqual([name, expect.stringContaining("fixture")]);
  }
});

test("the outcome that a Pi tool gets is Pi's: a toolCall of type toolCall, details on every result", async () => {
  const { executor, pi } = await openDoor([reviewExtension]);
  const outcomes: unknown[] = [];
  pi.registerTool(
    piTool("top", async (_params, ctx) => {
      const given = await ctx.executeTool("failing_tests", {});
      outcomes.push(given);
      return textOfPi(given);
    }),
  );
  await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(outcomes).toEqual([
    {
      toolCall: { type: "toolCall", id: "T/1", name: "failing_tests", arguments: {} },
      result: {
        content: [{ type: "text", text: "1 of 3 tests fail" }],
        details: undefined,
        structuredContent: { total: 3, failures: [{ name: "adds up an empty list", file: "test/total.test.ts" }] },
        isError: true,
      },
      isError: true,
      durationMs: expect.any(Number),
    },
  ]);
  expect(failingTests.outputSchema).toBeDefined();
});
