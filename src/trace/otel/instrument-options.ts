// What `instrumentExecutor` takes, checked at the door.
import {
  type Context,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import { INSTRUMENTATION_NAME } from "./attribute-names.js";
import type { TraceCarrier } from "./trace-parent.js";

/** A root call when it begins. */
export interface TracedRootCall {
  readonly toolCallId: string;
  readonly toolName: string;
}
/** The text of a `traceparent`; headers or a `_meta` that hold one; or a context. */
export type IncomingTrace = string | TraceCarrier | Context;

export interface InstrumentOptions {
  /** Makes the spans. Default: one named `nestcall` of `tracerProvider`. */
  readonly tracer?: Tracer | undefined;
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Makes the metrics. Default: one named `nestcall` of `meterProvider`. */
  readonly meter?: Meter | undefined;
  /** Default: the global one, as it is at this moment: metrics of a provider that comes later are lost. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * What root calls belong to. A text or a carrier counts where no span is active when the root call is made, as the
   * `TRACEPARENT` a program was started with; a function is asked at each root call, and what it gives counts before the
   * active span, which is linked then. Default: the active context alone.
   */
  readonly parent?: IncomingTrace | ((root: TracedRootCall) => IncomingTrace | undefined) | undefined;
  /** Whether spans carry arguments, and the paths that calls wait for, as the executor's `redact` leaves them. Default false. */
  readonly captureArguments?: boolean | undefined;
  /** Whether spans carry results, as the executor's `redact` leaves them. Default false. */
  readonly captureResults?: boolean | undefined;
  /** Whether spans carry the text of an error besides its code; it is what the failed call gave. Default: as `captureResults`. */
  readonly captureErrors?: boolean | undefined;
  /** UTF-8 bytes of arguments that are carried, larger ones are left out; and UTF-16 units of a result, longer ones are cut. Default 8,192. */
  readonly maxCaptureSize?: number | undefined;
}

export interface InstrumentSettings {
  readonly tracer: Tracer;
  /** Absent when there is nobody who takes metrics. */
  readonly meter: Meter | undefined;
  readonly parent: InstrumentOptions["parent"];
  readonly captureArguments: boolean;
  readonly captureResults: boolean;
  readonly captureErrors: boolean;
  readonly maxCaptureSize: number;
}

const KNOWN: readonly string[] = [
  "tracer",
  "tracerProvider",
  "meter",
  "meterProvider",
  "parent",
  "captureArguments",
  "captureResults",
  "captureErrors",
  "maxCaptureSize",
];

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function instrumentSettings(options: InstrumentOptions): InstrumentSettings {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw wrong("options", unknown, `an object of ${KNOWN.join(", ")} only`);
  const { parent, maxCaptureSize = 8192 } = options;
  if (parent === null || !["undefined", "string", "object", "function"].includes(typeof parent)) {
    throw wrong(
      "options.parent",
      parent,
      "the text of a traceparent, an object that has one, a context, or a function",
    );
  }
  if (typeof maxCaptureSize !== "number" || !(maxCaptureSize >= 1)) {
    throw wrong("options.maxCaptureSize", maxCaptureSize, "a number from 1 up");
  }
  const meter = meterOf(options);
  const captureResults = flag("captureResults", options.captureResults, false);
  return {
    tracer: tracerOf(options),
    meter: meter === createNoopMeter() ? undefined : meter,
    parent,
    captureArguments: flag("captureArguments", options.captureArguments, false),
    captureResults,
    captureErrors: flag("captureErrors", options.captureErrors, captureResults),
    maxCaptureSize,
  };
}

function tracerOf({ tracer, tracerProvider }: InstrumentOptions): Tracer {
  if (tracer === undefined) {
    if (tracerProvider === undefined) return trace.getTracer(INSTRUMENTATION_NAME);
    if (hasMethod(tracerProvider, "getTracer")) return tracerProvider.getTracer(INSTRUMENTATION_NAME);
    throw wrong("options.tracerProvider", tracerProvider, "an OpenTelemetry TracerProvider");
  }
  if (hasMethod(tracer, "startSpan")) return tracer;
  throw wrong("options.tracer", tracer, "an OpenTelemetry Tracer");
}

function meterOf({ meter, meterProvider }: InstrumentOptions): Meter {
  if (meter === undefined) {
    if (meterProvider === undefined) return metrics.getMeter(INSTRUMENTATION_NAME);
    if (hasMethod(meterProvider, "getMeter")) return meterProvider.getMeter(INSTRUMENTATION_NAME);
    throw wrong("options.meterProvider", meterProvider, "an OpenTelemetry MeterProvider");
  }
  if (hasMethod(meter, "createHistogram")) return meter;
  throw wrong("options.meter", meter, "an OpenTelemetry Meter");
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "function";
}

function flag(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  throw wrong(`options.${name}`, value, "true or false");
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `instrumentExecutor: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
