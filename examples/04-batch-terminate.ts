// A batch ends the model's turn only when every one of its results asks for it; one silent call keeps the turn going.
// Checks one of three, all three, an error beside them, a nested wish, and a guard that stops the turn.
import assert from "node:assert/strict";
import { batchTerminates, createExecutor, defineTool, Type } from "nestcall";

const nothing = Type.Object({});
const handOver = defineTool({
  name: "hand_over",
  description: "Hands the conversation to a person. There is nothing to add after it.",
  inputSchema: nothing,
  effect: "write",
  execute: () => ({ content: [{ type: "text", text: "A person takes over." }], terminate: true }),
});
const lookUp = defineTool({
  name: "look_up",
  description: "Looks something up; the model has to read the answer.",
  inputSchema: nothing,
  effect: "read",
  execute: () => "42",
});
const breaks = defineTool({
  name: "breaks",
  description: "Always fails.",
  inputSchema: nothing,
  effect: "read",
  execute() {
    throw new Error("The service did not answer.");
  },
});
const asksAnother = defineTool({
  name: "asks_another",
  description: "Calls hand_over, but says nothing about ending the turn itself.",
  inputSchema: nothing,
  effect: "write",
  async execute(_args, ctx) {
    await ctx.executeTool(handOver, {});
    return "asked";
  },
});
const forbidden = defineTool({
  name: "forbidden",
  description: "A tool that the guard below refuses, together with the rest of the turn.",
  inputSchema: nothing,
  effect: "destructive",
  execute: () => "never runs",
});

const executor = createExecutor({ tools: [handOver, lookUp, breaks, asksAnother, forbidden] });
executor.on("tool_call", ({ toolName }) =>
  toolName === "forbidden" ? { block: true, reason: "forbidden is off limits", terminate: true } : undefined,
);

const cases: readonly (readonly [names: readonly string[], terminates: boolean])[] = [
  [["hand_over", "look_up", "look_up"], false], // one of three: the model still has to read two answers
  [["hand_over", "hand_over", "hand_over"], true],
  [["hand_over", "hand_over", "breaks"], false], // an error asks for nothing, and the model should see it
  [["asks_another"], false], // the wish of a nested call stays with its caller
  [["hand_over", "forbidden"], true], // a guard may ask too
  [[], false],
];
for (const [names, terminates] of cases) {
  const batch = await executor.executeBatch(names.map((name, index) => ({ id: `${index}`, name, arguments: {} })));
  assert.equal(batch.terminate, terminates, names.join(", "));
  assert.equal(batch.terminate, batchTerminates(batch.outcomes.map((outcome) => outcome.result)));
  console.log(`${terminates ? "ends the turn" : "goes on      "}  [${names.join(", ")}]`);
}
await executor.close();
