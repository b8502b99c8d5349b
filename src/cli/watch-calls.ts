// What a command keeps of its calls besides the record: --trace writes the events while calls run, --html draws a page once
// all have ended, --inspect shows them on a page of this machine.
import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { thrownText } from "../errors/text.js";
import type { Executor } from "../executor/create-executor.js";
import { PRIVATE_MODE } from "../trace/file/private-mode.js";
import type { InspectServerOptions } from "../trace/inspect/inspect-options.js";
import { UsageError } from "./exit.js";
import { note } from "./output.js";
import { unwritable, writeTo } from "./record-file.js";

export const WATCH_OPTIONS = { html: { type: "string" }, trace: { type: "string" } } as const;

export interface WatchOptions {
  /** Written by the command itself, once it has an outcome. */
  readonly record?: string | undefined;
  readonly html?: string | undefined;
  readonly trace?: string | undefined;
  /** A port. */
  readonly inspect?: number | undefined;
}

export interface Watch {
  /**
   * Does the work, and writes what is to be written after it, whatever became of it.
   *
   * @throws What the work throws; Error that names the file that could not be written.
   */
  during<T>(work: () => Promise<T>): Promise<T>;
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
  await checkFiles(options);
  if (inspect !== undefined || html !== undefined) closings.push(...(await collect(executor, { html, inspect })));
  if (trace !== undefined) closings.push(await write(executor, trace));
  return { during: (work) => during(work, closings) };
}

async function during<T>(work: () => Promise<T>, closings: readonly Closing[]): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await closeAll(closings).catch((unwritten: unknown) => note(thrownText(unwritten)));
    throw error;
  }
  await closeAll(closings);
  return result;
}

/** One file that cannot be written does not keep the others from being written. */
async function closeAll(closings: readonly Closing[]): Promise<void> {
  const problems: unknown[] = [];
  for (const close of closings) await close().catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw new Error(problems.map(thrownText).join("\n"));
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
      throw new Error(unwritable(path, error));
    }
    note(`The trace is in ${path}; \`nestcall trace ${path}\` shows it.`);
  };
}

/** What is there already stays, until there is something to write. */
async function checkFiles({ html, trace, record }: WatchOptions): Promise<void> {
  const files = new Map<string, string>();
  for (const [option, path] of Object.entries({ html, trace, record })) {
    if (path === undefined) continue;
    const other = files.get(resolve(path));
    if (other !== undefined)
      throw new UsageError(`--${other} and --${option} both name ${path}; each needs a file of its own.`);
    files.set(resolve(path), option);
    if (await isPipe(path)) throw new UsageError(`${path} is a pipe; --${option} takes a file.`);
    try {
      await (await open(path, "a", option === "record" ? undefined : PRIVATE_MODE)).close();
    } catch (error) {
      throw new UsageError(unwritable(path, error));
    }
  }
}

/** To open a pipe that nobody reads would wait for ever. Those that the shell hands over have a reader. */
async function isPipe(path: string): Promise<boolean> {
  if (/^\/(?:dev|proc)\//.test(resolve(path))) return false;
  const found = await stat(path).catch(() => undefined); // what is not there yet is made
  return found?.isFIFO() === true;
}
