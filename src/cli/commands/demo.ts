// `nestcall demo`: a review of a real change by a script whose calls are guarded and recorded. Offline; changes nothing.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { safeText } from "../../errors/safe-text.js";
import type { RootCallOutcome } from "../../executor/batch-outcome.js";
import { createGateway, type Gateway } from "../../hosts/mcp/gateway/create-gateway.js";
import { readGatewayConfig } from "../../hosts/mcp/gateway/gateway-config.js";
import type { NestedCalls } from "../../records/nested-call-recorder.js";
import type { Cli } from "../cli.js";
import { type Change, readChange } from "../demo/read-change.js";
import { REVIEW_POLICY, REVIEW_SCRIPT, type Review, reviewText } from "../demo/review-script.js";
import { reviewTools } from "../demo/review-tools.js";
import { EXIT, UsageError } from "../exit.js";
import { drawLiveTree } from "../live-tree.js";
import { note, writeJson, writeOut } from "../output.js";
import { parseOptions, wordsOf } from "../parse-options.js";
import { writeRecord } from "../record-file.js";
import { WATCH_OPTIONS, watchCalls } from "../watch-calls.js";
import { withServers } from "../workbench.js";

const OPTIONS = { record: { type: "string" }, ...WATCH_OPTIONS, json: { type: "boolean" } } as const;

export async function demo(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("demo", args, OPTIONS);
  const [path = "."] = wordsOf("demo", positionals, 1);
  const folder = resolve(path);
  if (!existsSync(folder)) throw new UsageError(`nestcall demo: there is no folder ${path}.`);
  let reading: Promise<Change> | undefined;
  const change = (signal: AbortSignal) => {
    reading ??= readChange(folder, signal);
    return reading;
  };
  note("A script calls three tools side by side, then tries `rm -rf build`, which the policy denies:");
  const config = readGatewayConfig({ mcpServers: {}, policy: REVIEW_POLICY });
  const gateway = await createGateway(config, { tools: reviewTools(() => change(cli.signal)) });
  const watch = await watchCalls(values, gateway.executor);
  return watch.during(async () => {
    const outcome = await withServers(gateway, cli.signal, () => reviewed(gateway, cli.signal));
    const review = (outcome.result.details as { readonly value?: Review } | undefined)?.value;
    if (outcome.isError || review === undefined) note(outcome.error?.message ?? "The demo gave nothing.");
    else if (values.json === true) writeJson({ review, outcome });
    else writeOut(safeText(demoText(review, outcome.nestedCalls)));
    await writeRecord(values.record, outcome);
    return outcome.isError || review === undefined ? EXIT.failed : EXIT.ok;
  });
}

async function reviewed({ executor }: Gateway, signal: AbortSignal): Promise<RootCallOutcome> {
  const tree = drawLiveTree(executor);
  try {
    return await executor.executeTool("codemode", { code: REVIEW_SCRIPT }, { signal });
  } finally {
    tree.stop();
  }
}

/** The record as it is kept, a call on each line. */
function demoText(review: Review, { calls, complete }: NestedCalls = { calls: [], complete: true }): string {
  const short = calls.map(({ id, ...call }) => JSON.stringify({ id: id.slice(id.indexOf("/") + 1), ...call }));
  const record = [...short.map((line) => `  ${line}`), `  complete: ${complete}`].join("\n");
  return `\n${reviewText(review)}\n\nThe record of the one call that a model would have made\n${record}`;
}
