// A4: why arguments were refused, as a text from which a model can do better at the next try.
import { shortenText } from "../errors/text.js";
import { type ExplainContext, explainFailure, type Finding } from "./explain-failure.js";
import { explainIssue, issueText } from "./explain-issue.js";
import { groupUnions, hasRule } from "./failing-unions.js";
import { placeText, quotedText } from "./place-text.js";
import type { SchemaProblem } from "./schema-check.js";

/** Room for the last line, which counts what was left out, stays below A4's 4,096. */
const MAX_CHARS = 3_900;
const MAX_LINE_CHARS = 900;
/** No text has room for more lines. */
const MAX_EXPLAINED = 400;

/**
 * The text of an `INVALID_ARGUMENTS` error: the tool, then one line for each failing place with its reason. Long values
 * are not repeated, and no key or value can start a line of its own.
 *
 * @param value - What the problems were found in.
 * @returns At most 4,095 characters; what does not fit is counted in the last line.
 */
export function explainArguments(
  toolName: string,
  problems: readonly SchemaProblem[],
  jsonSchema: object,
  value: unknown,
): string {
  const context: ExplainContext = { jsonSchema, value };
  const lines = linesOf(findingsOf(problems, context));
  let text = `The arguments of tool ${quotedText(toolName, 80)} do not fit its input schema:`;
  let shown = 0;
  for (const line of lines) {
    if (text.length + line.length + 1 > MAX_CHARS) break;
    text += `\n${line}`;
    shown += 1;
  }
  const left = lines.length - shown;
  return left === 0 ? text : `${text}\n… and ${left} more ${left === 1 ? "problem" : "problems"}`;
}

function findingsOf(problems: readonly SchemaProblem[], context: ExplainContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const failure of groupUnions(problems.filter(hasRule))) {
    // Beyond what the text has room for a failure is only counted, which bounds the work for hostile values.
    if (findings.length < MAX_EXPLAINED) findings.push(...explainFailure(failure, context));
    else findings.push({ path: failure.problem.path, text: failure.problem.rule.schemaPath });
  }
  for (const problem of problems) {
    if (hasRule(problem)) continue;
    if (findings.length < MAX_EXPLAINED) findings.push(explainIssue(problem, context));
    else findings.push({ path: problem.path, text: issueText(problem.message) });
  }
  return findings.length === 0 ? [{ path: [], text: "do not fit" }] : findings;
}

function linesOf(findings: readonly Finding[]): string[] {
  const lines = new Set<string>();
  for (const { path, text } of findings) {
    const place = path.length === 0 ? "arguments" : placeText(path);
    lines.add(shortenText(`- ${place}: ${text}`, MAX_LINE_CHARS));
  }
  return [...lines];
}
