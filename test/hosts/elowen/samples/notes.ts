// The documents' sample in TypeScript, and one for each thing they say of `register` and of the accessors: an asynchronous
// `register`, a scoped tool, access that is read right before each step.
import { defineTool, type PluginContext, type PluginManifest, Type } from "nestcall/elowen";

export const manifest: PluginManifest = {
  name: "notes",
  showOutput: ["NoteRead"],
  planSafe: ["NoteRead", "NoteList"],
  deferLoading: ["NoteList"],
  provides: { tools: ["Note*"], readOnlyTools: ["NoteRead", "NoteList"] },
};

const notes = new Map([["todo", "buy milk"]]);
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }], details: {} });

export async function register(ctx: PluginContext): Promise<void> {
  await Promise.resolve(); // as if a folder were read
  ctx.registerTool(
    defineTool({
      name: "NoteRead",
      label: "Read a note",
      description: "Gives the text of one note.",
      parameters: Type.Object({ title: Type.String({ description: "The title of the note." }) }),
      // E12: what the model can mend is a text that it can act on.
      execute: async (_callId, params) => text(notes.get(params.title) ?? `There is no note "${params.title}".`),
    }),
  );
  ctx.registerTool(
    defineTool({
      name: "NoteList",
      label: "List notes",
      description: "Gives the titles of all notes.",
      parameters: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
      execute: async (_callId, { limit = notes.size }) => ({
        content: [{ type: "text", text: [...notes.keys()].slice(0, limit).join("\n") }],
        details: { total: notes.size },
      }),
    }),
  );
  ctx.registerTool(
    defineTool({
      name: "NoteWrite",
      label: "Write a note",
      description: "Writes one note, of the account that asks.",
      parameters: Type.Object({ title: Type.String(), body: Type.String() }),
      async execute(callId, params, signal) {
        signal.throwIfAborted();
        if (ctx.currentAccess().readOnly) return text("Notes cannot be written while nothing may be changed.");
        notes.set(params.title, params.body);
        ctx.logger.info(`note written in ${callId} for ${ctx.currentAccountUserId() ?? "nobody"}`);
        return text(`Written for ${ctx.currentIdentity().userId ?? "nobody"}.`);
      },
    }),
    { platform: "web" },
  );
}
