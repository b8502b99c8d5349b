import { createExecutor, type Drawing, type NestedCallRecord, type NestedCalls, type ToolRenderers } from "nestcall";
import { callTreeDrawing, drawCallTree, recordTree } from "nestcall/trace";
import { expect, test } from "vitest";
import { caller, tool } from "../helpers/engine.js";

const call = (id: string, more: Partial<NestedCallRecord> = {}): NestedCallRecord => ({
  id,
  name: "leaf",
  arguments: {},
  status: "ok",
  durationMs: 12,
  ...more,
});
const record = (calls: readonly NestedCallRecord[], more: Partial<NestedCalls> = {}): NestedCalls => ({
  calls,
  complete: true,
  ...more,
});
const lines = (calls: readonly NestedCallRecord[], options: Parameters<typeof drawCallTree>[1] = {}) =>
  drawCallTree(record(calls), options).split("\n").slice(1);
const drawn = (renderCall: () => unknown) => ({
  registry: { renderersOf: () => ({ renderCall }) as ToolRenderers }, // renderers may give anything
});

test("a finished call: what was called, how it ended, how long it ran", async () => {
  const clock = { now: () => 0, monotonic: () => 0 };
  const failing = tool("failing", () => {
    throw new Error("It broke\nin two lines");
  });
  const mid = caller("mid", [
    ["leaf", { path: "a.md", n: 5 }],
    ["failing", {}],
  ]);
  const top = caller("top", [["mid"], ["nope"]]);
  const executor = createExecutor({ tools: [tool("leaf", () => "ran"), failing, mid, top], clock });
  const outcome = await executor.executeTool("top", { all: true }, { toolCallId: "T" });
  const text = [
    "✓ top all: true  ok  0 ms",
    "├─ ✓ mid  ok  0 ms",
    '│  ├─ ✓ leaf path: "a.md", n: 5  ok  0 ms',
    "│  └─ ✗ failing  TOOL_FAILED  0 ms",
    "│        It broke in two lines",
    "└─ ✗ nope  UNKNOWN_TOOL",
    '      There is no tool "nope" that can be called here.',
  ].join("\n");
  expect(drawCallTree(outcome)).toBe(text);
  expect(drawCallTree(recordTree(outcome))).toBe(text);
  expect(drawCallTree(outcome, { colors: true })).toContain("\u001b[31m✗ failing  TOOL_FAILED  0 ms\u001b[39m");
});

test("what the record does not hold is said", () => {
  const calls = [
    call("r/1", { status: "unfinished", arguments: undefined, argumentsBytes: 12_345 }),
    call("r/2", { status: "aborted", durationMs: 1234.5 }),
    call("r/3/1", { durationMs: 0.04 }),
  ];
  expect(drawCallTree(record(calls, { complete: false, dropped: 1 })).split("\n")).toEqual([
    "? r  not in the record",
    "├─ … leaf (arguments of 12,345 bytes not recorded)  unfinished  12 ms",
    "├─ ■ leaf  aborted  1,235 ms",
    "├─ ? r/3  not in the record",
    "│  └─ ✓ leaf  ok  0 ms",
    "└─ … 1 more call ran that the record has no place for",
  ]);
});

test("the tool draws its calls, on one line, and its name is there whatever it draws", () => {
  const text = (content: string): Drawing => ({ type: "text", text: content });
  expect(
    lines(
      [call("r/1")],
      drawn(() => text("leaf, drawn")),
    ),
  ).toEqual(["└─ ✓ leaf, drawn  ok  12 ms"]);
  expect(
    lines(
      [call("r/1")],
      drawn(() => text("\n$ git status\nmore")),
    ),
  ).toEqual(["└─ ✓ leaf: $ git status …  ok  12 ms"]);
  expect(
    lines(
      [call("r/1")],
      drawn(() => text("leaflet")),
    ),
  ).toEqual(["└─ ✓ leaf: leaflet  ok  12 ms"]);
  expect(
    lines(
      [call("r/1")],
      drawn(() => text("")),
    ),
  ).toEqual(["└─ ✓ leaf  ok  12 ms"]);
  expect(
    lines(
      [call("r/1")],
      drawn(() => ({ type: "table", columns: [], rows: [["a", "b"]] })),
    ),
  ).toEqual(["└─ ✓ leaf: a  b  ok  12 ms"]);
});

test("arguments that are not in the record are not drawn by the tool", () => {
  const options = drawn(() => {
    throw new Error("it was asked");
  });
  const omitted = call("r/1", { arguments: undefined });
  expect(lines([omitted], options)).toEqual(["└─ ✓ leaf (arguments not recorded)  ok  12 ms"]);
});

test("a call is cut so that how it ended has its place", () => {
  const long = call("r/1", { arguments: { text: "字".repeat(80) } });
  expect(lines([long], { width: 50 })).toEqual(['└─ ✓ leaf text: "字字字字字字字字字字…  ok  12 ms']);
});

test("names and errors from outside command nothing", () => {
  const hostile = call("r/\u001b[2J1", { name: "a\u202eb", error: "\u001b]0;x\u0007\nDONE", status: "error" });
  expect(lines([hostile])).toEqual(["└─ ✗ a\\u202eb  error  12 ms", "      DONE"]);
});

test("of many calls the first, the last and those in trouble are drawn, the others counted", () => {
  const calls = Array.from({ length: 40 }, (_, index) =>
    call(`r/${index + 1}`, index === 20 ? { status: "error", code: "TIMEOUT" } : {}),
  );
  calls.push(call("r/31/1", { status: "aborted" }));
  expect(lines(calls, { maxCalls: 8 })).toEqual([
    ...Array.from({ length: 4 }, () => "├─ ✓ leaf  ok  12 ms"),
    "├─ … 16 more calls: 16 ok",
    "├─ ✗ leaf  TIMEOUT  12 ms",
    "├─ … 9 more calls: 9 ok",
    "├─ ✓ leaf  ok  12 ms",
    "│  └─ ■ leaf  aborted  12 ms",
    "├─ … 7 more calls: 7 ok",
    "├─ ✓ leaf  ok  12 ms",
    "└─ ✓ leaf  ok  12 ms",
  ]);
  expect(lines(calls, { maxCalls: 100 })).toHaveLength(41);
});

test("what is too deep is counted, with what went wrong there", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `r${"/1".repeat(index + 1)}`);
  const calls = ids.map((id, index) => call(id, index === 29 ? { status: "error" } : {}));
  const deep = lines(calls, { maxDepth: 2 });
  expect(deep).toEqual([
    "└─ ✓ leaf  ok  12 ms",
    "   └─ ✓ leaf  ok  12 ms",
    "      └─ … 28 calls below: 27 ok, 1 not ok",
  ]);
  expect(callTreeDrawing(record(calls), { maxDepth: 2 }).children[0]?.children[0]?.children[0]?.tone).toBe("warning");
  expect(lines(calls)).toHaveLength(9);
});

test("a name with nothing visible in it is drawn, and does not keep the drawing from ending", () => {
  const record = { toolCall: { id: "T", name: "\u001b[0m", arguments: { word: 1 } }, status: "ok" } as const;
  const registry = { renderersOf: () => ({ renderCall: () => ({ type: "text", text: "word" }) as const }) };
  expect(drawCallTree(record, { registry })).toContain("word");
});
