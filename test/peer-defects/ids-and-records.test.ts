// The faults of the nearest peer that are about ids, records and results: D2, D3, D5, D21, D22, D24.
import { createExecutor, type ToolCallOutcome, type ToolContext } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, brief, caller, endOf, eventsOf, textOf, tool } from "../helpers/engine.js";
import { uncaughtDuring } from "../helpers/process.js";

test("D2: a call made after the root's tool returned runs nothing and reuses no id", async () => {
  const ran: string[] = [];
  let late: ToolContext | undefined;
  const leaf = tool("leaf", (_args, ctx) => void ran.push(ctx.toolCallId));
  const top = tool("top", async (_args, ctx) => {
    late = ctx;
    await ctx.executeTool("leaf");
  });
  const executor = createExecutor({ tools: [leaf, top] });
  const events = eventsOf(executor);
  const outcome = await executor.executeTool("top", {}, { toolCallId: "c1" });
  const record = structuredClone(outcome.nestedCalls);
  const eventCount = events.length;

  const lateOutcome = await (late as ToolContext).executeTool("leaf");
  expect([endOf(lateOutcome), lateOutcome.toolCall.id]).toEqual(["CALLER_FINISHED", "c1/2"]);
  expect([ran, events.length, outcome.nestedCalls]).toEqual([["c1/1"], eventCount, record]);
});

test("D2: a call made after a nested tool returned, while the root runs on, loses no record and no usage", async () => {
  const ran: string[] = [];
  const [returned, called] = [createGate(), createGate()];
  const lateOutcomes: ToolCallOutcome[] = [];
  const leaf = tool("leaf", (_args, ctx) => {
    ran.push(ctx.toolCallId);
    return { content: [], usage: { input: 3 } };
  });
  const mid = tool("mid", async (_args, ctx) => {
    await ctx.executeTool("leaf");
    void returned.promise.then(async () => {
      lateOutcomes.push(await ctx.executeTool("leaf"));
      called.open();
    });
  });
  const top = tool("top", async (_args, ctx) => {
    await ctx.executeTool("mid");
    returned.open();
    await called.promise;
    await ctx.executeTool("leaf");
  });
  const executor = createExecutor({ tools: [leaf, mid, top] });
  const outcome = await executor.executeTool("top", {}, { toolCallId: "c1" });
  expect(ran).toEqual(["c1/1/1", "c1/2"]);
  expect(lateOutcomes.map((late) => [endOf(late), late.toolCall.id])).toEqual([["CALLER_FINISHED", "c1/1/2"]]);
  expect(outcome.nestedCalls).toMatchObject({
    complete: true,
    calls: [{ id: "c1/1" }, { id: "c1/1/1" }, { id: "c1/2" }],
  });
  expect(outcome.usage).toEqual({ input: 6 });
});

const leafWithUsage = tool("leaf", () => ({ content: [], usage: { input: 1 } }));

test("D3: two calls of the model with one id keep separate records and usage", async () => {
  const executor = createExecutor({ tools: [leafWithUsage, caller("top", [["leaf"], ["leaf"]])] });
  const { messages } = await executor.executeBatch([
    { id: "c", name: "top" },
    { id: "c", name: "top" },
  ]);
  for (const message of messages) {
    expect(message.nestedCalls?.calls.map(({ id }) => id)).toEqual(["c/1", "c/2"]);
    expect(message.usage).toEqual({ input: 2 });
  }
});

test("D3: a model's id that looks like a nested id of its neighbour mixes nothing", async () => {
  const executor = createExecutor({
    tools: [leafWithUsage, caller("top", [["leaf"]]), caller("twice", [["top"], ["leaf"]])],
  });
  const { messages } = await executor.executeBatch([
    { id: "a", name: "twice" },
    { id: "a/1", name: "top" },
  ]);
  expect(messages.map(({ nestedCalls }) => nestedCalls?.calls.map(({ id }) => id))).toEqual([
    ["a/1", "a/1/1", "a/2"],
    ["a/1/1"],
  ]);
  expect(messages.map(({ usage }) => usage)).toEqual([{ input: 2 }, { input: 1 }]);
});

const formless = Object.create(null) as object;
const hostile = Object.assign(Object.create(null) as object, {
  toString: () => formless,
  toJSON() {
    throw new Error("no");
  },
});

test.each([
  ["without a prototype", formless],
  ["whose every form throws", hostile],
  ["that is a revoked proxy", revokedProxy()],
])("D5: a thrown object %s yields a result, events, a record and a look by the hooks", async (_what, thrown) => {
  const nested: ToolCallOutcome[] = [];
  const hooked: string[] = [];
  const thrower = tool("thrower", () => {
    throw thrown;
  });
  const executor = createExecutor({ tools: [thrower, caller("top", [["thrower"]], nested)] });
  executor.on("tool_result", ({ toolCallId }) => void hooked.push(toolCallId));
  const events = eventsOf(executor);
  const { messages } = await executor.executeBatch([
    { id: "a", name: "top" },
    { id: "b", name: "thrower" },
  ]);
  expect(nested.map(endOf)).toEqual(["TOOL_FAILED"]);
  expect(textOf(at(nested, 0))).not.toBe("");
  expect(
    brief(events)
      .filter((line) => line.startsWith("end"))
      .sort(),
  ).toEqual(["end a", "end a/1", "end b"]);
  expect(hooked.sort()).toEqual(["a", "a/1", "b"]);
  expect(messages.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
    ["a", false],
    ["b", true],
  ]);
  expect(at(messages, 0).nestedCalls).toMatchObject({ complete: true, calls: [{ id: "a/1", status: "error" }] });
});

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("D5: a tool that returns a value which cannot be looked at is an error outcome too", async () => {
  const nested: ToolCallOutcome[] = [];
  const executor = createExecutor({ tools: [tool("odd", revokedProxy), caller("top", [["odd"]], nested)] });
  expect(await uncaughtDuring(() => executor.executeTool("top"))).toEqual([]);
  expect(nested.map(({ status }) => status)).toEqual(["error"]);
});

test.each([
  ["499 units and an emoji", `${"e".repeat(499)}😀`, 499],
  ["498 units and an emoji", `${"e".repeat(498)}😀`, 500],
  ["600 units", "e".repeat(600), 500],
  ["half a pair", `e\ud83d`, 2],
])(
  "D21: a record's error of %s is cut to well-formed text and the record stays complete",
  async (_what, message, length) => {
    const nested: ToolCallOutcome[] = [];
    const thrower = tool("thrower", () => {
      throw new Error(message);
    });
    const executor = createExecutor({ tools: [thrower, caller("top", [["thrower"]], nested)] });
    const { nestedCalls } = await executor.executeTool("top");
    const { error } = at(nestedCalls?.calls, 0);
    expect([error?.length, error?.isWellFormed(), nestedCalls?.complete]).toEqual([length, true, true]);
    expect(textOf(at(nested, 0))).toBe(message); // the caller gets all of it
  },
);

test("D22: the record cuts a name of a million characters at 128, and depth bounds the length of ids", async () => {
  const long = "n".repeat(1_000_000);
  const deep = tool("deep", async (_args, ctx) => void (await ctx.executeTool("deep")));
  const executor = createExecutor({ tools: [deep, caller("top", [[long]])], limits: { maxDepth: 3 } });
  const { nestedCalls } = await executor.executeTool("top");
  expect([at(nestedCalls?.calls, 0).name.length, nestedCalls?.complete]).toEqual([128, true]);
  const { nestedCalls: chain } = await executor.executeTool("deep", {}, { toolCallId: "T" });
  expect(chain?.calls.map(({ id, code }) => [id, code])).toEqual([
    ["T/1", undefined],
    ["T/1/1", undefined],
    ["T/1/1/1", undefined],
    ["T/1/1/1/1", "DEPTH_EXCEEDED"],
  ]);
});

test.each([
  ["made a success by a hook", true, false],
  ["made an error by a hook", false, true],
  ["left as it is", true, undefined],
])("D24: the two error flags agree when the result was %s", async (_what, isError, patched) => {
  const nested: ToolCallOutcome[] = [];
  const leaf = tool("leaf", () => ({ content: [{ type: "text", text: "t" }], isError }));
  const executor = createExecutor({ tools: [leaf, caller("top", [["leaf"]], nested)] });
  executor.on("tool_result", ({ toolName }) =>
    toolName === "leaf" && patched !== undefined ? { isError: patched } : undefined,
  );
  const ends: unknown[] = [];
  executor.on("tool_execution_end", (event) => void ends.push([event.isError, event.result.isError === true]));
  await executor.executeTool("top");
  const wanted = patched ?? isError;
  const { isError: outer, result, status } = at(nested, 0);
  expect([outer, result.isError === true, status !== "ok"]).toEqual([wanted, wanted, wanted]);
  expect(ends[0]).toEqual([wanted, wanted]);
});

test.each([
  ["a redaction is asked for", (text: string) => text],
  ["nothing is redacted", undefined],
])("D5: a call whose result has a field that cannot be read settles when %s", async (_when, redact) => {
  const leaf = tool("leaf", () => ({
    content: [],
    get details() {
      throw new Error("no details");
    },
  }));
  const executor = createExecutor({ tools: [leaf], ...(redact === undefined ? {} : { redact }) });
  executor.on("observer_error", () => {});
  const events = eventsOf(executor);
  await executor.executeTool("leaf", {}, { toolCallId: "T" });
  expect(brief(events)).toEqual(["start T", "end T"]);
});
