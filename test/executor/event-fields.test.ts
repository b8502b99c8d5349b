// What events say besides who was called: the size of the arguments, and what kind of error ended a call.
import { createExecutor } from "nestcall";
import { expect, test } from "vitest";
import { approvalGuard } from "../../src/guards/index.js";
import { caller, eventsOf, tool } from "../helpers/engine.js";

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("a start event tells the bytes of its arguments, and none for those without a JSON form", async () => {
  const shapes = [{}, { text: 'ä\u2028"' }, { list: [1, 2.5, null, { deep: true }] }];
  const executor = createExecutor({ tools: [tool("any", () => "x")] });
  const events = eventsOf(executor);
  for (const args of [...shapes, { many: 10n }]) await executor.executeTool("any", args);
  const starts = events.filter((event) => event.type === "tool_execution_start");
  expect(starts.map((event) => event.argumentsBytes)).toEqual([...shapes.map(size), undefined]);
});

test("the bytes are those of the arguments that are shown, so after the redaction", async () => {
  const redact = (text: string) => text.replaceAll("secret", "[a longer text]");
  const executor = createExecutor({ tools: [tool("any", () => "x")], redact });
  const events = eventsOf(executor);
  await executor.executeTool("any", { key: "secret" });
  expect(events[0]).toMatchObject({ argumentsBytes: size({ key: "[a longer text]" }) });
});

test("an end event has the code of the error, whether the tool ran or not, and none when the call went well", async () => {
  const fails = tool("fails", () => {
    throw new Error("no");
  });
  const wipes = tool("wipes", () => "gone", { effect: "destructive" });
  const executor = createExecutor({
    tools: [fails, wipes, caller("all", [["fails"], ["wipes"], ["missing"]], [], { effect: "read" })],
  });
  executor.on("tool_call", approvalGuard({ needsApproval: ({ toolName }) => toolName === "wipes" }));
  const events = eventsOf(executor);
  await executor.executeTool("all", {});
  const ends = events.flatMap((event) => (event.type === "tool_execution_end" ? [[event.toolName, event.code]] : []));
  expect(ends).toEqual([
    ["fails", "TOOL_FAILED"],
    ["wipes", "BLOCKED"],
    ["missing", "UNKNOWN_TOOL"],
    ["all", undefined],
  ]);
});
