// The metrics of an executor. They know tools by name; names that a model made up are counted as one.
import type { Attributes, Counter, Histogram, Meter, UpDownCounter } from "@opentelemetry/api";
import type { ToolExecutionEndEvent } from "../../executor/tool-execution-event.js";
import { ATTRIBUTE, METRIC, VALUE } from "./attribute-names.js";
import type { MeasuredWait } from "./call-span.js";

/** Seconds, as the conventions advise for operations of GenAI. */
const BOUNDARIES = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

export class CallMetrics {
  readonly #duration: Histogram;
  readonly #calls: Counter;
  readonly #open: UpDownCounter;
  readonly #waits: Histogram;
  readonly #contended: UpDownCounter;

  readonly #isTool: (name: string) => boolean;

  constructor(meter: Meter, isTool: (name: string) => boolean) {
    this.#isTool = isTool;
    const seconds = { unit: "s", advice: { explicitBucketBoundaries: BOUNDARIES } };
    this.#duration = meter.createHistogram(METRIC.DURATION, {
      ...seconds,
      description: "The duration of a single tool execution, from the call to its outcome.",
    });
    this.#waits = meter.createHistogram(METRIC.WAIT_DURATION, {
      ...seconds,
      description: "How long a call waited for files, the sequential lane, its turn, or a person.",
    });
    this.#calls = meter.createCounter(METRIC.CALLS, {
      unit: "{call}",
      description: "Calls that have ended, by status.",
    });
    this.#open = meter.createUpDownCounter(METRIC.OPEN_CALLS, { unit: "{call}", description: "Calls that are open." });
    this.#contended = meter.createUpDownCounter(METRIC.CONTENDED, {
      unit: "{call}",
      description: "Open calls that hold files or the lane while another call waits for them.",
    });
  }

  opened(): void {
    this.#open.add(1);
  }

  /** A call that is open no more, whether its end was heard or not. */
  closed(wasContended: boolean): void {
    this.#open.add(-1);
    if (wasContended) this.#contended.add(-1);
  }

  ended({ toolName, status, code, durationMs }: ToolExecutionEndEvent, ms: number): void {
    const isKnown = durationMs !== undefined || this.#isTool(toolName);
    const attributes: Attributes = {
      [ATTRIBUTE.OPERATION_NAME]: VALUE.EXECUTE_TOOL,
      [ATTRIBUTE.TOOL_NAME]: isKnown ? toolName : VALUE.OTHER,
      ...(status === "ok" ? {} : { [ATTRIBUTE.ERROR_TYPE]: code ?? VALUE.OTHER }),
    };
    this.#duration.record(ms / 1000, attributes);
    this.#calls.add(1, { ...attributes, [ATTRIBUTE.STATUS]: status });
  }

  waited(toolName: string, { reason, ms }: MeasuredWait): void {
    this.#waits.record(ms / 1000, { [ATTRIBUTE.TOOL_NAME]: toolName, [ATTRIBUTE.WAIT_REASON]: reason });
  }

  contended(): void {
    this.#contended.add(1);
  }
}
