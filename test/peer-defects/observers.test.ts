// The faults of the nearest peer that are about observers and usage: D6, D7, D9, D15.
import { createExecutor, type ObserverErrorEvent, type ToolCallOutcome, type ToolResult } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test, vi } from "vitest";
import { at, caller, endOf, textOf, tool } from "../helpers/engine.js";
import { uncaughtDuring } from "../helpers/process.js";

const failure = new Error("the observer failed");
const FAILING_OBSERVERS: readonly (readonly [string, () => unknown])[] = [
  [
    "throws",
    () => {
      throw failure;
    },
  ],
  ["rejects", () => Promise.reject(failure)],
  ["never settles", () => createGate().promise],
  [
    "gives a thenable that throws",
    () => ({
      then() {
        throw failure;
      },
    }),
  ],
];
const TYPES = ["tool_execution_start", "tool_execution_update", "tool_execution_end"] as const;
const MOMENTS = TYPES.flatMap((type) => FAILING_OBSERVERS.map(([how, observer]) => [how, type, observer] as const));

function talking(ran: string[]) {
  return tool("leaf", (_args, ctx) => {
    ran.push(ctx.toolCallId);
    ctx.onUpdate({ content: [{ type: "text", text: "half" }] });
    return "whole";
  });
}

test.each(MOMENTS)("D7: a listener that %s at %s changes no outcome", async (how, type, observer) => {
  const ran: string[] = [];
  const nested: ToolCallOutcome[] = [];
  const errors: ObserverErrorEvent[] = [];
  const executor = createExecutor({ tools: [talking(ran), caller("top", [["leaf"]], nested)] });
  executor.on("observer_error", (event) => void errors.push(event));
  executor.subscribe((event) => (event.type === type && event.toolCallId === "T/1" ? observer() : undefined));
  const heard: string[] = [];
  executor.subscribe((event) => void heard.push(`${event.type} ${event.toolCallId}`));
  const uncaught = await uncaughtDuring(async () => {
    const top = await executor.executeTool("top", {}, { toolCallId: "T" });
    expect([endOf(top), top.nestedCalls?.complete]).toEqual(["ok", true]);
  });
  expect([uncaught, ran, nested.map(textOf)]).toEqual([[], ["T/1"], ["whole"]]);
  expect(heard).toContain(`${type} T/1`); // the other listener hears it all the same
  const reported = how === "never settles" ? [] : [{ error: failure, source: "listener", toolCallId: "T/1" }];
  expect(errors).toEqual(reported);
});

test.each(FAILING_OBSERVERS)("D7: an onUpdate that %s changes no outcome", async (how, observer) => {
  const errors: ObserverErrorEvent[] = [];
  const nested: ToolCallOutcome[] = [];
  const top = tool("top", async (_args, ctx) => {
    nested.push(await ctx.executeTool("leaf", {}, { onUpdate: observer }));
  });
  const executor = createExecutor({ tools: [talking([]), top] });
  executor.on("observer_error", (event) => void errors.push(event));
  const uncaught = await uncaughtDuring(async () => {
    const outcome = await executor.executeTool("top", {}, { toolCallId: "T", onUpdate: observer });
    expect(outcome.nestedCalls).toMatchObject({ complete: true, calls: [{ status: "ok" }] });
  });
  expect([uncaught, nested.map(textOf)]).toEqual([[], ["whole"]]);
  expect(errors).toEqual(how === "never settles" ? [] : [{ error: failure, source: "update", toolCallId: "T/1" }]);
});

test("D7: without a handler an observer's error goes to the console once, and a handler that fails harms nothing", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const executor = createExecutor({ tools: [talking([])] });
    executor.subscribe(() => {
      throw failure;
    });
    await executor.executeTool("leaf");
    await executor.executeTool("leaf");
    expect(print).toHaveBeenCalledTimes(1);
    executor.on("observer_error", () => Promise.reject(failure));
    expect(await uncaughtDuring(() => executor.executeTool("leaf"))).toEqual([]);
  } finally {
    print.mockRestore();
  }
});

test("D15: updates reach a slow listener in their order", async () => {
  const leaf = tool("leaf", (_args, ctx) => {
    for (const text of ["p1", "p2", "p3"]) ctx.onUpdate({ content: [{ type: "text", text }] });
  });
  const [slow, order] = [createGate(), [] as string[]];
  const executor = createExecutor({ tools: [leaf] });
  executor.on("tool_execution_update", async ({ partialResult }) => {
    const text = textOf({ result: { content: partialResult.content ?? [] } });
    order.push(text);
    if (text === "p1") await slow.promise;
  });
  const onUpdate = ({ content = [] }: Partial<ToolResult>) => {
    order.push(textOf({ result: { content } }).toUpperCase());
  };
  await executor.executeTool("leaf", {}, { onUpdate });
  expect(order).toEqual(["p1", "P1", "p2", "P2", "p3", "P3"]);
  slow.open();
});

test.each([
  ["missing fields", { input: 1 }, { input: 3, output: 5 }, 0],
  ["text", { input: "33", output: 2 }, { input: 2, output: 7 }, 1],
  ["NaN", { input: Number.NaN }, { input: 2, output: 5 }, 1],
  ["a negative number", { input: -4, output: 1 }, { input: 2, output: 6 }, 1],
  ["Infinity", { output: Number.POSITIVE_INFINITY }, { input: 2, output: 5 }, 1],
  ["no object", "lots", { input: 2, output: 5 }, 1],
  ["a list", [1, 2], { input: 2, output: 5 }, 1],
  ["a nested fault", { cost: { total: "1" }, input: 1 }, { input: 3, output: 5 }, 1],
])("D6: usage with %s breaks no call, and what cannot be counted is reported", async (_what, usage, sum, problems) => {
  const errors: ObserverErrorEvent[] = [];
  const leaf = tool("leaf", () => ({ content: [], usage }));
  const top = tool("top", async (_args, ctx) => {
    await ctx.executeTool("leaf");
    return { content: [], usage: { input: 2, output: 5 } };
  });
  const executor = createExecutor({ tools: [leaf, top] });
  executor.on("observer_error", (event) => void errors.push(event));
  const { messages } = await executor.executeBatch([{ id: "c", name: "top" }]);
  const message = at(messages, 0);
  expect(message.isError).toBe(false);
  expect(message.usage).toMatchObject(sum);
  expect(errors.map(({ source, toolCallId }) => [source, toolCallId])).toEqual(Array(problems).fill(["usage", "c/1"]));
});

test.each([
  ["content of a wrong type", () => ({ content: "str", usage: { input: 40 } })],
  ["isError that is no flag", () => ({ content: [], isError: "yes", usage: { input: 40 } })],
])("D9: %s is INVALID_RESULT, and its usage counts", async (_what, execute) => {
  const nested: ToolCallOutcome[] = [];
  const executor = createExecutor({ tools: [tool("leaf", execute), caller("top", [["leaf"]], nested)] });
  const top = await executor.executeTool("top");
  expect([nested.map(endOf), at(nested, 0).usage, top.usage]).toEqual([
    ["INVALID_RESULT"],
    { input: 40 },
    { input: 40 },
  ]);
});

test("D9: an executor closed during a nested call still gives the record", async () => {
  const started = createGate();
  const leaf = tool("leaf", async (_args, ctx) => {
    started.open();
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve, { once: true }));
    return { content: [], usage: { input: 7 } };
  });
  const executor = createExecutor({ tools: [leaf, caller("top", [["leaf"]])] });
  const running = executor.executeBatch([{ id: "c", name: "top" }]);
  await started.promise;
  await executor.close();
  const { messages } = await running;
  expect(at(messages, 0).nestedCalls).toMatchObject({ complete: true, calls: [{ id: "c/1", status: "aborted" }] });
  expect(at(messages, 0).usage).toEqual({ input: 7 });
});

const broken = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const unreadable = {
  get usage(): never {
    throw new Error("no usage for you");
  },
};

test.each<[string, () => unknown]>([
  ["a result's usage throws", () => Object.assign(Object.create(unreadable) as object, { content: [] })],
  ["a result's usage is a revoked proxy", () => ({ content: [], usage: broken() })],
  ["a part of it is a revoked proxy", () => ({ content: [], usage: { cost: broken() } })],
  [
    "a thrown error's usage is a revoked proxy",
    () => {
      throw Object.assign(new Error("no"), { usage: broken() });
    },
  ],
])("D6: a call settles with one end event when %s", async (_what, execute) => {
  const nested: ToolCallOutcome[] = [];
  const executor = createExecutor({ tools: [tool("leaf", execute), caller("top", [["leaf"]], nested)] });
  executor.on("observer_error", () => {});
  const ended: string[] = [];
  executor.on("tool_execution_end", ({ toolCallId }) => void ended.push(toolCallId));
  const { outcomes } = await executor.executeBatch([
    { id: "a", name: "top" },
    { id: "b", name: "leaf" },
  ]);
  expect([nested.length, outcomes.length, ended.sort()]).toEqual([1, 2, ["a", "a/1", "b"]]);
});

test("D6: a hook's usage that cannot be read breaks no call", async () => {
  const executor = createExecutor({ tools: [tool("leaf", () => "ran")] });
  executor.on("observer_error", () => {});
  executor.on("tool_result", () => ({ usage: broken() }));
  expect((await executor.executeTool("leaf")).toolCall.name).toBe("leaf");
});
