// traceOf for records: the same calls, with places in time that are guesses and said to be.
import { createExecutor } from "nestcall";
import { recordTree, traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
import { approvalGuard } from "../../../src/guards/index.js";
import { at, caller, tool } from "../../helpers/engine.js";

async function outcome() {
  const wipe = tool("wipe", () => "gone", { effect: "destructive" });
  const inner = caller("inner", [["leaf"], ["wipe"]], [], { effect: "read" });
  const leaf = tool("leaf", () => ({ content: [], usage: { input: 3 } }), { effect: "read" });
  const executor = createExecutor({
    tools: [leaf, wipe, inner, caller("outer", [["leaf"], ["inner"]], [], { effect: "read" })],
  });
  executor.on("tool_call", approvalGuard());
  return executor.executeTool("outer", {}, { toolCallId: "T" });
}

test("an outcome gives its calls with status, code, error, and the usage of the whole", async () => {
  const trace = traceOf(await outcome());
  expect(trace.calls.map(({ id, parent, depth, status, code }) => [id, parent, depth, status, code])).toEqual([
    ["T", undefined, 0, "ok", undefined],
    ["T/1", 0, 1, "ok", undefined],
    ["T/2", 0, 1, "ok", undefined],
    ["T/2/1", 2, 2, "ok", undefined],
    ["T/2/2", 2, 2, "blocked", "BLOCKED"],
  ]);
  expect(at(trace.calls, 4).error).toContain("requires approval");
  expect([trace.source, trace.usage, trace.startedAt]).toEqual(["record", { input: 6 }, undefined]);
  expect(trace.notes.join()).toContain("guesses");
});

test("a record alone and a tree made of it give the same calls", async () => {
  const { nestedCalls } = await outcome();
  if (nestedCalls === undefined) throw new Error("there is no record");
  expect(traceOf(nestedCalls).calls.map(({ id }) => id)).toEqual(["T", "T/1", "T/2", "T/2/1", "T/2/2"]);
  expect(traceOf(recordTree(nestedCalls))).toEqual(traceOf(nestedCalls));
});

test("calls are put behind each other, or beside each other where their caller did not run long enough", () => {
  const call = (id: string, durationMs: number) =>
    ({ id, name: "t", status: "ok", arguments: {}, durationMs }) as const;
  const trace = traceOf({
    toolCall: { id: "T", name: "t", arguments: {} },
    status: "ok",
    durationMs: 100,
    nestedCalls: { complete: false, dropped: 2, calls: [call("T/1", 30), call("T/2", 80), call("T/3", 100)] },
  });
  expect(trace.calls.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 100],
    [0, 30],
    [20, 100],
    [0, 100],
  ]);
  expect([trace.durationMs, trace.dropped]).toEqual([100, 2]);
});
