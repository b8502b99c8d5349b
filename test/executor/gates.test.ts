import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExecutor, defineTool, Type, withFileMutationQueue } from "nestcall";
import { createGate } from "nestcall/testing";
import { afterAll, expect, test, vi } from "vitest";
import { tool } from "../helpers/engine.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gates-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "a.txt");

/** Answers as a promise does, and is none. */
const thenable = (value: unknown) => ({
  then: (done: (value: unknown) => void) => void queueMicrotask(() => done(value)),
});

test("H3: a gate that answers by a foreign thenable is waited for, in a call, in a batch and inside the lease", async () => {
  let ran = 0;
  const rm = tool("rm", () => void (ran += 1), { mutates: () => [file] });
  const block = { block: true, reason: "no rm" };
  for (const hook of ["tool_call", "before_mutation"] as const) {
    for (const answer of [thenable(block), thenable(Promise.resolve(block))]) {
      const executor = createExecutor({ tools: [rm] });
      executor.on(hook, () => answer as never);
      const batch = await executor.executeBatch([{ id: "a", name: "rm" }]);
      const codes = [batch.outcomes[0]?.error?.code, (await executor.executeTool("rm", {})).error?.code];
      expect(codes, hook).toEqual(["BLOCKED", "BLOCKED"]);
    }
  }
  expect(ran).toBe(0);
});

test("F5: a before_mutation handler is inside the lease: it may take the file, and call a tool that does", async () => {
  const log: string[] = [];
  const edit = tool("edit", () => void log.push("edit"), { mutates: () => [file], executionMode: "sequential" });
  const backUp = tool("back_up", () => void log.push("back up"), {
    mutates: () => [file],
    executionMode: "sequential",
  });
  const executor = createExecutor({ tools: [edit, backUp] });
  executor.on("before_mutation", async ({ toolName, paths }) => {
    if (toolName !== "edit") return;
    await withFileMutationQueue(paths, () => void log.push("look"));
    await executor.executeTool("back_up", {});
  });
  expect((await executor.executeTool("edit", {})).status).toBe("ok");
  expect(log).toEqual(["look", "back up", "edit"]);
});

test.each([
  [
    "throws a text that quotes it",
    ({ result }: { result: { content: readonly { text?: string }[] } }) => JSON.parse(result.content[0]?.text ?? ""),
  ],
  [
    "throws the result",
    ({ result }: { result: unknown }) => {
      throw result;
    },
  ],
  [
    "gives its text as content",
    ({ result }: { result: { content: readonly { text?: string }[] } }) => ({ content: result.content[0]?.text }),
  ],
])(
  "H3: a tool_result handler that %s reveals nothing to the caller; the host hears of the error",
  async (_how, handler) => {
    const executor = createExecutor({ tools: [tool("leak", () => "sk-secret")] });
    const errors: unknown[] = [];
    executor.on("observer_error", ({ error }) => errors.push(error));
    executor.on("tool_result", handler as never);
    const events: unknown[] = [];
    executor.subscribe((event) => events.push(event));
    const outcome = await executor.executeTool("leak", {});
    expect(outcome.error?.code).toBe("HOOK_FAILED");
    expect(JSON.stringify([outcome, events])).not.toContain("sk-secret");
    expect(errors).toHaveLength(1);
  },
);

test("H2: what a hook does to the arguments after the check changes nothing", async () => {
  const inputSchema = Type.Object({ path: Type.Enum(["safe"]) }, { additionalProperties: false });
  const ran: unknown[] = [];
  const rm = defineTool({
    name: "rm",
    description: "Removes.",
    inputSchema,
    mutates: ({ path }) => [join(folder, path)],
    execute: ({ path }) => void ran.push(path),
  });
  const executor = createExecutor({ tools: [rm] });
  const kept: { path: string }[] = [];
  executor.on("tool_call", ({ input }) => {
    for (const earlier of kept) earlier.path = "other"; // also that of the call before, in a batch
    kept.push(input as { path: string });
  });
  executor.on("before_mutation", () => {
    for (const earlier of kept) earlier.path = "other";
  });
  const calls = ["a", "b"].map((id) => ({ id, name: "rm", arguments: { path: "safe" } }));
  expect((await executor.executeBatch(calls)).outcomes.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(ran).toEqual(["safe", "safe"]);
});

test("F8: functions that have to answer at once, and reject later, are refused and crash nothing", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  try {
    const late = () => Promise.reject(new Error("late")) as never;
    const odd = tool("odd", () => "ran", { mutates: late });
    const prepared = tool("prepared", () => "ran", { prepareArguments: late });
    const executor = createExecutor({ tools: [odd, prepared], redact: late });
    executor.on("observer_error", () => {});
    const noId = createExecutor({ tools: [odd], generateId: late });
    const outcomes = [
      await executor.executeTool("odd", { a: "text" }),
      await executor.executeTool("prepared", {}),
      await noId.executeTool("odd", {}),
    ];
    expect(outcomes.map(({ error }) => error?.code)).toEqual(["TOOL_FAILED", "INVALID_ARGUMENTS", "INVALID_ARGUMENTS"]);
    const gate = createGate();
    setImmediate(() => gate.open());
    await gate.promise;
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off("unhandledRejection", unhandled);
  }
});
