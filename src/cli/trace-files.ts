// A record as a page or a trace: `nestcall/trace` makes them.
import { UsageError } from "./exit.js";

type Make = (record: unknown) => string | Promise<string>;

/** @throws UsageError when this build of nestcall cannot make it. */
export async function traceFile(kind: "html" | "chrome", record: unknown): Promise<string> {
  const { traceOf, make } = await traceMaker(kind);
  const made: unknown = await make(traceOf(record));
  return typeof made === "string" ? made : JSON.stringify(made);
}

/** To be asked before anything runs. @throws UsageError as `traceFile`. */
export async function traceMaker(
  kind: "html" | "chrome",
): Promise<{ traceOf: (record: unknown) => unknown; make: Make }> {
  const trace = (await import("../trace/index.js")) as unknown as Readonly<Record<string, unknown>>;
  const { traceOf } = trace;
  const make = trace[kind === "html" ? "traceToHtml" : "traceToChrome"];
  if (typeof traceOf === "function" && typeof make === "function")
    return { traceOf: traceOf as (record: unknown) => unknown, make: make as Make };
  throw new UsageError(
    `This version of nestcall cannot write --${kind} yet; without it the calls are shown as a tree.`,
  );
}
