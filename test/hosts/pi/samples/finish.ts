// A tool after which the agent need not go on.
import { defineTool, Type } from "nestcall/pi";

export const finish = defineTool({
  name: "finish",
  label: "Finish",
  description: "Ends the task with an answer.",
  parameters: Type.Object({ answer: Type.String() }),
  async execute(_id, { answer }) {
    return { content: [{ type: "text", text: answer }], details: { answer }, terminate: true };
  },
});
