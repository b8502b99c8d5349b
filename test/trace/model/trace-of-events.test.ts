// traceOf for events: the tree, the times, and what is not known.
import { createExecutor } from "nestcall";
import { type TraceEvent, traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
import { at, caller, eventsOf, tool } from "../../helpers/engine.js";
import { eventsOfCalls, sampleEvents } from "../sample-events.js";

test("calls stand below their callers, with status, waits, usage, updates and texts", () => {
  const { calls, source, startedAt, durationMs, usage, dropped, notes } = traceOf(sampleEvents());
  expect([source, startedAt, durationMs, dropped, notes]).toEqual([
    "events",
    Date.UTC(2026, 10, 30, 9, 41, 7, 120),
    3010,
    0,
    [],
  ]);
  expect(usage).toMatchObject({ input: 12_360, output: 1062 });
  const byId = new Map(calls.map((call) => [call.id, call]));
  const parents = calls.map(({ parent }) => (parent === undefined ? undefined : at(calls, parent).id));
  expect(parents).toEqual(calls.map(({ id }) => (id.includes("/") ? id.slice(0, id.lastIndexOf("/")) : undefined)));
  expect(byId.get("call_review_7/6")).toMatchObject({
    status: "blocked",
    code: "BLOCKED",
    error: expect.stringContaining("not approved"),
  });
  expect(byId.get("call_review_7/6")).not.toHaveProperty("runMs");
  expect(byId.get("call_review_7/3/3")).toMatchObject({
    status: "error",
    updates: 9,
    latestUpdate: "38 passed, 2 failed, 1 to go",
  });
  expect(byId.get("call_review_7/3/4")).toMatchObject({ status: "aborted" });
  expect(byId.get("call_watch_8/2")).toMatchObject({ status: "unfinished", startMs: 3010, endMs: 3010 });
  const waits = [
    { reason: "files", fromMs: 1355, toMs: 1496, paths: ["/srv/app/src/policy/policy.ts"], heldBy: "call_review_7/4" },
  ];
  expect(byId.get("call_review_7/5")?.waits).toEqual(waits);
});

test("what a host has heard itself can be given, and its own list stays as it is", async () => {
  const executor = createExecutor({
    tools: [tool("leaf", () => "text"), caller("outer", [["leaf", { n: 1 }], ["missing"]])],
  });
  const events = eventsOf(executor);
  await executor.executeTool("outer", {}, { toolCallId: "T" });
  const before = JSON.stringify(events);
  const { calls } = traceOf(events);
  expect(calls.map(({ id, name, status, code }) => [id, name, status, code])).toEqual([
    ["T", "outer", "ok", undefined],
    ["T/1", "leaf", "ok", undefined],
    ["T/2", "missing", "error", "UNKNOWN_TOOL"],
  ]);
  expect(at(calls, 1)).toMatchObject({ arguments: { n: 1 }, resultBytes: 4 });
  expect(JSON.stringify(events)).toBe(before);
});

test("calls within one millisecond are put in their order, each as long as it ran", () => {
  const event = (type: string, id: string, more: object = {}) =>
    ({ type, toolCallId: id, toolName: "t", depth: id.split("/").length - 1, timestamp: 1000, ...more }) as TraceEvent;
  const end = (id: string, durationMs: number) =>
    event("tool_execution_end", id, { status: "ok", isError: false, durationMs });
  const calls = ["T/1", "T/2", "T/3"].flatMap((id) => [event("tool_execution_start", id), end(id, 0.2)]);
  const trace = traceOf([event("tool_execution_start", "T"), ...calls, end("T", 0.65)]);
  expect(trace.calls.map(({ startMs, runMs, endMs }) => [startMs, runMs, endMs])).toEqual([
    [0, 0, 0.65],
    [0, 0, 0.2],
    [0.2, 0.2, 0.4],
    [0.4, 0.4, 0.6],
  ]);
});

test("a tool ran before it called others, whatever hooks on its result took", () => {
  const { calls } = traceOf(
    eventsOfCalls([
      { id: "T", name: "t", args: {}, at: [0, 60, 100] },
      { id: "T/1", name: "u", args: {}, at: [10, 11, 20] },
    ]),
  );
  expect(at(calls, 0)).toMatchObject({ durationMs: 40, runMs: 10, endMs: 100 });
});

test("a stream without its beginning: calls of which nothing was told are there, as unknown", () => {
  const events = sampleEvents().filter(
    ({ toolCallId }) => toolCallId !== "call_review_7/3" && toolCallId !== "call_watch_8",
  );
  const { calls } = traceOf(events.slice(8));
  const unknown = calls.filter(({ status }) => status === "unknown").map(({ id, name }) => [id, name]);
  expect(unknown).toEqual(
    expect.arrayContaining([
      ["call_review_7/3", undefined],
      ["call_watch_8", undefined],
    ]),
  );
  expect(calls.every(({ index, parent = -1 }) => parent < index)).toBe(true);
  const late = calls.find(({ id }) => id === "call_review_7");
  expect(late).toMatchObject({ name: "review", status: "ok", durationMs: 2478 });
});

test("one id used for two root calls, one after the other, gives two", () => {
  const once = eventsOfCalls([{ id: "T", name: "t", args: {}, at: [0, 1, 5] }]);
  const again = eventsOfCalls([{ id: "T", name: "t", args: {}, at: [10, 11, 12] }]);
  expect(traceOf([...once, ...again]).calls.map(({ id, startMs }) => [id, startMs])).toEqual([
    ["T", 0],
    ["T", 10],
  ]);
});

test("no events are an empty trace", () => {
  expect(traceOf([])).toEqual({ source: "events", calls: [], durationMs: 0, dropped: 0, notes: [] });
});

test.each([[undefined], ["text"], [5], [null]])("what is no source is refused: %j", (source) => {
  expect(() => traceOf(source as never)).toThrow("traceOf takes a record, an outcome or a list of events");
});
