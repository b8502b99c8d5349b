// The way in: spans and metrics of an executor's calls. It is an observer: nothing it does changes an outcome (H6).
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import { CallSpans } from "./call-spans.js";
import { type InstrumentOptions, instrumentSettings } from "./instrument-options.js";
import { noteInstrumented, OpenCalls } from "./open-calls.js";

/**
 * Makes a span of every call of an executor from now on, `execute_tool {tool}`, below that of its caller; of a root call
 * below what `parent` tells or the span that is active where it is made. Arguments, results and the texts of errors are not
 * in it, unless that is asked for. What the tracer or the meter throws is reported once as an observer's error.
 *
 * Metrics: `gen_ai.execute_tool.duration`, `nestcall.calls`, `nestcall.calls.open`, `nestcall.wait.duration` and
 * `nestcall.leases.contended`.
 *
 * @returns A function that ends it; the spans of calls that are open then end with the status `unfinished`.
 * @throws NestcallError `INVALID_ARGUMENTS` for what is no executor, or a wrong option.
 * @see OpenTelemetry semantic conventions for GenAI, `execute_tool`.
 */
export function instrumentExecutor(executor: Executor, options: InstrumentOptions = {}): () => void {
  if (typeof executor?.subscribe !== "function" || typeof executor.on !== "function") {
    const message = `instrumentExecutor takes an executor; it got ${describeValue(executor)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const calls = new OpenCalls();
  const spans = new CallSpans(
    instrumentSettings(options),
    calls,
    (name) => executor.registry.entryOf(name) !== undefined,
  );
  const stops = [
    executor.subscribe((event) => spans.take(event)),
    executor.on("tool_execution_wait", (event) => spans.takeWait(event)),
    noteInstrumented(executor.registry, calls),
  ];
  return () => {
    for (const stop of stops) stop();
    spans.close();
  };
}
