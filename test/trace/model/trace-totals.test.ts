import { traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
import { totalsOf, usageNumbers } from "../../../src/trace/model/trace-totals.js";
import { sampleEvents } from "../sample-events.js";

test("calls are added up, all of them, by tool and by depth", () => {
  const totals = totalsOf(traceOf(sampleEvents()).calls);
  expect(totals.calls).toBe(21);
  expect(totals.byStatus).toEqual({ ok: 16, blocked: 1, error: 1, aborted: 1, unfinished: 2, unknown: 0 });
  expect([totals.usage.get("input"), totals.usage.get("cost.total")?.toFixed(4)]).toEqual([12_360, "0.0515"]);
  const [first] = totals.byTool;
  expect([first?.name, first?.calls]).toEqual(["read", 6]);
  expect(totals.byDepth.map(({ depth, calls }) => [depth, calls])).toEqual([
    [0, 2],
    [1, 9],
    [2, 10],
  ]);
  expect(totals.longestMs).toBe(2478);
});

test("usage of any shape is read as far as it holds numbers", () => {
  const usage = {
    input: 1,
    flag: true,
    cost: { total: 2, deep: { er: 3 } },
    text: "x",
    none: undefined,
    bad: Number.NaN,
  };
  expect([...usageNumbers(usage as never)]).toEqual([
    ["input", 1],
    ["cost.total", 2],
    ["cost.deep.er", 3],
  ]);
});
