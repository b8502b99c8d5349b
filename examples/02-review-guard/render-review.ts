// Puts what the nested calls gave into the text that the model, or a person, reads.
// Everything in it was measured by a call of this run; where a call failed, its place says why.
import type { Static, ToolCallOutcome } from "nestcall";
import { cutText } from "./cut-text.js";
import type { dangerousCommands } from "./dangerous-commands.js";
import type { Answer, ReviewTools } from "./review-diff.js";

type Data<T extends { readonly outputSchema?: object }> = Static<NonNullable<T["outputSchema"]>>;
type Checks = Data<ReviewTools["runChecks"]>;
type Diff = Data<ReviewTools["collectDiff"]>;
type Tests = Data<ReviewTools["failingTests"]>;

export interface CommandFinding {
  readonly path: string;
  readonly command: string;
  readonly answer: Answer<Data<typeof dangerousCommands>>;
}
export interface Review {
  readonly name: string;
  readonly checks: Answer<Checks>;
  readonly diff: Answer<Diff>;
  readonly tests: Answer<Tests>;
  readonly findings: readonly CommandFinding[];
  readonly commandsLeftOut: number;
  readonly dangerousStep: { readonly finding: CommandFinding | undefined; readonly outcome: ToolCallOutcome };
}

const MAX_FILES = 20;
const MAX_FAILURES = 10;
const MAX_OUTPUT_LINES = 5;

export function renderReview(review: Review): string {
  const sections = [
    [`Review of ${review.name}`, ...diffLines(review.diff)],
    ["Checks", ...checkLines(review.checks)],
    ["Tests", ...testLines(review.tests)],
    ["Commands in the change", ...commandLines(review)],
    ["Dangerous step", ...dangerousStepLines(review.dangerousStep)],
  ];
  const scope = "Of the project's own code, nothing but its type check and its test script was run.";
  return [...sections.map(([title, ...lines]) => [title, ...lines.map((line) => `  ${line}`)].join("\n")), scope].join(
    "\n\n",
  );
}

function diffLines({ value, problem }: Answer<Diff>): string[] {
  if (value === undefined) return [`no diff: ${problem}`];
  const { source, commit, subject, files, insertions, deletions, patchTruncated } = value;
  return [
    commit === undefined ? source : `${source} ${commit}: ${cutText(subject ?? "", 120)}`,
    `${files.length} files, ${insertions} lines added, ${deletions} removed`,
    ...files.slice(0, MAX_FILES).map((file) => `${file.path}  +${file.insertions} -${file.deletions}`),
    ...(files.length > MAX_FILES ? [`and ${files.length - MAX_FILES} more files`] : []),
    ...(patchTruncated ? ["The patch is too large: only its first 256 KiB were searched for commands."] : []),
  ];
}

function checkLines({ value, problem }: Answer<Checks>): string[] {
  if (value === undefined) return [`not run: ${problem}`];
  const steps = value.steps.flatMap(({ name, exitCode, seconds, timedOut, output }) => {
    const ending = timedOut
      ? "stopped, out of time"
      : exitCode === 0
        ? "ok"
        : `FAILED, exit code ${exitCode ?? "none"}`;
    const lines = output.split("\n").slice(-MAX_OUTPUT_LINES);
    const shown = name === "types" && exitCode !== 0 ? lines.map((line) => `  ${cutText(line, 200)}`) : [];
    return [`${name}: ${ending} (${seconds} s)`, ...shown];
  });
  return [...steps, ...value.notes];
}

function testLines({ value, problem }: Answer<Tests>): string[] {
  if (value === undefined) return [`no list of failures: ${problem}`];
  const failures = value.failures.slice(0, MAX_FAILURES).map(({ name, message, file }) => {
    return `FAILS ${name} (${file ?? "unknown file"}): ${cutText(message.replaceAll(/\s+/g, " "), 200)}`;
  });
  const more = value.failed > failures.length ? [`and ${value.failed - failures.length} more failures`] : [];
  return [`${value.failed} of ${value.total} tests fail`, ...failures, ...more];
}

function commandLines({ findings, commandsLeftOut }: Review): string[] {
  const dangerous = findings.flatMap((finding) => {
    const reasons = reasonsOf(finding);
    if (reasons.length === 0) return [];
    return [`${finding.path}: ${cutText(finding.command, 120)}`, ...reasons.map((reason) => `  ${reason}`)];
  });
  const count = findings.filter(({ answer }) => answer.value?.dangerous).length;
  const leftOut = commandsLeftOut === 0 ? [] : [`${commandsLeftOut} more were not looked up.`];
  return [`${findings.length} looked up, ${count} dangerous`, ...dangerous, ...leftOut];
}

function dangerousStepLines({ finding, outcome }: Review["dangerousStep"]): string[] {
  if (finding === undefined) return [];
  const { toolCall, status, error } = outcome;
  const verdict = error?.code === "BLOCKED" ? "BLOCKED" : status;
  const reason = error === undefined ? "" : `: ${error.message}`;
  return [`${toolCall.name} "${finding.command}" (${toolCall.id}): ${verdict}${reason}`, ...reasonsOf(finding)];
}

function reasonsOf({ answer: { value, problem } }: CommandFinding): string[] {
  if (value === undefined) return [`not looked up: ${problem}`];
  return value.matches.map(({ rule, reason }) => `${rule}: ${reason}`);
}
