// Keeps the event stream of root calls, within a budget, so that it can be drawn and saved afterwards. It is an observer:
// nothing it does changes an outcome (H6).
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import { traceOfEvents } from "../model/trace-of-events.js";
import type { Trace } from "../trace.js";
import type { TraceEvent } from "../trace-event.js";
import { collectorSettings, type TraceCollectorOptions } from "./collector-options.js";
import type { RootLog } from "./root-log.js";
import { type KeptListener, RootLogs } from "./root-logs.js";

/** A root call that is kept. */
export interface CollectedRoot {
  /** Tells it from others with the same id; grows with time. */
  readonly key: number;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly isFinished: boolean;
  /** Calls that are kept, the root itself among them. */
  readonly calls: number;
  /** Calls that ran and have no place. */
  readonly dropped: number;
  /** About how much memory it takes. */
  readonly bytes: number;
}

export interface TraceCollector {
  /** What is kept at this moment, the earliest first. */
  roots(): readonly CollectedRoot[];
  /** The kept events, of these root calls or of all, each root call's together and in order. */
  events(keys?: readonly number[]): readonly TraceEvent[];
  /** The same as a trace, for the page and the others that draw. */
  trace(keys?: readonly number[]): Trace;
  /**
   * Hears, with the key of the root call, that more of it is kept; at every event, so do little. Returns a function that
   * ends that. What a listener throws is reported as an observer's error.
   */
  subscribe(listener: KeptListener): () => void;
  /** Forgets all root calls that have finished. */
  clear(): void;
  /** Stops listening; what was kept stays. */
  close(): void;
}

/**
 * Keeps what happens in an executor from now on: every event of the chosen root calls, waits too, with arguments and
 * results up to a bound. When the budget is used up, the earliest finished root calls go first, then arguments and results
 * of the earliest calls; if that is not enough, later calls are counted instead of kept.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a wrong option.
 */
export function createTraceCollector(
  executor: Pick<Executor, "on" | "subscribe">,
  options: TraceCollectorOptions = {},
): TraceCollector {
  if (typeof executor?.subscribe !== "function") {
    const message = `createTraceCollector takes an executor first, not ${describeValue(executor)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const logs = new RootLogs(collectorSettings(options));
  const stops = [
    executor.subscribe((event) => logs.take(event)),
    executor.on("tool_execution_wait", (event) => logs.takeWait(event)),
  ];
  const events = (keys?: readonly number[]) => logs.list(keys).flatMap((log) => log.traceEvents());
  return Object.freeze({
    roots: () => logs.list().map(describeRoot),
    events,
    trace: (keys?: readonly number[]) => traceOfEvents(events(keys)),
    subscribe: (listener: KeptListener) => logs.subscribe(listener),
    clear: () => logs.clear(),
    close: () => {
      for (const stop of stops) stop();
    },
  });
}

function describeRoot(log: RootLog): CollectedRoot {
  const { key, toolCallId, toolName, startedAt, isFinished, calls, dropped, bytes } = log;
  return { key, toolCallId, toolName, startedAt, isFinished, calls, dropped, bytes };
}
