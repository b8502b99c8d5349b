// One tool calls another through the engine: the nested call gets an id of its own and is kept in the record.
// Checks the text that came back, and that the record of the root call shows the nested one.
import assert from "node:assert/strict";
import { createExecutor, defineTool, Type } from "nestcall";

const inputSchema = Type.Object({ text: Type.String() }, { additionalProperties: false });
const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of a text.",
  inputSchema,
  execute: ({ text }) => ({ structuredContent: text.split(/\s+/).length }),
});
const describeText = defineTool({
  name: "describe_text",
  description: "Says how long a text is.",
  inputSchema,
  async execute({ text }, ctx) {
    const { toolCall, result } = await ctx.executeTool(countWords, { text }); // checked, guarded, numbered, recorded
    return `${toolCall.id} counted ${result.structuredContent} words`;
  },
});

const executor = createExecutor({ tools: [countWords, describeText] });
const outcome = await executor.executeTool(describeText, { text: "tools that call tools" }, { toolCallId: "root" });
assert.deepEqual(outcome.result.content, [{ type: "text", text: "root/1 counted 4 words" }]);
assert.equal(outcome.nestedCalls?.calls[0]?.id, "root/1");
console.log(outcome.result.content, outcome.nestedCalls);
await executor.close();
