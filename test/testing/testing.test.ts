// The fakes that nestcall/testing gives to users.
import { type BatchOutcome, createExecutor } from "nestcall";
import { createFakeClock, createGate, createIdsInOrder, runScriptedHost, turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, brief, textOf, tool } from "../helpers/engine.js";
import { uncaughtDuring } from "../helpers/process.js";

test("a fake clock stands still until it is moved, and moves both readings", () => {
  const clock = createFakeClock(1000);
  expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
  expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
  clock.advance(2.5);
  clock.advance(0);
  expect([clock.now(), clock.monotonic()]).toEqual([1002.5, 2.5]);
  expect(createFakeClock().now()).toBe(0);
  for (const ms of [-1, Number.NaN]) expect(() => clock.advance(ms)).toThrow(/from 0 up/);
  expect(clock.monotonic()).toBe(2.5);
});

test("an executor with a fake clock tells its times and durations", async () => {
  const clock = createFakeClock(5000);
  const leaf = tool("leaf", () => clock.advance(30));
  const executor = createExecutor({ tools: [leaf], clock });
  const stamps: unknown[] = [];
  executor.subscribe(({ type, timestamp }) => void stamps.push([type, timestamp]));
  const { messages } = await executor.executeBatch([{ id: "T", name: "leaf" }]);
  expect(stamps).toEqual([
    ["tool_execution_start", 5000],
    ["tool_execution_end", 5030],
  ]);
  expect([at(messages, 0).timestamp, at(messages, 0).durationMs]).toEqual([5030, 30]);
});

test("ids come in order, each generator with its own", async () => {
  const [calls, others] = [createIdsInOrder(), createIdsInOrder("root-")];
  expect([calls(), calls(), others(), calls()]).toEqual(["call_1", "call_2", "root-1", "call_3"]);
  const executor = createExecutor({ tools: [tool("leaf", (_args, ctx) => ctx.toolCallId)], generateId: others });
  expect(textOf(await executor.executeTool("leaf"))).toBe("root-2");
});

test("without generateId an id is call_ and 21 random characters", async () => {
  const executor = createExecutor({ tools: [tool("leaf", () => {})] });
  const ids = await Promise.all([1, 2].map(async () => (await executor.executeTool("leaf")).toolCall.id));
  for (const id of ids) expect(id).toMatch(/^call_[\w-]{21}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

test("a gate lets everybody through with its value, and the first of open and fail counts", async () => {
  const gate = createGate<string>();
  const log: string[] = [];
  const waiting = [1, 2].map((n) => gate.promise.then((value) => log.push(`${n} ${value}`)));
  await turn();
  expect(log).toEqual([]);
  gate.open("a");
  gate.open("b");
  gate.fail(new Error("late"));
  await Promise.all(waiting);
  expect(log).toEqual(["1 a", "2 a"]);
});

test("a gate that fails harms nobody who does not wait", async () => {
  const gate = createGate();
  expect(await uncaughtDuring(async () => gate.fail(new Error("nobody waits")))).toEqual([]);
  await expect(gate.promise).rejects.toThrow("nobody waits");
});

test("turn lets run what waits for its turn only", async () => {
  const log: string[] = [];
  setImmediate(() => log.push("immediate"));
  queueMicrotask(() => log.push("microtask"));
  await turn();
  expect(log).toEqual(["microtask", "immediate"]);
});

const speaking = () =>
  createExecutor({
    tools: [tool("say", ({ text }) => String(text)), tool("stop", () => ({ content: [], terminate: true }))],
  });

test("a scripted host runs its steps in order and hands earlier batches to later steps", async () => {
  const run = await runScriptedHost(speaking(), [
    [
      { id: "1", name: "say", arguments: { text: "a" } },
      { id: "2", name: "say", arguments: { text: "b" } },
    ],
    (earlier) => [{ id: "3", name: "say", arguments: { text: earlier.flatMap(textsOf).join("+") } }],
    async (earlier) => [{ id: "4", name: "say", arguments: { text: String(earlier.length) } }],
  ]);
  expect([run.stopped, run.batches.map(textsOf)]).toEqual(["end", [["a", "b"], ["a+b"], ["2"]]]);
  expect(brief(run.events)).toEqual(["start 1", "start 2", "end 1", "end 2", "start 3", "end 3", "start 4", "end 4"]);
});

function textsOf({ outcomes }: BatchOutcome): string[] {
  return outcomes.map(textOf);
}

test("a scripted host stops where an agent's loop would", async () => {
  const stop = [{ id: "1", name: "stop" }];
  const say = [{ id: "2", name: "say" }];
  expect(await runScriptedHost(speaking(), [stop, say])).toMatchObject({ stopped: "terminated", batches: [{}] });
  expect(await runScriptedHost(speaking(), [[...stop, ...say], []])).toMatchObject({
    stopped: "no calls",
    batches: [{}],
  });
  expect(await runScriptedHost(speaking(), [])).toEqual({ stopped: "end", batches: [], events: [] });
});

test("a scripted host listens only while it runs, also when a step throws", async () => {
  const executor = speaking();
  const { events } = await runScriptedHost(executor, [[{ id: "1", name: "say" }]]);
  const fails = () => {
    throw new Error("the script is wrong");
  };
  await expect(runScriptedHost(executor, [fails])).rejects.toThrow("the script is wrong");
  await executor.executeTool("say");
  expect(events).toHaveLength(2);
});

test("a scripted host hands its signal on", async () => {
  const { batches } = await runScriptedHost(speaking(), [[{ id: "1", name: "say" }]], { signal: AbortSignal.abort() });
  expect(batches[0]?.outcomes[0]?.status).toBe("aborted");
});
