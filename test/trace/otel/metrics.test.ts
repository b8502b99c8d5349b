// `nestcall/otel`: the metrics of an executor, and that nothing is kept of a call that has ended.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGate, turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { caller, tool } from "../../helpers/engine.js";
import { traced } from "./traced.js";

test("calls are counted by tool and status, and timed; names that a model made up are one name", async () => {
  const { executor, points } = traced([tool("one", () => "x"), tool("fails", () => Promise.reject(new Error("no")))]);
  for (const name of ["one", "one", "fails", "made_up_1", "made_up_2"]) await executor.executeTool(name, {});
  await executor.executeTool("made_up_3", { n: 1n } as never);
  const of = (name: string, status: string, error?: string) => ({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "nestcall.status": status,
    ...(error === undefined ? {} : { "error.type": error }),
  });
  expect(await points("nestcall.calls")).toEqual([
    { attributes: of("one", "ok"), value: 2 },
    { attributes: of("fails", "error", "TOOL_FAILED"), value: 1 },
    { attributes: of("_OTHER", "error", "UNKNOWN_TOOL"), value: 2 },
    { attributes: of("_OTHER", "error", "INVALID_ARGUMENTS"), value: 1 },
  ]);
  const durations = await points("gen_ai.execute_tool.duration");
  expect(durations.map(({ value }) => value)).toEqual([2, 1, 2, 1]);
  expect(durations[0]?.attributes).toEqual({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "one" });
});

test("the duration is that of the span, in seconds", async () => {
  const { executor, points, spanOf } = traced([tool("one", () => turn())]);
  await executor.executeTool("one", {}, { toolCallId: "r" });
  const [seconds = 0, nanoseconds = 0] = spanOf("r").duration;
  const [point] = await points("gen_ai.execute_tool.duration");
  expect(Math.abs((point?.sum ?? 0) - seconds - nanoseconds / 1e9)).toBeLessThan(0.005);
});

test("waits are timed by reason; who holds what others wait for is counted while it is open", async () => {
  const gate = createGate();
  const waiting = createGate();
  const { executor, points } = traced([
    tool("edit", () => gate.promise, { mutates: () => ["/notes.md"] }),
    tool("outer", async (_args, ctx) => {
      const calls = [1, 2, 3].map(() => ctx.executeTool("edit", {}));
      await Promise.all(calls);
    }),
  ]);
  let waiters = 0;
  executor.on("tool_execution_wait", () => {
    waiters += 1;
    if (waiters === 2) waiting.open();
  });
  const call = executor.executeTool("outer", {});
  await waiting.promise;
  expect(await points("nestcall.leases.contended")).toEqual([{ attributes: {}, value: 1 }]);
  expect(await points("nestcall.calls.open")).toEqual([{ attributes: {}, value: 4 }]);
  gate.open();
  await call;
  const waits = await points("nestcall.wait.duration");
  expect(waits.map(({ attributes, value }) => ({ ...attributes, value }))).toEqual([
    { "gen_ai.tool.name": "edit", "nestcall.wait.reason": "files", value: 2 },
  ]);
  expect((await points("nestcall.leases.contended"))[0]?.value).toBe(0);
  expect((await points("nestcall.calls.open"))[0]?.value).toBe(0);
});

test("a wait ends where the call makes calls of its own, however long it runs then", async () => {
  const release = createGate();
  const finish = createGate();
  const seen = createGate();
  const waiting = createGate();
  const { executor, points } = traced([
    tool("first", () => release.promise, { executionMode: "sequential" }),
    tool(
      "second",
      async (_args, ctx) => {
        await ctx.executeTool("leaf", {});
        seen.open();
        await finish.promise;
      },
      { executionMode: "sequential" },
    ),
    tool("leaf", () => "x"),
  ]);
  executor.on("tool_execution_wait", () => waiting.open());
  const calls = [executor.executeTool("first", {}), executor.executeTool("second", {})];
  await waiting.promise;
  release.open();
  await seen.promise;
  expect((await points("nestcall.wait.duration"))[0]?.value).toBe(1);
  finish.open();
  await Promise.all(calls);
  expect((await points("nestcall.wait.duration"))[0]?.value).toBe(1);
});

test("T5: after a root call nothing of its spans is kept", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { executor, exporter } = traced([caller("outer", [["inner"], ["inner"]]), tool("inner", () => "x")]);
  await executor.executeTool("outer", {});
  const spans = exporter.getFinishedSpans().map((span) => new WeakRef(span));
  exporter.reset();
  for (let tries = 0; tries < 20 && spans.some((span) => span.deref() !== undefined); tries += 1) {
    await turn();
    collect();
  }
  expect(spans).toHaveLength(3);
  expect(spans.filter((span) => span.deref() !== undefined)).toEqual([]);
});
