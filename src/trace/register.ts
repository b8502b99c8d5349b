// `NESTCALL_TRACE=page.html node --import nestcall/trace/register program.js`: writes what a program's calls did when it
// ends, without a line of its own. The end of the file's name says what is written; without the variable nothing is done.
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { safeLine } from "../errors/safe-text.js";
import { thrownText } from "../errors/text.js";
import { EXECUTOR_CHANNEL, type ExecutorMessage } from "../executor/executor-channel.js";
import type { Registry } from "../registry/registry.js";
import type { RendererSource } from "./call-tree-drawing.js";
import { traceToChrome } from "./chrome/trace-to-chrome.js";
import { createTraceCollector, type TraceCollector } from "./collector/create-trace-collector.js";
import { PRIVATE_MODE } from "./file/private-mode.js";
import { traceLines } from "./file/trace-lines.js";
import { traceOfEvents } from "./model/trace-of-events.js";
import { renderTracePage } from "./page/render-trace-page.js";
import type { TraceEvent } from "./trace-event.js";

interface Watched {
  readonly registry: Registry;
  readonly collector: TraceCollector;
}

const FORMS: Readonly<Record<string, (events: readonly TraceEvent[], registry: RendererSource) => string>> = {
  ".html": (events, registry) => renderTracePage(traceOfEvents(events), { registry }),
  ".jsonl": (events) => traceLines(events),
  ".json": (events) => JSON.stringify(traceToChrome(traceOfEvents(events))),
};
const HOW = "set it to the file to write: page.html, calls.nestcall.jsonl, or calls.json for Perfetto";

const path = process.env.NESTCALL_TRACE ?? "";
// Threads inherit --import; they would write the same file.
if (path !== "" && isMainThread) watch(path);

function watch(file: string): void {
  const end = Object.keys(FORMS).find((known) => file.endsWith(known));
  if (end === undefined) throw new Error(`NESTCALL_TRACE is ${JSON.stringify(file)}: ${HOW}.`);
  const watched: Watched[] = [];
  subscribe(EXECUTOR_CHANNEL, (message) => {
    const { executor } = message as ExecutorMessage; // what the engine announces
    watched.push({ registry: executor.registry, collector: createTraceCollector(executor) });
  });
  process.on("exit", () => {
    const events = watched.flatMap(({ collector }) => collector.events());
    if (events.length > 0) write(file, () => FORMS[end]?.(events, registryOf(watched)) ?? "");
  });
}

/** The program has ended already: what goes wrong here is told and changes nothing. */
function write(file: string, text: () => string): void {
  try {
    writeFileSync(file, text(), { mode: PRIVATE_MODE });
  } catch (error) {
    process.stderr.write(`${safeLine(`NESTCALL_TRACE: ${file} cannot be written: ${thrownText(error)}`)}\n`);
  }
}

/** Calls are drawn by the first registry that knows the tool. */
function registryOf(watched: readonly Watched[]): RendererSource {
  return {
    renderersOf(name) {
      const knowing = watched.find(({ registry }) => registry.entryOf(name) !== undefined) ?? watched[0];
      return knowing?.registry.renderersOf(name) ?? {};
    },
  };
}
