// How what a tool does gets below the span of its call: requests that it sends, spans that it makes.
import { type Context, context } from "@opentelemetry/api";
import type { ToolContext } from "../../tools/tool.js";
import { openCallOf } from "./open-calls.js";

/** What a tool got as its second argument. */
export type CallContext = Pick<ToolContext, "session" | "toolCallId">;

/** The context with the span of this call. The active context when its executor is not instrumented, or the call has ended. */
export function contextOfCall(ctx: CallContext): Context {
  return openCallOf(ctx)?.context ?? context.active();
}

/**
 * Runs `fn` with the span of this call as the active one, so that spans made inside, an HTTP client's for instance, are
 * below it. Needs a context manager, which every SDK for Node.js brings.
 *
 * @returns What `fn` returned.
 */
export function runInCallContext<T>(ctx: CallContext, fn: () => T): T {
  return context.with(contextOfCall(ctx), fn);
}
