// Events of an executor as spans and metrics. Whatever the tracer and the meter do, every step is taken: a step that fails
// is skipped, and the first failure is told to the executor, which reports it as that of any observer (H6).
import { type Attributes, type Context, context, type Span, SpanStatusCode } from "@opentelemetry/api";
import { shortenText } from "../../errors/text.js";
import type {
  ToolExecutionEndEvent,
  ToolExecutionProgressEvent,
  ToolExecutionStartEvent,
  ToolExecutionWaitEvent,
} from "../../executor/tool-execution-event.js";
import { textOfContent } from "../../tools/tool-result.js";
import { ATTRIBUTE, SPAN_EVENT, VALUE } from "./attribute-names.js";
import { CallMetrics } from "./call-metrics.js";
import { CallSpan, type MeasuredWait } from "./call-span.js";
import { argumentsText, resultText } from "./captured-text.js";
import type { InstrumentSettings } from "./instrument-options.js";
import type { OpenCalls } from "./open-calls.js";
import { type RootParent, rootParent } from "./root-parent.js";

/** Names of tools have at most 64; what a model made up may have any length. */
const MAX_NAME_CHARS = 128;
/** As of the texts of errors in records (R4). */
const MAX_ERROR_CHARS = 500;

export class CallSpans {
  readonly #settings: InstrumentSettings;
  readonly #calls: OpenCalls;
  readonly #metrics: CallMetrics | undefined;
  #hasFailed = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param isTool - Whether there is a tool of this name. */
  constructor(settings: InstrumentSettings, calls: OpenCalls, isTool: (name: string) => boolean) {
    this.#settings = settings;
    this.#calls = calls;
    this.#metrics = settings.meter === undefined ? undefined : new CallMetrics(settings.meter, isTool);
  }

  /** @throws The first failure of the tracer or the meter, once. */
  take(event: ToolExecutionProgressEvent): void {
    switch (event.type) {
      case "tool_execution_start":
        this.#start(event);
        break;
      case "tool_execution_end":
        this.#end(event);
        break;
      case "tool_execution_update":
        this.#ran(event.toolCallId);
        break;
      default:
        event satisfies never;
    }
    this.#tellFailure();
  }

  /** @throws As `take`. */
  takeWait(event: ToolExecutionWaitEvent): void {
    const call = this.#calls.get(event.toolCallId);
    if (call !== undefined) this.#wait(call, event);
    this.#tellFailure();
  }

  /** Ends the spans of open calls, whose ends will not be heard. @throws As `take`. */
  close(): void {
    for (const call of this.#calls.takeAll()) {
      this.#attempt(() => this.#metrics?.closed(call.isContended));
      this.#attempt(() => call.span?.setAttribute(ATTRIBUTE.STATUS, VALUE.UNFINISHED));
      this.#attempt(() => call.span?.end());
    }
    this.#tellFailure();
  }

  // This and `#end` run for every call: steps are written out there, since a closure for each can be measured.
  #start(event: ToolExecutionStartEvent): void {
    const { parentToolCallId, toolCallId, toolName } = event;
    const caller = parentToolCallId === undefined ? undefined : this.#ran(parentToolCallId);
    let parent: RootParent | undefined;
    if (caller === undefined) parent = this.#rootParent(event);
    const outer = caller?.context ?? parent?.context ?? context.active();
    const startedAt = this.#metrics === undefined ? 0 : performance.now();
    let span: Span | undefined;
    try {
      span = this.#startSpan(shortenText(toolName, MAX_NAME_CHARS), outer, parent?.links);
      if (span.isRecording()) this.#describeStart(span, event);
    } catch (error) {
      this.#note(error);
    }
    this.#calls.add(toolCallId, new CallSpan(toolName, outer, span, startedAt));
    if (this.#metrics !== undefined) this.#attempt(() => this.#metrics?.opened());
  }

  #rootParent(event: ToolExecutionStartEvent): RootParent | undefined {
    if (event.depth > 0) return undefined; // its caller began before we listened
    return this.#attempt(() => rootParent(this.#settings.parent, event));
  }

  #startSpan(toolName: string, outer: Context, links: RootParent["links"]): Span {
    // What samplers look at; the rest is set afterwards, which costs less and nothing where nothing is recorded.
    const attributes: Attributes = { [ATTRIBUTE.OPERATION_NAME]: VALUE.EXECUTE_TOOL, [ATTRIBUTE.TOOL_NAME]: toolName };
    const name = `${VALUE.EXECUTE_TOOL} ${toolName}`;
    if (links === undefined) return this.#settings.tracer.startSpan(name, { attributes }, outer);
    return this.#settings.tracer.startSpan(name, { attributes, links }, outer);
  }

  #describeStart(span: Span, { toolCallId, depth, argumentsBytes, arguments: args }: ToolExecutionStartEvent): void {
    span.setAttribute(ATTRIBUTE.TOOL_TYPE, VALUE.FUNCTION);
    span.setAttribute(ATTRIBUTE.TOOL_CALL_ID, toolCallId);
    span.setAttribute(ATTRIBUTE.DEPTH, depth);
    if (argumentsBytes !== undefined) span.setAttribute(ATTRIBUTE.ARGUMENTS_BYTES, argumentsBytes);
    if (!this.#settings.captureArguments) return;
    const text = argumentsText(args, argumentsBytes, this.#settings.maxCaptureSize);
    if (text !== undefined) span.setAttribute(ATTRIBUTE.TOOL_CALL_ARGUMENTS, text);
  }

  /** A call that makes calls or reports progress waits no more. */
  #ran(toolCallId: string): CallSpan | undefined {
    const call = this.#calls.get(toolCallId);
    if (call?.isWaiting) this.#waited(call, call.endWait(performance.now()));
    return call;
  }

  #wait(call: CallSpan, { reason, heldBy, paths }: ToolExecutionWaitEvent): void {
    this.#waited(call, call.beginWait(reason, performance.now()));
    this.#attempt(() => {
      const shown = this.#settings.captureArguments ? paths : undefined;
      call.span?.addEvent(SPAN_EVENT.WAIT, {
        [ATTRIBUTE.WAIT_REASON]: reason,
        ...(heldBy === undefined ? {} : { [ATTRIBUTE.WAIT_HELD_BY]: heldBy }),
        ...(shown === undefined ? {} : { [ATTRIBUTE.WAIT_PATHS]: [...shown] }),
      });
    });
    const holder = heldBy === undefined ? undefined : this.#calls.get(heldBy);
    if (holder === undefined || holder.isContended) return;
    holder.isContended = true;
    this.#attempt(() => this.#metrics?.contended());
  }

  #waited(call: CallSpan, wait: MeasuredWait | undefined): void {
    if (wait !== undefined) this.#attempt(() => this.#metrics?.waited(call.toolName, wait));
  }

  #end(event: ToolExecutionEndEvent): void {
    const call = this.#calls.take(event.toolCallId, event.toolName);
    if (call === undefined) return; // it began before we listened
    if (call.isWaiting) this.#waited(call, call.endWait(performance.now() - (event.durationMs ?? 0)));
    if (this.#metrics !== undefined) this.#measure(this.#metrics, call, event);
    const { span } = call;
    if (span === undefined) return;
    try {
      if (span.isRecording()) this.#describeEnd(span, call, event);
    } catch (error) {
      this.#note(error);
    }
    try {
      span.end();
    } catch (error) {
      this.#note(error);
    }
  }

  #measure(metrics: CallMetrics, call: CallSpan, event: ToolExecutionEndEvent): void {
    const ms = performance.now() - call.startedAt;
    this.#attempt(() => metrics.closed(call.isContended));
    this.#attempt(() => metrics.ended(event, ms));
  }

  #describeEnd(span: Span, { waitedMs }: CallSpan, { status, code, durationMs, result }: ToolExecutionEndEvent): void {
    span.setAttribute(ATTRIBUTE.STATUS, status);
    if (durationMs !== undefined) span.setAttribute(ATTRIBUTE.EXECUTE_MS, durationMs);
    if (waitedMs > 0) span.setAttribute(ATTRIBUTE.WAIT_MS, waitedMs);
    const { captureResults, captureErrors, maxCaptureSize } = this.#settings;
    if (status !== "ok") {
      span.setAttribute(ATTRIBUTE.ERROR_TYPE, code ?? VALUE.OTHER);
      const message = captureErrors ? shortenText(textOfContent(result.content), MAX_ERROR_CHARS) : "";
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message === "" ? {} : { message }) });
    } else if (captureResults) {
      span.setAttribute(ATTRIBUTE.TOOL_CALL_RESULT, resultText(result, maxCaptureSize));
    }
  }

  #attempt<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #note(error: unknown): void {
    if (!this.#hasFailed) this.#failure = { error };
    this.#hasFailed = true;
  }

  #tellFailure(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }
}
