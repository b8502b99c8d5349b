// The tool `dangerous_commands`: looks one command line up in a small table and says why it is dangerous. Runs nothing.
// Exposure `deferred`: callable by other tools, but neither declared to the model nor listed; it is found by search.
import { defineTool, Type } from "nestcall";

interface Danger {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly reason: string;
}

const DANGERS: readonly Danger[] = [
  {
    rule: "rm -rf",
    pattern: /\brm\s+(?=.*\s?-\w*[rR])(?=.*\s?-\w*f)-/,
    reason: "removes whole folders and asks nothing",
  },
  {
    rule: "git push --force",
    pattern: /\bgit\s+push\b.*\s(--force(?!-with-lease)\b|-f\b)/,
    reason: "overwrites commits that others may have pulled",
  },
  { rule: "git reset --hard", pattern: /\bgit\s+reset\b.*\s--hard\b/, reason: "throws uncommitted work away" },
  {
    rule: "git clean -f",
    pattern: /\bgit\s+clean\b.*\s-\w*f/,
    reason: "removes files that git does not know and cannot bring back",
  },
  {
    rule: "curl | sh",
    pattern: /\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/,
    reason: "runs a script from the network that nobody has read",
  },
  { rule: "sudo", pattern: /(^|[\s;&|])sudo\s/, reason: "runs with the rights of the administrator" },
  {
    rule: "chmod 777",
    pattern: /\bchmod\s+(-\w+\s+)*0?777\b/,
    reason: "lets every user of the machine change the files",
  },
  { rule: "dd of=/dev", pattern: /\bdd\b.*\bof=\/dev\//, reason: "writes over a disk" },
  { rule: "mkfs", pattern: /\bmkfs(\.\w+)?\s/, reason: "formats a disk" },
  { rule: "npm publish", pattern: /\bnpm\s+publish\b/, reason: "publishes a version that cannot be taken back" },
  {
    rule: "--no-verify",
    pattern: /\bgit\s+(commit|push)\b.*\s--no-verify\b/,
    reason: "skips the checks that guard the repository",
  },
  { rule: "eval", pattern: /\beval\s+["'$`]/, reason: "runs a text as a program" },
];

const closed = { additionalProperties: false };

export const dangerousCommands = defineTool({
  name: "dangerous_commands",
  title: "Dangerous commands",
  description: "Looks a shell command line up in a table of dangerous patterns. It does not run the command.",
  inputSchema: Type.Object(
    { command: Type.String({ description: "One command line, as a shell would get it." }) },
    closed,
  ),
  outputSchema: Type.Object(
    {
      dangerous: Type.Boolean(),
      matches: Type.Array(Type.Object({ rule: Type.String(), reason: Type.String() }, closed)),
    },
    closed,
  ),
  effect: "read",
  exposure: "deferred",
  execute({ command }) {
    const found = DANGERS.filter(({ pattern }) => pattern.test(command));
    const matches = found.map(({ rule, reason }) => ({ rule, reason }));
    const text = found.map(({ rule, reason }) => `${rule}: ${reason}`).join("\n") || "No known danger.";
    return { content: [{ type: "text", text }], structuredContent: { dangerous: matches.length > 0, matches } };
  },
});
