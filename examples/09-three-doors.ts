// Tools written for three systems, side by side in one registry: a Pi extension whose tool calls the others, an Elowen plugin,
// an agntn tool. One guard, written as a Pi handler, sees every call of them all.
// Checks who was asked about, what was blocked, the record, and what a session in plan mode is shown.
import assert from "node:assert/strict";
import { createExecutor } from "nestcall";
import { Type as AgntnType, defineTool as defineAgntnTool } from "nestcall/agntn";
import { defineTool as definePluginTool, loadPlugin, type PluginContext, Type as PluginType } from "nestcall/elowen";
import { createPiExtensionHost, type ExtensionAPI, Type } from "nestcall/pi";
import { drawCallTree } from "nestcall/trace";

// As agntn documents it: one object, checked when the module loads.
const countLines = defineAgntnTool({
  name: "text_count_lines",
  title: "Count lines",
  description: "Counts the lines of a text.",
  effect: "read",
  input: AgntnType.Object(
    { text: AgntnType.String({ description: "The text itself, not a path." }) },
    { additionalProperties: false },
  ),
  execute: ({ text }) => {
    const lines = text.split("\n").length;
    return { content: [{ type: "text", text: `${lines} lines` }], details: { lines } };
  },
});

// As Elowen documents it: a manifest, and an entry that registers.
const notes = {
  manifest: { name: "notes", provides: { tools: ["notes_read", "notes_delete"] }, planSafe: ["notes_read"] },
  register(ctx: PluginContext) {
    const texts = new Map([["plan", "Measure twice.\nCut once."]]);
    ctx.registerTool(
      definePluginTool({
        name: "notes_read",
        label: "Read a note",
        description: "Reads a note of the current account by its name.",
        parameters: PluginType.Object({ name: PluginType.String() }, { additionalProperties: false }),
        execute: async (_callId, { name }) => {
          const text = texts.get(name) ?? `There is no note "${name}".`;
          return { content: [{ type: "text", text }], details: { account: ctx.currentAccountUserId() } };
        },
      }),
    );
    ctx.registerTool(
      definePluginTool({
        name: "notes_delete",
        label: "Delete a note",
        description: "Deletes a note of the current account by its name.",
        parameters: PluginType.Object({ name: PluginType.String() }, { additionalProperties: false }),
        execute: async (_callId, { name }) => {
          texts.delete(name);
          return { content: [{ type: "text", text: "Deleted." }], details: {} };
        },
      }),
    );
  },
};

// As Pi documents it: the default export of an extension, with the five-argument `execute`.
const asked: string[] = [];
function review(pi: ExtensionAPI): void {
  pi.on("tool_call", (event) => {
    asked.push(event.toolName);
    if (event.toolName === "notes_delete") return { block: true, reason: "Notes are kept." };
    return undefined;
  });
  pi.registerTool({
    name: "review_note",
    label: "Review a note",
    description: "Reads a note, counts its lines and tidies up.",
    parameters: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    async execute(_toolCallId, params, _signal, _onUpdate, ctx) {
      const { name } = params;
      const note = await ctx.executeTool("notes_read", { name });
      const text = note.result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      const count = await ctx.executeTool("text_count_lines", { text });
      const tidied = await ctx.executeTool("notes_delete", { name });
      const summary = `${JSON.stringify(count.result.details)}, tidied: ${!tidied.isError}`;
      return { content: [{ type: "text", text: summary }], details: {} };
    },
  });
}

const executor = createExecutor({ tools: [countLines] });
const { registry } = executor;
const plugin = await loadPlugin(notes, { executor });
const host = createPiExtensionHost(executor);
await host.load(review, { name: "review" });

const session = registry.forSession({ userId: "u1" });
const outcome = await executor.executeTool("review_note", { name: "plan" }, { toolCallId: "T", session });
console.log(drawCallTree(outcome, { registry }));

assert.deepEqual(outcome.result.content, [{ type: "text", text: '{"lines":2}, tidied: false' }]);
assert.deepEqual(asked, ["review_note", "notes_read", "text_count_lines", "notes_delete"]);
assert.deepEqual(
  outcome.nestedCalls?.calls.map(({ id, name, status }) => `${id} ${name} ${status}`),
  ["T/1 notes_read ok", "T/2 text_count_lines ok", "T/3 notes_delete error"],
);
assert.equal(outcome.nestedCalls?.calls[2]?.error, "Notes are kept.");
assert.deepEqual(plugin.report().tools, ["notes_read", "notes_delete"]);
const planning = registry.forSession({ planMode: true });
assert.deepEqual(planning.getActiveTools(), ["text_count_lines", "notes_read"]);

await host.close();
await executor.close();
