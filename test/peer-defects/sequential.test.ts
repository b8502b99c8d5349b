// The faults of the nearest peer that are about the sequential lane: D10, D11.
import { createExecutor, type ToolCallOutcome, type ToolContext } from "nestcall";
import { createGate, type Gate, turn } from "nestcall/testing";
import { expect, test, vi } from "vitest";
import { at, caller, type Data, type Execute, endOf, textOf, tool } from "../helpers/engine.js";

const SEQUENTIAL = { executionMode: "sequential" };

/** A tool that starts another, waits until that runs, and returns without awaiting it. */
function leaver(name: string, target: string, started: Gate, more: Data = {}) {
  const execute: Execute = async (_args, ctx) => {
    void ctx.executeTool(target);
    await started.promise;
  };
  return tool(name, execute, more);
}

/** A sequential tool that logs when it starts and ends, and leaves room for others between. */
function logged(name: string, log: string[]) {
  return tool(
    name,
    async ({ n = "" }) => {
      log.push(`start ${name}${n}`);
      for (let count = 0; count < 3; count += 1) await turn();
      log.push(`end ${name}${n}`);
    },
    SEQUENTIAL,
  );
}

const IN_TURN = [1, 2, 3].flatMap((n) => [`start seq${n}`, `end seq${n}`]);

test.each([
  ["nested sequential", SEQUENTIAL, "parallel"],
  ["nested parallel", {}, "parallel"],
  ["nested, in a sequential executor,", {}, "sequential"],
  ["nested sequential, in a sequential executor,", SEQUENTIAL, "sequential"],
] as const)(
  "D10: three sequential children of a %s tool run one at a time, in call order",
  async (_what, more, toolExecution) => {
    const log: string[] = [];
    const mid = tool(
      "mid",
      async (_args, ctx) => {
        await Promise.all([1, 2, 3].map((n) => ctx.executeTool("seq", { n })));
      },
      more,
    );
    const executor = createExecutor({ tools: [logged("seq", log), mid, caller("top", [["mid"]])], toolExecution });
    await executor.executeBatch([{ id: "T", name: "top" }]);
    expect(log).toEqual(IN_TURN);
  },
);

test("D10: what a finished holder left behind keeps others out until it has settled", async () => {
  const [gate, started, waiting] = [createGate(), createGate(), createGate()];
  const log: string[] = [];
  const inner = tool(
    "inner",
    async () => {
      log.push("start inner");
      started.open();
      await gate.promise; // ignores its signal
      log.push("end inner");
    },
    SEQUENTIAL,
  );
  const holder = leaver("holder", "inner", started, SEQUENTIAL);
  const executor = createExecutor({ tools: [inner, holder, logged("other", log)], limits: { abortGraceMs: 1 } });
  executor.on("tool_execution_wait", () => waiting.open());
  expect((await executor.executeTool("holder")).nestedCalls?.calls[0]?.status).toBe("unfinished");
  const other = executor.executeTool("other");
  await waiting.promise;
  expect(log).toEqual(["start inner"]);
  gate.open();
  await other;
  expect(log).toEqual(["start inner", "end inner", "start other", "end other"]);
});

test("D11 a: a sequential tool that calls another through its caller's context does not hang", async () => {
  const log: string[] = [];
  let outerContext: ToolContext | undefined;
  const nested: ToolCallOutcome[] = [];
  const mid = tool(
    "mid",
    async () => {
      nested.push(await (outerContext as ToolContext).executeTool("seq"));
    },
    SEQUENTIAL,
  );
  const outer = tool(
    "outer",
    async (_args, ctx) => {
      outerContext = ctx;
      nested.push(await ctx.executeTool("mid"));
    },
    SEQUENTIAL,
  );
  const executor = createExecutor({ tools: [logged("seq", log), mid, outer] });
  const outcome = await executor.executeTool("outer", {}, { toolCallId: "T" });
  expect(outcome.nestedCalls).toMatchObject({ complete: true, calls: [{ id: "T/1" }, { id: "T/2" }] });
  // The wait would close a cycle, unless the call counts as below the one that made it.
  expect(["ok", "DEADLOCK"]).toContain(endOf(at(nested, 0)));
  expect(endOf(at(nested, 1))).toBe("ok");
});

test("D11 b: an un-awaited sequential call that outlives the run can block neither itself nor the next run", async () => {
  const [gate, started, tried] = [createGate(), createGate(), createGate()];
  const late: ToolCallOutcome[] = [];
  const log: string[] = [];
  const stray = tool(
    "stray",
    async (_args, ctx) => {
      started.open();
      await gate.promise;
      late.push(await ctx.executeTool("seq"));
      tried.open();
    },
    SEQUENTIAL,
  );
  const top = leaver("top", "stray", started);
  const executor = createExecutor({
    tools: [stray, top, logged("seq", log), caller("next", [["seq"]])],
    limits: { abortGraceMs: 1 },
  });
  await executor.executeTool("top");
  const next = executor.executeTool("next");
  gate.open();
  await tried.promise;
  expect(late.map(endOf)).toEqual(["CALLER_FINISHED"]);
  expect([(await next).status, log]).toEqual(["ok", ["start seq", "end seq"]]);
});

test("D11 c: behind a sequential call that never settles others can leave, are told who holds the lane, and close() ends the wait", async () => {
  const started = createGate();
  const stuck = tool(
    "stuck",
    () => {
      started.open();
      return createGate().promise;
    },
    SEQUENTIAL,
  );
  const top = leaver("top", "stuck", started);
  const executor = createExecutor({ tools: [stuck, top, logged("seq", [])], limits: { abortGraceMs: 1 } });
  await executor.executeTool("top", {}, { toolCallId: "T" });

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let settled = false;
    const timed = executor.executeTool("seq", {}, { timeoutMs: 1000 });
    void timed.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const outcome = await timed;
    expect([endOf(outcome), textOf(outcome)]).toEqual(["TIMEOUT", expect.stringContaining("T/1")]);
  } finally {
    vi.useRealTimers();
  }
  const waiting = executor.executeTool("seq");
  await executor.close();
  const closed = await waiting;
  expect([closed.status, textOf(closed)]).toEqual(["aborted", expect.stringContaining("T/1")]);
});
