// Tools that come later: when a session starts, and by a command.
import { type ExtensionAPI, Type } from "nestcall/pi";

export default function dynamicTools(pi: ExtensionAPI) {
  const names = new Set<string>();
  const add = (name: string, prefix: string) => {
    if (names.has(name)) return false;
    names.add(name);
    pi.registerTool({
      name,
      label: name,
      description: `Repeats a message after "${prefix}".`,
      parameters: Type.Object({ message: Type.String() }),
      async execute(_id, { message }) {
        return { content: [{ type: "text", text: prefix + message }], details: { name } };
      },
    });
    return true;
  };
  pi.on("session_start", (_event, ctx) => {
    add("echo_session", "[session] ");
    ctx.ui.notify("echo_session is there", "info");
  });
  pi.registerCommand("add-echo-tool", {
    description: "Adds a tool that repeats messages.",
    handler: async (args, ctx) => {
      const name = args.trim();
      if (!/^[a-z][a-z0-9_]*$/.test(name)) return ctx.ui.notify("Give the tool a name", "warning");
      ctx.ui.notify(add(name, `[${name}] `) ? `${name} is there` : `${name} was there before`, "info");
    },
  });
}
