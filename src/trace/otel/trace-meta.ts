// Trace context in the `_meta` of MCP's requests: the keys `traceparent`, `tracestate` and `baggage`, without a prefix
// (SEP-414). The propagator that the program has configured is used; without one, W3C Trace Context.
import { type Context, context, isSpanContextValid, propagation, trace } from "@opentelemetry/api";
import { formatTraceParent, parseTraceParent } from "./trace-parent.js";

/** `_meta` of a request: anything under any key. */
export interface RequestMeta {
  readonly [key: string]: unknown;
}

/**
 * A copy of `meta` that tells the receiver which span the request belongs to. Without a span it is an equal copy. Never
 * throws.
 *
 * @param meta - What else the request says; default nothing.
 * @param from - Whose span it is; see `contextOfCall` for that of a running tool. Default: the active context.
 * @see SEP-414 of the Model Context Protocol, and W3C Trace Context.
 */
export function injectTraceContext(meta: RequestMeta = {}, from: Context = context.active()): Record<string, unknown> {
  try {
    const spanContext = trace.getSpanContext(from);
    const hasSpan = spanContext !== undefined && isSpanContextValid(spanContext);
    // A `_meta` that is handed on tells of another span, whose state must not stand beside this one.
    const carrier: Record<string, unknown> = hasSpan ? withoutSpan(meta) : { ...meta };
    if (hasPropagator()) propagation.inject(from, carrier);
    else if (hasSpan) Object.assign(carrier, formatTraceParent(spanContext));
    return carrier;
  } catch {
    return { ...meta }; // a request goes out whatever becomes of its trace
  }
}

/**
 * The context of a request that came with this `_meta`: `base`, with the sender's span as the parent of what is done in it.
 * `base` itself when `meta` is none or tells of no span. Never throws.
 *
 * Answer the request in it, so that its root call belongs to the sender's trace:
 * `context.with(contextFromMeta(params._meta), () => executor.executeTool(…))`.
 *
 * @param base - Default: the active context.
 */
export function contextFromMeta(meta: unknown, base: Context = context.active()): Context {
  try {
    if (typeof meta !== "object" || meta === null) return base;
    if (hasPropagator()) return propagation.extract(base, meta, OWN_TEXTS);
    const spanContext = parseTraceParent(meta);
    return spanContext === undefined ? base : trace.setSpanContext(base, spanContext);
  } catch {
    return base;
  }
}

function withoutSpan({ traceparent: _parent, tracestate: _state, ...rest }: RequestMeta): Record<string, unknown> {
  return rest;
}

/** Propagators expect texts, and `_meta` may hold anything. */
const OWN_TEXTS = {
  keys: (carrier: object) => Object.keys(carrier),
  get: (carrier: object, key: string) => {
    const value: unknown = Object.hasOwn(carrier, key) ? (carrier as RequestMeta)[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

function hasPropagator(): boolean {
  return propagation.fields().length > 0;
}
