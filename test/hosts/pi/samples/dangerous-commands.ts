// The tool `dangerous_commands`: looks a command up in a table. Nothing is run.
import { defineTool, Type } from "nestcall/pi";

const DANGERS = [
  { pattern: /\brm\s+-rf\b/, reason: "removes folders and asks nothing" },
  { pattern: /\bgit\s+push\s+--force\b/, reason: "overwrites what others may have pulled" },
];

export const dangerousCommands = defineTool({
  name: "dangerous_commands",
  label: "Dangerous commands",
  description: "Says whether a shell command is known to be dangerous, and why.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  exposure: "deferred",
  parameters: Type.Object({ command: Type.String({ description: "One command line." }) }),
  async execute(_id, { command }) {
    const reasons = DANGERS.filter(({ pattern }) => pattern.test(command)).map(({ reason }) => reason);
    const text = reasons.length === 0 ? "No known danger." : reasons.join("; ");
    return { content: [{ type: "text", text }], details: { reasons } };
  },
});
