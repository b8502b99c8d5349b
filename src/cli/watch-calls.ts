// What a command keeps of its calls besides the record: --trace writes the events while calls run, --html draws a page once
// all have ended, --inspect shows them on a page of this machine.
import { open } from "node:fs/promises";
import { thrownText } from "../errors/text.js";
import type { Executor } from "../executor/create-executor.js";
import type { InspectServerOptions } from "../trace/inspect/inspect-options.js";
import { UsageError } from "./exit.js";
import { note } from "./output.js";
import { PRIVATE_MODE, writeTo } from "./record-file.js";

export const WATCH_OPTIONS = { html: { type: "string" }, trace: { type: "string" } } as const;

export interface WatchOptions {
  readonly html?: string | undefined;
  readonly trace?: string | undefined;
  /** A port. */
  readonly inspect?: number | undefined;
}

export interface Watch {
  /** Writes what is to be written. @throws UsageError that names the file that cannot be. */
  close(): Promise<void>;
}

type Closing = () => Promise<void>;

/** Of a program that runs for weeks the latest calls are kept. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Listens to the executor from now on. Files are opened before anything runs: an hour's run is not lost to a wrong path.
 *
 * @throws UsageError for a file that cannot be written, or a port that cannot be listened to.
 */
export async function watchCalls(options: WatchOptions, executor: Executor): Promise<Watch> {
  const { html, trace, inspect } = options;
  const closings: Closing[] = [];
  for (const path of [html, trace]) if (path !== undefined) await checkWritable(path);
  if (inspect !== undefined || html !== undefined) closings.push(...(await collect(executor, { html, inspect })));
  if (trace !== undefined) closings.push(await write(executor, trace));
  return {
    async close() {
      for (const close of closings) await close();
    },
  };
}

async function collect(executor: Executor, { html, inspect }: WatchOptions): Promise<Closing[]> {
  const { createTraceCollector, renderTracePage } = await import("../trace/index.js");
  const collector = createTraceCollector(executor, { maxBytes: MAX_KEPT_BYTES });
  const { registry } = executor;
  const closings: Closing[] = [];
  if (inspect !== undefined) closings.push(await serve({ collector, registry, port: inspect }));
  if (html !== undefined) {
    closings.push(async () => {
      await writeTo(html, renderTracePage(collector.trace(), { registry }), PRIVATE_MODE);
      note(`The page is in ${html}; open it in a browser.`);
    });
  }
  return closings;
}

async function serve(options: InspectServerOptions): Promise<Closing> {
  const { createInspectServer } = await import("../trace/index.js");
  try {
    const server = await createInspectServer(options);
    note(`Calls are shown at ${server.url}`);
    return () => server.close();
  } catch (error) {
    throw new UsageError(`--inspect cannot listen to port ${options.port}: ${thrownText(error)}`);
  }
}

async function write(executor: Executor, path: string): Promise<Closing> {
  const { createTraceWriter } = await import("../trace/index.js");
  const writer = createTraceWriter(executor, path);
  return async () => {
    try {
      await writer.close();
    } catch (error) {
      throw unwritable(path, error);
    }
    note(`The trace is in ${path}; \`nestcall trace ${path}\` shows it.`);
  };
}

/** What is there already stays, until there is something to write. */
async function checkWritable(path: string): Promise<void> {
  try {
    await (await open(path, "a", PRIVATE_MODE)).close();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(`${path} cannot be written: ${thrownText(error)}`);
}
