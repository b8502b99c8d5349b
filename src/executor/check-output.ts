// Step 11 of a call: structured content against the output schema (H7).
import { ErrorCode } from "../errors/error-code.js";
import { shortenText } from "../errors/text.js";
import { takeSnapshot } from "../records/json-snapshot.js";
import { explainArguments } from "../tools/explain-arguments.js";
import type { CheckResult, SchemaProblem } from "../tools/schema-check.js";
import type { ToolResult } from "../tools/tool.js";
import { entryOf } from "./call-arguments.js";
import type { CallScope } from "./call-scope.js";
import { type Ending, failure } from "./ending.js";

/** The failure of a result that does not keep what its tool declares; `undefined` when it does. */
export function checkOutput(scope: CallScope, result: ToolResult): Ending | undefined | Promise<Ending | undefined> {
  const { output } = entryOf(scope);
  if (output === undefined || result.isError === true) return undefined;
  const { structuredContent } = result;
  const name = shortenText(scope.name, 128);
  if (structuredContent === undefined) {
    const text = `Tool "${name}" declares an output schema, but gave no structuredContent.`;
    return withUsage(failure(ErrorCode.INVALID_OUTPUT, text), result);
  }
  if (output.accepts?.(structuredContent) === true) return undefined;
  // What JSON leaves out, a member that is undefined, is nothing to complain about.
  const json = takeSnapshot(structuredContent);
  if (!("problem" in json) && output.accepts?.(json.copy) === true) return undefined;
  const settle = (checked: CheckResult) => (checked.ok ? undefined : refuse(checked.problems));
  const refuse = (problems: readonly SchemaProblem[]) => {
    const reasons = explainArguments(scope.name, problems, output.jsonSchema, structuredContent);
    const [, ...lines] = reasons.split("\n"); // without the line that speaks of arguments
    const text = `The structuredContent of tool "${name}" does not fit its output schema:\n${lines.join("\n")}`;
    return withUsage(failure(ErrorCode.INVALID_OUTPUT, text), result);
  };
  const checked = output.validate(structuredContent);
  return checked instanceof Promise ? checked.then(settle) : settle(checked);
}

/** The model work was done, whatever came of it (R7). */
export function withUsage(ending: Ending, { usage }: { readonly usage?: unknown }): Ending {
  return usage === undefined
    ? ending
    : { ...ending, result: { ...ending.result, usage: usage as NonNullable<ToolResult["usage"]> } };
}
