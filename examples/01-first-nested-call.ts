// One tool calls another through the engine: the nested call gets an id of its own and is kept in the record.
// Checks the ids, the text that came back, and the record of the root call.
import assert from "node:assert/strict";
import { createExecutor, defineTool, Type } from "nestcall";

const closed = { additionalProperties: false };
const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of a text.",
  inputSchema: Type.Object({ text: Type.String({ description: "The text itself, not a path." }) }, closed),
  outputSchema: Type.Object({ words: Type.Integer() }, closed),
  effect: "read",
  execute: ({ text }) => ({ structuredContent: { words: text.split(/\s+/).filter(Boolean).length } }),
});
const describeText = defineTool({
  name: "describe_text",
  description: "Says how long a text is.",
  inputSchema: Type.Object({ text: Type.String() }, closed),
  effect: "read",
  async execute({ text }, ctx) {
    const counted = await ctx.executeTool(countWords, { text }); // checked, guarded and recorded like a call of the model
    return `call ${counted.toolCall.id} counted ${counted.result.structuredContent?.words} words`;
  },
});

const executor = createExecutor({ tools: [countWords, describeText] });
const outcome = await executor.executeTool(describeText, { text: "tools that call tools" }, { toolCallId: "root" });
assert.deepEqual(outcome.result.content, [{ type: "text", text: "call root/1 counted 4 words" }]);
assert.equal(outcome.nestedCalls?.calls[0]?.id, "root/1");
console.log(outcome.result.content[0], outcome.nestedCalls);
await executor.close();
