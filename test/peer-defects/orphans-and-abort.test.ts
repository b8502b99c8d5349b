// The faults of the nearest peer that are about calls nobody waits for, and about stopping: D8, D13, D14.
import { getEventListeners } from "node:events";
import { createExecutor, type ToolCallOutcome } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, brief, caller, endOf, eventsOf, textOf, tool, untilAborted } from "../helpers/engine.js";

test("D8: a call that nobody awaited is aborted and waited for, and its usage counts", async () => {
  const leaf = tool("leaf", async (_args, ctx) => {
    await untilAborted(ctx.signal).catch(() => {});
    return { content: [], usage: { input: 50 } };
  });
  const top = tool("top", (_args, ctx) => void ctx.executeTool("leaf"));
  const executor = createExecutor({ tools: [leaf, top] });
  const events = eventsOf(executor);
  const outcome = await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(brief(events)).toEqual(["start T", "start T/1", "end T/1", "end T"]);
  expect(outcome).toMatchObject({ status: "ok", usage: { input: 50 } });
  expect(outcome.nestedCalls).toMatchObject({ complete: true, calls: [{ id: "T/1", status: "aborted" }] });
});

test("D8: what an un-awaited call comes to does not depend on the shape of the batch", async () => {
  const leaf = tool("leaf", async (_args, ctx) => {
    await untilAborted(ctx.signal).catch(() => {});
    return { content: [], usage: { input: 50 } };
  });
  const top = tool("top", (_args, ctx) => void ctx.executeTool("leaf"));
  const slow = createGate();
  const tools = [
    leaf,
    top,
    tool("parallel", () => slow.promise),
    tool("sequential", () => slow.promise, { executionMode: "sequential" }),
  ];
  const alone = await createExecutor({ tools }).executeBatch([{ id: "T", name: "top" }]);
  const wanted = shapeOf(alone.outcomes);
  expect(wanted).toEqual(["T/1 aborted", true, { input: 50 }]);
  for (const sibling of ["parallel", "sequential"]) {
    const executor = createExecutor({ tools });
    executor.on("tool_execution_end", ({ toolCallId }) => {
      if (toolCallId === "T") slow.open(); // the sibling goes on longer than top
    });
    const batch = await executor.executeBatch([
      { id: "T", name: "top" },
      { id: "S", name: sibling },
    ]);
    expect([sibling, ...shapeOf(batch.outcomes)]).toEqual([sibling, ...wanted]);
  }
});

function shapeOf(
  outcomes: Awaited<ReturnType<ReturnType<typeof createExecutor>["executeBatch"]>>["outcomes"],
): unknown[] {
  const { nestedCalls, usage } = at(outcomes, 0);
  return [nestedCalls?.calls.map(({ id, status }) => `${id} ${status}`).join(), nestedCalls?.complete, usage];
}

test("D8: an un-awaited call that ignores its signal is ended as unfinished, and nothing is heard of it later", async () => {
  const [gate, ended] = [createGate(), createGate()];
  const leaf = tool("leaf", async (_args, ctx) => {
    await gate.promise;
    ctx.onUpdate({ content: [{ type: "text", text: "late" }] });
    ended.open();
    return { content: [], usage: { input: 50 } };
  });
  let open: Promise<ToolCallOutcome> | undefined;
  const top = tool("top", (_args, ctx) => {
    open = ctx.executeTool("leaf");
  });
  const executor = createExecutor({ tools: [leaf, top], limits: { abortGraceMs: 1 } });
  const events = eventsOf(executor);
  const outcome = await executor.executeTool("top", {}, { toolCallId: "T" });
  expect(brief(events)).toEqual(["start T", "start T/1", "end T/1", "end T"]);
  expect(outcome.nestedCalls).toEqual({
    complete: false,
    calls: [{ id: "T/1", name: "leaf", arguments: {}, status: "unfinished" }],
  });
  expect((await open)?.status).toBe("aborted");
  gate.open();
  await ended.promise;
  await executor.close();
  expect([events.length, outcome.usage]).toEqual([4, undefined]);
});

test("D13: a call that is aborted in the lane settles while its predecessor still runs", async () => {
  const [gate, started, waiting] = [createGate(), createGate(), createGate()];
  const first = tool(
    "first",
    async () => {
      started.open();
      await gate.promise;
    },
    { executionMode: "sequential" },
  );
  const ran: string[] = [];
  const second = tool("second", () => void ran.push("second"), { executionMode: "sequential" });
  const executor = createExecutor({ tools: [first, second] });
  executor.on("tool_execution_wait", () => waiting.open());
  const holder = executor.executeTool("first", {}, { toolCallId: "F" });
  await started.promise;
  const controller = new AbortController();
  const waiter = executor.executeTool("second", {}, { signal: controller.signal });
  await waiting.promise;
  controller.abort();
  const outcome = await waiter; // the gate is still shut
  expect([outcome.status, textOf(outcome).includes("F"), ran]).toEqual(["aborted", true, []]);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  gate.open();
  expect((await holder).status).toBe("ok");
});

test("D13: a nested tool that ignores abort and never settles does not hold its callers", async () => {
  const started = createGate();
  const stuck = tool("stuck", () => {
    started.open();
    return createGate().promise;
  });
  const mid = caller("mid", [["stuck"]]);
  const executor = createExecutor({ tools: [stuck, mid, caller("top", [["mid"]])], limits: { abortGraceMs: 5 } });
  const events = eventsOf(executor);
  const controller = new AbortController();
  const batch = executor.executeBatch(
    [
      { id: "T", name: "top" },
      { id: "U", name: "top" },
    ],
    { signal: controller.signal },
  );
  await started.promise;
  controller.abort(new Error("the user stopped it"));
  const { outcomes } = await batch;
  expect(outcomes.map(({ status }) => status)).toEqual(["aborted", "aborted"]);
  expect(brief(events).filter((line) => line.startsWith("end T"))).toEqual(["end T/1/1", "end T/1", "end T"]);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("D13: a batch that is aborted while a hook asks a person settles at once, and asks no more", async () => {
  const [asking, asked] = [createGate(), [] as string[]];
  const executor = createExecutor({ tools: [tool("leaf", () => "ran")] });
  executor.on("tool_call", async ({ toolCallId }) => {
    asked.push(toolCallId);
    asking.open();
    await createGate().promise; // nobody answers
  });
  const controller = new AbortController();
  const calls = ["a", "b"].map((id) => ({ id, name: "leaf" }));
  const batch = executor.executeBatch(calls, { signal: controller.signal });
  await asking.promise;
  controller.abort();
  const { outcomes } = await batch;
  expect([outcomes.map(({ status }) => status), asked]).toEqual([["aborted", "aborted"], ["a"]]);
});

test("D13: close() ends a batch while a hook asks a person", async () => {
  const asking = createGate();
  const executor = createExecutor({ tools: [tool("leaf", () => "ran")] });
  executor.on("tool_call", async () => {
    asking.open();
    await createGate().promise;
  });
  const batch = executor.executeBatch(["a", "b"].map((id) => ({ id, name: "leaf" })));
  await asking.promise;
  await executor.close();
  expect((await batch).outcomes.map(({ status }) => status)).toEqual(["aborted", "aborted"]);
});

test.each(["the caller's own signal", "the root's signal"])(
  "D14: a call with a signal of its own is aborted by %s",
  async (which) => {
    const [own, root] = [new AbortController(), new AbortController()];
    const started = createGate();
    const nested: ToolCallOutcome[] = [];
    let rootAborted: boolean | undefined;
    const leaf = tool("leaf", (_args, ctx) => {
      started.open();
      return untilAborted(ctx.signal);
    });
    const top = tool("top", async (_args, ctx) => {
      nested.push(await ctx.executeTool("leaf", {}, { signal: own.signal }));
      rootAborted = ctx.signal.aborted;
    });
    const executor = createExecutor({ tools: [leaf, top] });
    const call = executor.executeTool("top", {}, { signal: root.signal });
    await started.promise;
    const isOwn = which === "the caller's own signal";
    (isOwn ? own : root).abort(new Error("enough"));
    const outcome = await call;
    expect([nested.map(endOf), outcome.status, rootAborted]).toEqual([["ABORTED"], isOwn ? "ok" : "aborted", !isOwn]);
    for (const { signal } of [own, root]) expect(getEventListeners(signal, "abort")).toEqual([]);
  },
);
