// The script of the demo, as a model might write it, and the policy it meets.

export const REVIEW_SCRIPT = `const [change, dangers, leftovers] = await Promise.all([
  tools.changed_files({}),
  tools.find_dangers({}),
  tools.find_leftovers({}),
]);
// A careless step; the policy decides about it, not the script.
const cleaning = await tools.run_command({ command: "rm -rf build" }).catch((error) => error);
return { change, dangers, leftovers, refusal: cleaning instanceof Error ? cleaning.message : undefined };`;

export const REVIEW_POLICY = { deny: [{ tool: "run_command", when: { command: "rm *" } }] };

export interface Review {
  readonly change: {
    readonly name: string;
    readonly source: string;
    readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  };
  readonly dangers: Findings;
  readonly leftovers: Findings;
  /** Why the careless step was refused. */
  readonly refusal?: string;
}
interface Findings {
  readonly findings: readonly {
    readonly path: string;
    readonly line: number;
    readonly what: string;
    readonly text: string;
  }[];
  readonly more: number;
}

const MAX_FILES = 12;

export function reviewText({ change, dangers, leftovers, refusal }: Review): string {
  const { files } = change;
  const total = (key: "added" | "removed") => files.reduce((sum, file) => sum + file[key], 0);
  const listed = files.slice(0, MAX_FILES).map(({ path, added, removed }) => `${path}  +${added} -${removed}`);
  const rest = files.length - listed.length;
  return [
    `Review of ${change.name}`,
    `  ${change.source}`,
    `  ${files.length === 1 ? "1 file" : `${files.length} files`}, ${total("added")} lines added, ${total("removed")} removed`,
    ...listed.map((line) => `    ${line}`),
    ...(rest > 0 ? [`    and ${rest} more`] : []),
    ...section("Dangerous commands", dangers),
    ...section("Leftovers", leftovers),
    "",
    "Blocked",
    `  ${refusal ?? "nothing: the policy let the careless step pass"}`,
  ].join("\n");
}

function section(title: string, { findings, more }: Findings): string[] {
  const lines = findings.flatMap(({ path, line, what, text }) => [`  ${path}:${line}  ${what}`, `    ${text}`]);
  return ["", title, ...(lines.length === 0 ? ["  none"] : lines), ...(more > 0 ? [`  and ${more} more`] : [])];
}
