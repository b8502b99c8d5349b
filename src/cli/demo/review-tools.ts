// The tools of the demo. Each looks at the change from another side; the last one is what a careless reviewer would do next.
import { defineTool } from "../../tools/define-tool.js";
import { Type } from "../../tools/typebox.js";
import type { Change } from "./read-change.js";
import type { ChangedFile } from "./read-patch.js";

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
}

const DANGERS: readonly Rule[] = [
  { what: "removes whole folders and asks nothing", pattern: /\brm\s+(?=.*\s?-\w*[rR])(?=.*\s?-\w*f)-/ },
  { what: "overwrites commits that others may have", pattern: /\bgit\s+push\b.*\s(--force(?!-with-lease)\b|-f\b)/ },
  { what: "throws uncommitted work away", pattern: /\bgit\s+reset\b.*\s--hard\b/ },
  {
    what: "runs a script from the network that nobody has read",
    pattern: /\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/,
  },
  { what: "lets every user change the files", pattern: /\bchmod\s+(-\w+\s+)*0?777\b/ },
  { what: "runs with the rights of the administrator", pattern: /(^|[\s;&|"'])sudo\s/ },
];
const LEFTOVERS: readonly Rule[] = [
  { what: "a note to come back to", pattern: /\b(TODO|FIXME|XXX)\b/ },
  { what: "a line that was for debugging", pattern: /\b(console\.log|debugger|dbg!)\b/ },
  { what: "a conflict that was not resolved", pattern: /^(<{7}|>{7})( |$)/ },
  { what: "a test that hides all others", pattern: /\b(describe|it|test)\.only\b/ },
];
const MAX_FINDINGS = 20;
const MAX_CHARS = 100;

const closed = { additionalProperties: false };
const NOTHING = Type.Object({}, closed);
const FINDINGS = Type.Object(
  {
    findings: Type.Array(
      Type.Object({ path: Type.String(), line: Type.Integer(), what: Type.String(), text: Type.String() }, closed),
    ),
    more: Type.Integer({ description: "How many others there are." }),
  },
  closed,
);

/** @param change - Read once, at the first call. */
export function reviewTools(change: (signal: AbortSignal) => Promise<Change>) {
  const scan = (name: string, description: string, rules: readonly Rule[]) =>
    defineTool({
      name,
      description,
      inputSchema: NOTHING,
      outputSchema: FINDINGS,
      effect: "read",
      execute: async (_args, { signal }) => ({ structuredContent: findingsOf((await change(signal)).files, rules) }),
    });
  return [
    defineTool({
      name: "changed_files",
      description: "The files of the change, with the number of lines that come and go.",
      inputSchema: NOTHING,
      outputSchema: Type.Object(
        {
          name: Type.String(),
          source: Type.String(),
          files: Type.Array(
            Type.Object({ path: Type.String(), added: Type.Integer(), removed: Type.Integer() }, closed),
          ),
        },
        closed,
      ),
      effect: "read",
      async execute(_args, { signal }) {
        const { name, source, files } = await change(signal);
        const counted = files.map(({ path, added, deletions }) => ({ path, added: added.length, removed: deletions }));
        return { structuredContent: { name, source, files: counted } };
      },
    }),
    scan("find_dangers", "Dangerous shell commands among the added lines.", DANGERS),
    scan("find_leftovers", "Notes, debugging and conflicts among the added lines.", LEFTOVERS),
    defineTool({
      name: "run_command",
      description: "Runs a shell command.",
      inputSchema: Type.Object({ command: Type.String() }, closed),
      effect: "destructive",
      execute: () => "The demo runs no commands.",
    }),
  ];
}

function findingsOf(files: readonly ChangedFile[], rules: readonly Rule[]) {
  const findings = files.flatMap(({ path, added }) =>
    added.flatMap(({ line, text }) => {
      const rule = rules.find(({ pattern }) => pattern.test(text.slice(0, 2_000)));
      return rule === undefined ? [] : [{ path, line, what: rule.what, text: text.trim().slice(0, MAX_CHARS) }];
    }),
  );
  return { findings: findings.slice(0, MAX_FINDINGS), more: Math.max(0, findings.length - MAX_FINDINGS) };
}
