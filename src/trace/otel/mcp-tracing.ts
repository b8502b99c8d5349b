// What `nestcall/mcp` takes as `tracing`: client spans of requests to servers, and the traces that clients come with.
import { context, type Tracer } from "@opentelemetry/api";
import { type CallContext, contextOfCall } from "./call-context.js";
import { type McpRequest, traceMcpRequest } from "./mcp-request-span.js";
import { contextFromMeta } from "./trace-meta.js";

export interface McpTracingOptions {
  /** Makes the client spans. Default: the global one. */
  readonly tracer?: Tracer | undefined;
}

/** The `tracing` of `connectMcp`, `serveMcp` and `createGateway`. */
export interface McpContextTracing {
  request<T>(
    request: McpRequest,
    call: CallContext,
    send: (meta: Readonly<Record<string, unknown>>) => Promise<T>,
  ): Promise<T>;
  serve(meta: unknown, run: () => void): void;
}

/**
 * Ties the spans of an instrumented executor to those of MCP: a request to a server gets a client span below the span of its
 * call, and tells the server of it in `_meta`; a call that a client asks for belongs to the trace in the request's `_meta`. Needs
 * a context manager, which every SDK for Node.js brings.
 *
 * @see SEP-414 of the Model Context Protocol.
 */
export function mcpTracing({ tracer }: McpTracingOptions = {}): McpContextTracing {
  return Object.freeze({
    request: <T>(
      request: McpRequest,
      call: CallContext,
      send: (meta: Readonly<Record<string, unknown>>) => Promise<T>,
    ) => traceMcpRequest(request, send, { context: contextOfCall(call), tracer }),
    serve: (meta: unknown, run: () => void) => context.with(contextFromMeta(meta), run),
  });
}
