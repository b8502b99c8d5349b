// The W3C form of a span's identity (Trace Context, level 1 and 2): `traceparent` and `tracestate`. It is read and written
// here where the program has configured no propagator, so that MCP's `_meta` works without one.
import { createTraceState, isSpanContextValid, type SpanContext, TraceFlags } from "@opentelemetry/api";

export interface TraceCarrier {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span that a carrier tells of; none when it tells of none in the right form. */
export function parseTraceParent({ traceparent, tracestate }: TraceCarrier): SpanContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "00", rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  // Later versions may say more; version ff is forbidden.
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const spanContext: SpanContext = {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(typeof tracestate === "string" && tracestate !== "" ? { traceState: createTraceState(tracestate) } : {}),
  };
  return isSpanContextValid(spanContext) ? spanContext : undefined;
}

export function formatTraceParent(spanContext: SpanContext): { traceparent: string; tracestate?: string } {
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const flags = (traceFlags & 0xff).toString(16).padStart(2, "0");
  const tracestate = traceState?.serialize() ?? "";
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate === "" ? {} : { tracestate }) };
}
