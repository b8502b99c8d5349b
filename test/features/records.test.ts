// Rows of features.md about records and usage: P38 to P44.
import { createExecutor, NESTED_CALL_LIMITS, type ToolCallOutcome } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { argumentsOf, at, caller, endOf, tool } from "../helpers/engine.js";

const leaf = tool("leaf", () => "ran");

/** The record of one tool that makes these calls of `leaf`. */
async function recordOf(sizes: readonly number[]) {
  const calls = sizes.map((bytes) => ["leaf", argumentsOf(bytes)] as const);
  const { nestedCalls } = await createExecutor({ tools: [leaf, caller("top", calls)] }).executeTool("top");
  return { complete: nestedCalls?.complete, omitted: nestedCalls?.calls.map(({ argumentsBytes }) => argumentsBytes) };
}

test("P38: a record has name, arguments, status, duration and error of each call, and never a result", async () => {
  const secret = "marked-secret-result";
  const speaker = tool("speaker", () => ({
    content: [{ type: "text", text: secret }],
    structuredContent: { secret },
    details: { secret },
  }));
  const thrower = tool("thrower", () => {
    throw new Error("the reason");
  });
  const executor = createExecutor({
    tools: [speaker, thrower, caller("top", [["speaker", { n: 1 }], ["thrower"], ["nobody"]])],
  });
  const { nestedCalls } = await executor.executeTool("top", {}, { toolCallId: "T" });
  const durationMs = expect.any(Number);
  expect(nestedCalls).toEqual({
    complete: true,
    calls: [
      { id: "T/1", name: "speaker", arguments: { n: 1 }, status: "ok", durationMs },
      {
        id: "T/2",
        name: "thrower",
        arguments: {},
        status: "error",
        durationMs,
        error: "the reason",
        code: "TOOL_FAILED",
      },
      {
        id: "T/3",
        name: "nobody",
        arguments: {},
        status: "error",
        error: expect.stringContaining("nobody"),
        code: "UNKNOWN_TOOL",
      },
    ],
  });
  expect(JSON.stringify(nestedCalls)).not.toContain(secret);
});

test("P39: arguments of 8,192 bytes are kept, of 8,193 left out with their size", async () => {
  expect(NESTED_CALL_LIMITS.maxArgumentBytesPerCall).toBe(8192);
  expect(await recordOf([8192])).toEqual({ complete: true, omitted: [undefined] });
  expect(await recordOf([8193])).toEqual({ complete: false, omitted: [8193] });
});

test("P40: arguments beyond 32,768 bytes in all are left out, and a later small call is still kept", async () => {
  const full = [8192, 8192, 8192];
  expect(await recordOf([...full, 8192])).toEqual({ complete: true, omitted: Array(4).fill(undefined) });
  expect(await recordOf([...full, 8190, 10, 8])).toEqual({
    complete: false,
    omitted: [undefined, undefined, undefined, undefined, 10, 8],
  });
  expect(await recordOf([...full, 8000, 193, 192, 8])).toEqual({
    complete: false,
    omitted: [undefined, undefined, undefined, undefined, 193, undefined, 8],
  });
});

test("P41: 256 calls are kept, the 257th is dropped and counted", async () => {
  const small = (count: number) => recordOf(Array(count).fill(8));
  expect(await small(256)).toEqual({ complete: true, omitted: Array(256).fill(undefined) });
  expect(await small(257)).toEqual({ complete: false, omitted: Array(256).fill(undefined) });
  const calls = Array(257).fill(["leaf"] as const);
  const { nestedCalls } = await createExecutor({ tools: [leaf, caller("top", calls)] }).executeTool("top");
  expect(nestedCalls?.dropped).toBe(1);
});

test("P42: complete is false for a call that did not finish, and true for one that failed", async () => {
  const [started, stuck] = [createGate(), createGate()];
  const stubborn = tool("stubborn", () => {
    started.open();
    return stuck.promise;
  });
  const top = tool("top", async (_args, ctx) => {
    void ctx.executeTool("stubborn");
    await started.promise;
  });
  const executor = createExecutor({
    tools: [stubborn, top, caller("failing", [["nobody"]])],
    limits: { abortGraceMs: 1 },
  });
  const unfinished = await executor.executeTool("top");
  expect(unfinished.nestedCalls).toMatchObject({ complete: false, calls: [{ status: "unfinished" }] });
  const failing = await executor.executeTool("failing");
  expect(failing.nestedCalls).toMatchObject({ complete: true, calls: [{ status: "error" }] });
});

/** A tool with usage of its own that calls others. */
function spender(name: string, input: number, targets: readonly string[], outcomes: ToolCallOutcome[] = []) {
  return tool(name, async (_args, ctx) => {
    for (const target of targets) outcomes.push(await ctx.executeTool(target));
    return { content: [], usage: { input, cost: { total: input / 100 } } };
  });
}

test("P43: usage at every depth is summed once into the caller's", async () => {
  const executor = createExecutor({
    tools: [spender("top", 1, ["mid", "mid"]), spender("mid", 10, ["deep"]), spender("deep", 100, [])],
  });
  const { messages } = await executor.executeBatch([{ id: "T", name: "top" }]);
  const { usage } = at(messages, 0);
  expect(usage).toEqual({ input: 221, cost: { total: expect.closeTo(2.21, 9) } });
});

test("P43: usage of failed calls counts, also when it hangs on the error", async () => {
  const thrower = tool("thrower", () => {
    throw Object.assign(new Error("no"), { usage: { input: 7 } });
  });
  const returner = tool("returner", () => ({ content: [], isError: true, usage: { input: 20 } }));
  const outcomes: ToolCallOutcome[] = [];
  const executor = createExecutor({ tools: [thrower, returner, caller("top", [["thrower"], ["returner"]], outcomes)] });
  const { usage } = await executor.executeTool("top");
  expect([outcomes.map(endOf), usage]).toEqual([["TOOL_FAILED", "TOOL_FAILED"], { input: 27 }]);
});

test("P44: a tool reports only its own usage, and its outcome shows that and its children's", async () => {
  const outcomes: ToolCallOutcome[] = [];
  const executor = createExecutor({
    tools: [spender("top", 1, ["mid"], outcomes), spender("mid", 10, ["deep"], outcomes), spender("deep", 100, [])],
  });
  await executor.executeTool("top");
  expect(outcomes.map(({ result, usage }) => [result.usage?.input, usage?.input])).toEqual([
    [100, 100],
    [10, 110],
  ]);
});
