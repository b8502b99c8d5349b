// What a root call's span belongs to: what came in from elsewhere, or the span that is active where the call is made.
import { type Context, context, type Link, trace } from "@opentelemetry/api";
import type { IncomingTrace, InstrumentSettings, TracedRootCall } from "./instrument-options.js";
import { contextFromMeta } from "./trace-meta.js";
import { parseTraceParent } from "./trace-parent.js";

export interface RootParent {
  readonly context: Context;
  /** The active span, when something else is the parent. */
  readonly links?: Link[];
}

/** @throws What the option's function throws. */
export function rootParent(parent: InstrumentSettings["parent"], root: TracedRootCall): RootParent {
  const active = context.active();
  if (parent === undefined) return { context: active };
  const ambient = trace.getSpanContext(active);
  if (typeof parent !== "function") {
    return { context: ambient === undefined ? contextOf(parent, active) : active };
  }
  const { toolCallId, toolName } = root;
  const incoming = parent({ toolCallId, toolName });
  if (incoming === undefined) return { context: active };
  const wanted = contextOf(incoming, active);
  const spanContext = trace.getSpanContext(wanted);
  if (ambient === undefined || spanContext === undefined || spanContext.spanId === ambient.spanId) {
    return { context: wanted };
  }
  return { context: wanted, links: [{ context: ambient }] };
}

function contextOf(incoming: IncomingTrace, active: Context): Context {
  if (isContext(incoming)) return incoming;
  if (typeof incoming !== "string") return contextFromMeta(incoming, active);
  const spanContext = parseTraceParent({ traceparent: incoming });
  return spanContext === undefined ? active : trace.setSpanContext(active, spanContext);
}

function isContext(incoming: IncomingTrace): incoming is Context {
  return typeof incoming === "object" && typeof (incoming as Partial<Context>).getValue === "function";
}
