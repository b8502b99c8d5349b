// The smallest tool.
import { defineTool, type ExtensionAPI, Type } from "nestcall/pi";

const hello = defineTool({
  name: "hello",
  label: "Hello",
  description: "Greets somebody.",
  parameters: Type.Object({ name: Type.String({ description: "Who is greeted." }) }),
  async execute(_id, { name }) {
    return { content: [{ type: "text", text: `Hello, ${name}!` }], details: { greeted: name } };
  },
});

export default function helloExtension(pi: ExtensionAPI) {
  pi.registerTool(hello);
}
