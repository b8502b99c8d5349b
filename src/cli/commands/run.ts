// `nestcall run`: a script in the sandbox, every call of which goes through the policy.
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import type { CodemodeRuntime } from "../../codemode/create-codemode-runtime.js";
import type { CodemodeRun } from "../../codemode/run-types.js";
import { thrownText } from "../../errors/text.js";
import type { RootCallOutcome } from "../../executor/batch-outcome.js";
import { approvalMode } from "../approvals.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { note, writeForeign, writeJson } from "../output.js";
import { moreOf, parseOptions, wordsOf } from "../parse-options.js";
import { writeRecord } from "../record-file.js";
import { type CallBench, openCallBench, tellOfApprovals } from "../root-call.js";
import { WATCH_OPTIONS, watchCalls } from "../watch-calls.js";
import { WORKBENCH_OPTIONS, withServers } from "../workbench.js";

const OPTIONS = {
  ...WORKBENCH_OPTIONS,
  approve: { type: "string" },
  record: { type: "string" },
  ...WATCH_OPTIONS,
  quiet: { type: "boolean" },
} as const;

export async function run(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("run", args, OPTIONS);
  const [path] = wordsOf("run", positionals, 1);
  if (path === undefined) throw new UsageError(`nestcall run: name a script, or - for stdin.\n${moreOf("run")}`);
  const approve = approvalMode(values.approve);
  const code = await readScript(path);
  const { config, tools, quiet: isQuiet = false } = values;
  const watched = await watchedRuntime();
  const { runtime } = watched;
  const bench = await openCallBench({ config, tools, approve, ownTool: "codemode", isNeeded: false, runtime }, cli);
  const watch = await watchCalls(values, bench.gateway.executor);
  return watch.during(async () => {
    const outcome = await scriptOutcome(bench, code, { isQuiet, runtime, signal: cli.signal });
    const last = watched.last();
    if (values.json === true) writeJson(asJson(outcome, last));
    else show(path, outcome, last);
    tellOfApprovals(approve, outcome.error?.message ?? "");
    await writeRecord(values.record, outcome);
    return outcome.isError ? EXIT.failed : EXIT.ok;
  });
}

interface Running {
  readonly isQuiet: boolean;
  readonly runtime: CodemodeRuntime;
  readonly signal: AbortSignal;
}

async function scriptOutcome(bench: CallBench, code: string, { isQuiet, runtime, signal }: Running) {
  try {
    return await withServers(bench.gateway, signal, () => bench.call("codemode", { code }, { isQuiet }));
  } finally {
    await runtime.close();
  }
}

async function readScript(path: string): Promise<string> {
  if (path === "-") return textOfStream(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const hint = extname(path) === "" && isMissing ? " A script in so many words comes by stdin: nestcall run -" : "";
    throw new UsageError(
      `The script ${path} cannot be read: ${isMissing ? "there is no such file" : thrownText(error)}.${hint}`,
    );
  }
}

/** The tool gives a model's text; a command has use for the whole of what a script gave. */
async function watchedRuntime(): Promise<{
  readonly runtime: CodemodeRuntime;
  readonly last: () => CodemodeRun | undefined;
}> {
  const { createCodemodeRuntime } = await import("../../codemode/index.js");
  const inner = createCodemodeRuntime({ workers: 1 });
  let last: CodemodeRun | undefined;
  const runtime: CodemodeRuntime = {
    async run(source, options) {
      last = await inner.run(source, options);
      return last;
    },
    close: () => inner.close(),
  };
  return { runtime, last: () => last };
}

function asJson(outcome: RootCallOutcome, ran: CodemodeRun | undefined): object {
  const { status, error, durationMs, nestedCalls } = outcome;
  const end = ran === undefined ? { error } : ran.status === "ok" ? { value: ran.value } : { error: ran.error };
  return {
    status: ran?.status ?? status,
    ...end,
    output: ran?.output ?? [],
    console: ran?.console ?? [],
    warnings: ran?.warnings ?? [],
    calls: ran?.calls ?? [],
    ...(nestedCalls === undefined ? {} : { nestedCalls }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

function show(path: string, outcome: RootCallOutcome, ran: CodemodeRun | undefined): void {
  for (const { level, text } of ran?.console ?? []) note(level === "log" ? text : `[${level}] ${text}`);
  for (const warning of ran?.warnings ?? []) note(`Warning: ${warning}`);
  for (const item of ran?.output ?? []) {
    if (item.type === "text") writeForeign(item.text);
    else note(`An image (${item.mimeType}) is not shown here; --json has it.`);
  }
  if (ran?.status === "ok") {
    if (ran.value !== undefined)
      writeForeign(typeof ran.value === "string" ? ran.value : JSON.stringify(ran.value, undefined, 2));
  } else if (ran === undefined) note(outcome.error?.message ?? "The script did not run.");
  else {
    const { name, message, line } = ran.error;
    const where = line === undefined ? path : `${path}:${line}`;
    note(`${where}: ${name}: ${message}`);
  }
}
