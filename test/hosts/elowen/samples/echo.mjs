// The documents' first sample, written anew as they write it: plain JavaScript, both imports now from here.
import { defineTool, Type } from "nestcall/elowen";

const answer = (text) => ({ content: [{ type: "text", text }], details: {} });

export function register(ctx) {
  ctx.registerTool(
    defineTool({
      name: "EchoText",
      label: "Echo",
      description: "Gives the text back.",
      parameters: Type.Object({ value: Type.String({ description: "The text to give back." }) }),
      execute: async (_callId, params) => answer(params.value),
    }),
  );
  ctx.logger.info("EchoText is registered");
}
