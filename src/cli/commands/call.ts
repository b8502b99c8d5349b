// `nestcall call`: one tool, with arguments from the command line.
import type { RootCallOutcome } from "../../executor/batch-outcome.js";
import { approvalMode } from "../approvals.js";
import { callArguments } from "../call-arguments.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { note, noteForeign, writeForeign, writeJson } from "../output.js";
import { moreOf, parseOptions } from "../parse-options.js";
import { writeRecord } from "../record-file.js";
import { openCallBench, tellOfApprovals } from "../root-call.js";
import { WATCH_OPTIONS, watchCalls } from "../watch-calls.js";
import { WORKBENCH_OPTIONS, withServers } from "../workbench.js";

const OPTIONS = {
  ...WORKBENCH_OPTIONS,
  approve: { type: "string" },
  record: { type: "string" },
  ...WATCH_OPTIONS,
  quiet: { type: "boolean" },
} as const;

export async function call(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("call", args, OPTIONS);
  const [name, ...words] = positionals;
  if (name === undefined) throw new UsageError(`nestcall call: name a tool.\n${moreOf("call")}`);
  const toolArguments = callArguments(words);
  const approve = approvalMode(values.approve);
  const { config, tools, quiet: isQuiet = false } = values;
  const bench = await openCallBench({ config, tools, approve }, cli);
  const watch = await watchCalls(values, bench.gateway.executor);
  return watch.during(async () => {
    const work = () => bench.call(name, toolArguments, { isQuiet });
    const outcome = await withServers(bench.gateway, cli.signal, work);
    if (values.json === true) writeJson(outcome);
    else show(outcome);
    if (outcome.error?.code === "UNKNOWN_TOOL") note("`nestcall tools` lists what there is.");
    tellOfApprovals(approve, outcome.error?.message ?? "");
    await writeRecord(values.record, outcome);
    return outcome.isError ? EXIT.failed : EXIT.ok;
  });
}

/** A failure is no data. */
function show({ isError, result, error }: RootCallOutcome): void {
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  if (isError) {
    noteForeign(texts.join("\n").trimEnd() || (error?.message ?? "The call failed."));
    return;
  }
  for (const text of texts) writeForeign(text);
  for (const block of result.content) {
    if (block.type !== "text") note(`A block of type ${block.type} is not shown here; --json has it.`);
  }
}
