// The seam by which a tool that runs scripts makes their calls (C1): source, numbers, and waits for a person.
import { createExecutor, type ToolContext } from "nestcall";
import { approvalGuard } from "nestcall/guards";
import { createGate, turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { callForScript, type ScriptCall } from "../../src/executor/script-call.js";
import { caller, endOf, textOf, tool } from "../helpers/engine.js";

const call = (number: number, name = "leaf", more: Partial<ScriptCall> = {}): ScriptCall => ({
  name,
  args: {},
  number,
  signal: new AbortController().signal,
  ...more,
});
const runner = (execute: (ctx: ToolContext) => unknown) => tool("runner", (_args, ctx) => execute(ctx));

test("C1: hooks see that a script made a call, and that what the called tool calls is a tool's", async () => {
  const executor = createExecutor({
    tools: [
      tool("leaf", () => "leaf"),
      caller("mid", [["leaf"]]),
      runner(async (ctx) => void (await callForScript(ctx, call(1, "mid")))),
    ],
  });
  const seen: string[] = [];
  executor.on("tool_call", ({ toolCallId, source }) => void seen.push(`${toolCallId} ${source}`));
  executor.on("tool_result", ({ toolCallId, source }) => void seen.push(`${toolCallId} ${source} done`));
  await executor.executeTool("runner", {}, { toolCallId: "T" });
  expect(seen).toEqual([
    "T model",
    "T/1 codemode",
    "T/1/1 tool",
    "T/1/1 tool done",
    "T/1 codemode done",
    "T model done",
  ]);
});

test("C1: a call has the number that the script took, and the tool's own calls go on after it", async () => {
  const executor = createExecutor({
    tools: [
      tool("leaf", () => "leaf"),
      runner(async (ctx) => {
        await Promise.all([callForScript(ctx, call(4)), callForScript(ctx, call(3))]);
        await ctx.executeTool("leaf");
      }),
    ],
  });
  const { nestedCalls } = await executor.executeTool("runner", {}, { toolCallId: "T" });
  expect(nestedCalls?.calls.map(({ id }) => id)).toEqual(["T/4", "T/3", "T/5"]);
});

test("C1: its own signal ends a call, and a tool's wrapper of its context gives ordinary calls", async () => {
  const controller = new AbortController();
  controller.abort(new Error("no more"));
  const ends: string[] = [];
  const executor = createExecutor({
    tools: [
      tool("leaf", () => "leaf"),
      runner(async (ctx) => {
        ends.push(endOf(await callForScript(ctx, call(1, "leaf", { signal: controller.signal }))));
        const wrapped = { executeTool: ctx.executeTool } as ToolContext;
        ends.push(textOf(await callForScript(wrapped, call(9))));
      }),
    ],
  });
  const { nestedCalls } = await executor.executeTool("runner", {}, { toolCallId: "T" });
  expect(ends).toEqual(["ABORTED", "leaf"]);
  expect(nestedCalls?.calls.map(({ id }) => id)).toEqual(["T/1", "T/2"]);
});

test.each(["leaf", "mid"])(
  "C3: the script's call of %s tells when it, or one below, waits for a person",
  async (name) => {
    const told: boolean[] = [];
    const answer = createGate<boolean>();
    const executor = createExecutor({
      tools: [
        tool("leaf", () => "leaf", { effect: "destructive" }),
        caller("mid", [["leaf"]], [], { effect: "read" }),
        runner((ctx) =>
          callForScript(ctx, call(1, name, { onApprovalWait: (isWaiting) => void told.push(isWaiting) })).then(
            () => undefined,
          ),
        ),
      ],
    });
    const needsApproval = ({ toolName }: { readonly toolName: string }) => toolName === "leaf";
    executor.on("tool_call", approvalGuard({ confirm: () => answer.promise, needsApproval }));
    const running = executor.executeTool("runner");
    while (told.length === 0) await turn();
    expect(told).toEqual([true]);
    answer.open(true);
    await running;
    expect(told).toEqual([true, false]);
  },
);
