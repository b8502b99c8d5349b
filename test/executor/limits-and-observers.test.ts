import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { budgetGuard, createExecutor, type Executor, Type } from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { afterAll, expect, test } from "vitest";
import { tool } from "../helpers/engine.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "limits-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(["timeoutMs", "idleTimeoutMs"] as const)(
  "T4: a tool's own %s ends with the tool, whatever hooks do after it",
  async (limit) => {
    const executor = createExecutor({
      tools: [tool("quick", () => "result", { [limit]: 1 })],
      limits: { abortGraceMs: 1 },
    });
    const hook = createGate();
    executor.on("tool_result", async ({ signal }) => {
      setTimeout(() => hook.open(), 20); // longer than the limit and the grace
      await hook.promise;
      expect(signal.aborted).toBe(false);
    });
    expect((await executor.executeTool("quick", {})).status).toBe("ok");
  },
);

test("T4: a call's own limit is clipped to that of its caller, so it times out with it; a call without one is aborted", async () => {
  const codes: (string | undefined)[] = [];
  const sleep = tool(
    "sleep",
    (_args, ctx) => new Promise((_ok, no) => ctx.signal.addEventListener("abort", () => no(ctx.signal.reason))),
  );
  const top = tool("top", async (_args, ctx) => {
    const limits = [{ timeoutMs: 60_000 }, { idleTimeoutMs: 60_000 }, {}];
    codes.push(
      ...(await Promise.all(limits.map((options) => ctx.executeTool("sleep", {}, options)))).map(
        ({ error }) => error?.code,
      ),
    );
  });
  const executor = createExecutor({ tools: [sleep, top] });
  expect((await executor.executeTool("top", {}, { timeoutMs: 10 })).error?.code).toBe("TIMEOUT");
  expect(codes).toEqual(["TIMEOUT", "TIMEOUT", "ABORTED"]);
});

test("F5: what an observer starts is not the holder's work: it waits for the file like a stranger", async () => {
  const file = join(folder, "count");
  await writeFile(file, "0");
  const increment = tool(
    "increment",
    async (_args, ctx) => {
      const count = Number(await readFile(file, "utf8"));
      ctx.onUpdate({ content: [{ type: "text", text: "read" }] });
      for (let round = 0; round < 20; round += 1) await turn();
      await writeFile(file, String(count + 1));
    },
    { mutates: () => [file] },
  );
  const executor: Executor = createExecutor({ tools: [increment] });
  let second: Promise<unknown> | undefined;
  executor.subscribe((event) => {
    if (event.type === "tool_execution_update") second ??= executor.executeTool("increment", {});
  });
  await executor.executeTool("increment", {});
  await second;
  expect(await readFile(file, "utf8")).toBe("2");
});

test("B5: a call made inside a lease by function needs no turn, so those that have turns and wait for the file go on", async () => {
  const file = join(folder, "held");
  const edit = tool("edit", () => "edited", { mutates: () => [file] });
  const quick = tool("quick", () => "quick");
  const top = tool("top", async (_args, ctx) => {
    const [holds, go] = [createGate(), createGate()];
    const held = ctx.withFileMutationQueue(file, async () => {
      holds.open();
      await go.promise;
      return (await ctx.executeTool("quick", {})).status;
    });
    await holds.promise;
    const edited = ctx.executeTool("edit", {}); // has the only turn, and waits for the file
    await turn();
    go.open();
    return `${await held} ${(await edited).status}`;
  });
  const executor = createExecutor({ tools: [edit, quick, top], limits: { maxConcurrency: 1 } });
  expect((await executor.executeTool("top", {})).result.content).toEqual([{ type: "text", text: "ok ok" }]);
});

test("T2: a wait listener that stops the call at once leaves nothing of it in the queue", async () => {
  const stop = new AbortController();
  const [laneHeld, laneMayEnd] = [createGate(), createGate()];
  const lane = tool("lane", async () => (laneHeld.open(), await laneMayEnd.promise), { executionMode: "sequential" });
  const other = tool("other", () => "other", { executionMode: "sequential" });
  const executor = createExecutor({ tools: [lane, other] });
  executor.on("tool_execution_wait", ({ toolCallId, reason }) => {
    if (toolCallId === "stopped") stop.abort(reason);
  });
  const first = executor.executeTool("lane", {});
  await laneHeld.promise;
  const stopped = await executor.executeTool("other", {}, { toolCallId: "stopped", signal: stop.signal });
  expect([stopped.status, stopped.error?.message]).toEqual(["aborted", expect.stringContaining("lane")]);
  const next = executor.executeTool("other", {});
  laneMayEnd.open();
  expect([(await first).status, (await next).status]).toEqual(["ok", "ok"]);
});

test("budgetGuard counts a call by its own number, however many were made meanwhile", async () => {
  let ran = 0;
  const leaf = tool("leaf", () => void (ran += 1));
  const top = tool(
    "top",
    async (_args, ctx) => void (await Promise.all(Array.from({ length: 10 }, () => ctx.executeTool("leaf", {})))),
  );
  const executor = createExecutor({ tools: [leaf, top] });
  executor.on("tool_call", () => turn());
  executor.on("tool_call", budgetGuard({ maxCalls: 3 }));
  await executor.executeTool("top", {});
  expect(ran).toBe(3);
});

test("B1: all start events of a parallel batch come first, for refused calls too; those without a turn say that they wait", async () => {
  const log: string[] = [];
  const executor = createExecutor({ tools: [tool("t", () => turn())], limits: { maxConcurrency: 1 } });
  executor.subscribe(({ type, toolCallId }) => void log.push(`${type.slice(15)} ${toolCallId}`));
  executor.on("tool_execution_wait", ({ toolCallId, reason }) => void log.push(`wait ${toolCallId} ${reason}`));
  const calls = [
    { id: "a", name: "t", arguments: { n: 1n } },
    { id: "b", name: "t" },
    { id: "c", name: "t" },
  ];
  await executor.executeBatch(calls);
  expect(log).toEqual(["start a", "start b", "start c", "end a", "wait c concurrency", "end b", "end c"]);
});

test("B2: a hidden sequential tool makes no batch sequential, and a sparse batch is refused before anything runs", async () => {
  let [active, most] = [0, 0];
  const t = tool("t", async () => {
    active += 1;
    most = Math.max(most, active);
    await turn();
    active -= 1;
  });
  const secret = tool("secret", () => "x", { executionMode: "sequential", exposure: "hidden" });
  const executor = createExecutor({ tools: [t, secret] });
  await executor.executeBatch(["t", "secret", "t"].map((name, index) => ({ id: String(index), name })));
  expect(most).toBe(2);
  // biome-ignore lint/suspicious/noSparseArray: that is the question
  await expect(executor.executeBatch([, { id: "b", name: "t" }] as never)).rejects.toThrow("calls[0].id");
});

test("H4, 4.1: a flag that a hook wrote into a result still agrees with the outcome; an empty result is the caller's own", async () => {
  const executor = createExecutor({ tools: [tool("t", () => undefined)] });
  const first = await executor.executeTool("t", {});
  (first.result.content as unknown[]).push("mine");
  executor.on("tool_result", ({ result }) => void ((result as { isError?: boolean }).isError = true));
  const second = await executor.executeTool("t", {});
  expect([second.status, second.isError, second.result.isError === true, second.result.content]).toEqual([
    "ok",
    false,
    false,
    [],
  ]);
});

test("H7: members of structuredContent that are undefined are not there, as in its JSON", async () => {
  const outputSchema = Type.Object({ a: Type.Integer() }, { additionalProperties: false });
  const t = tool("t", () => ({ structuredContent: { a: 1, gone: undefined } }), { outputSchema });
  expect((await createExecutor({ tools: [t] }).executeTool("t", {})).status).toBe("ok");
});
