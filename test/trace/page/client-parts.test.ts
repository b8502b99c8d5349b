// The parts of the page's script that need no page: what is found, which rows there are, times and numbers in words.
import { traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
import { buildPageData } from "../../../src/trace/page/build-page-data.js";
import { filterTest, isFiltering, NO_FILTER, summaryOf } from "../../../src/trace/page/client/call-filter.js";
import { formatBytes, formatLarge, formatMs } from "../../../src/trace/page/client/format.js";
import { axisMarks, TimeWindow } from "../../../src/trace/page/client/time-window.js";
import { Folding, treeRows } from "../../../src/trace/page/client/tree-rows.js";
import { TraceModel } from "../../../src/trace/page/client/view-call.js";
import { at } from "../../helpers/engine.js";
import { sampleEvents } from "../sample-events.js";

const data = buildPageData(traceOf(sampleEvents()), { title: "sample" });
const view = () => new TraceModel(data).view(undefined);
const found = (filter: Partial<typeof NO_FILTER>) => {
  const test = filterTest({ ...NO_FILTER, ...filter });
  return view()
    .calls.filter(({ call }) => test(call))
    .map(({ call }) => call.id.replace("call_", ""));
};

test("words are looked for in names, ids, arguments, errors, results, states and files that were waited for", () => {
  expect(found({ text: "ASK_MODEL limits" })).toEqual(["review_7/3/2"]);
  expect(found({ text: "review_7/3/4" })).toEqual(["review_7/3/4"]);
  expect(found({ text: "no-force-push" })).toEqual(["review_7/6"]);
  expect(found({ text: "failed tests" })).toEqual(["review_7/3/3"]);
  expect(found({ text: "/srv/app" })).toEqual(["review_7/5"]);
  expect(found({ text: "maxDepth" })).toEqual(["review_7/3/2", "review_7/5"]);
});

test("statuses, a tool and a depth narrow it further", () => {
  expect(found({ statuses: new Set(["blocked", "error"] as const) })).toEqual(["review_7/3/3", "review_7/6"]);
  expect(found({ tool: "read", depth: 2 })).toHaveLength(6);
  expect(found({ tool: "read", depth: 1 })).toEqual([]);
  expect([isFiltering(NO_FILTER), isFiltering({ ...NO_FILTER, depth: 0 })]).toEqual([false, true]);
});

test("what was found is shown below the calls that lead to it, unfolded", () => {
  const { calls } = view();
  const matches = calls.map(({ call }) => call.status === "error");
  const rows = treeRows(calls, matches, true, new Folding());
  expect(rows.map(({ at: index, isMatch }) => [at(calls, index).call.name, isMatch])).toEqual([
    ["review", false],
    ["inspect", false],
    ["run_tests", true],
  ]);
});

test("what a person folds stays folded; a large tree begins folded below its root calls", () => {
  const { calls } = view();
  const all = calls.map(() => true);
  const folding = new Folding();
  expect(treeRows(calls, all, false, folding)).toHaveLength(21);
  folding.set(at(calls, 0).key, false);
  expect(treeRows(calls, all, false, folding).map(({ at: index }) => at(calls, index).call.name)).toEqual([
    "review",
    "watch_build",
    "http_get",
    "http_get",
  ]);
  const many = Array.from({ length: 20 }, () => calls).flat();
  expect(new Folding().isOpen(at(calls, 2), many.length, false)).toBe(false);
  expect(new Folding().isOpen(at(calls, 0), many.length, false)).toBe(true);
});

test("root calls are shown alone or together, with times from one zero", () => {
  const model = new TraceModel(data);
  expect(model.view(1).calls.map(({ startMs }) => startMs)).toEqual([0, 20, 490]);
  expect(
    model
      .view(undefined)
      .calls.slice(-3)
      .map(({ startMs }) => startMs),
  ).toEqual([2520, 2540, 3010]);
});

test("news of a live page change calls in their places; root calls that are gone go", () => {
  const model = new TraceModel(data);
  const call = { ...at(at(data.roots, 1).calls, 2), status: "ok", endMs: 600 } as const;
  const change = { key: 1, startedAt: at(data.roots, 1).startedAt, calls: [[2, call]] as const };
  model.apply({ isWhole: false, keys: [1], changes: [change], dropped: 0, now: 0 });
  expect(model.roots.map(({ key }) => key)).toEqual([1]);
  expect(model.view(undefined).calls.map(({ call: own }) => own.status)).toEqual(["unfinished", "ok", "ok"]);
});

test("calls that still run are drawn up to now", () => {
  const root = at(data.roots, 1);
  const { calls } = new TraceModel(data).view(1, root.startedAt + 5000);
  expect(calls.map(({ endMs }) => endMs)).toEqual([5000, 275, 5000]);
});

test("a call on one line is as its tool draws it, or its fields", () => {
  expect(summaryOf({ ...at(at(data.roots, 0).calls, 1), line: "list_changes since main" })).toBe("since main");
  expect(summaryOf(at(at(data.roots, 0).calls, 1))).toBe('base: "main"');
});

test("a window of time stays inside of the whole, and follows its end until somebody zooms", () => {
  const time = new TimeWindow();
  time.setEnd(100);
  time.setEnd(200);
  expect([time.fromMs, time.toMs]).toEqual([0, 200]);
  time.zoom(0.5, 50);
  expect([time.fromMs, time.toMs]).toEqual([25, 125]);
  time.pan(1000);
  expect([time.fromMs, time.toMs]).toEqual([100, 200]);
  time.setEnd(400);
  expect([time.fromMs, time.toMs]).toEqual([100, 200]);
  time.reveal(300, 310);
  expect([time.fromMs, time.toMs]).toEqual([255, 355]);
  time.zoom(1e9);
  expect([time.fromMs, time.toMs]).toEqual([0, 400]);
});

test("marks of the axis are round", () => {
  expect(axisMarks(0, 1000, 5).map(({ label }) => label)).toEqual([
    "0",
    "200 ms",
    "400 ms",
    "600 ms",
    "800 ms",
    "1.0 s",
  ]);
  expect(axisMarks(1230, 1232, 4).map(({ label }) => label)).toEqual([
    "1.2300 s",
    "1.2305 s",
    "1.2310 s",
    "1.2315 s",
    "1.2320 s",
  ]);
  expect(axisMarks(0, 600_000, 4).map(({ label }) => label)).toEqual(["0", "3 min 20 s", "6 min 40 s", "10 min 0 s"]);
});

test("numbers are in words that people read", () => {
  expect([0.034, 5.55, 420.4, 1234, 61_000].map(formatMs)).toEqual([
    "0.03 ms",
    "5.6 ms",
    "420 ms",
    "1.23 s",
    "1 min 1 s",
  ]);
  expect([1, 900, 2048, 5 * 1024 * 1024].map(formatBytes)).toEqual(["1 byte", "900 bytes", "2 KiB", "5 MiB"]);
  expect([999, 12_345, 1_234_567, 2.5e9].map(formatLarge)).toEqual(["999", "12,345", "1.2 M", "2.5 G"]);
});
