// The span of one request to an MCP server: where the time of a tool that lives elsewhere is spent, and what the server's
// own spans are below.
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { shortenText } from "../../errors/text.js";
import { ATTRIBUTE, INSTRUMENTATION_NAME, VALUE } from "./attribute-names.js";
import { injectTraceContext, type RequestMeta } from "./trace-meta.js";

export interface McpRequest {
  /** `tools/call`, `initialize`, … */
  readonly method: string;
  /** Of `tools/call`: the tool, as the server knows it. */
  readonly toolName?: string | undefined;
  readonly requestId?: string | number | undefined;
  readonly protocolVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly transport?: "stdio" | "http" | undefined;
  /** Of an HTTP server: the name of its host, and its port. */
  readonly serverAddress?: string | undefined;
  readonly serverPort?: number | undefined;
  /** What else goes into the request's `_meta`. */
  readonly meta?: RequestMeta | undefined;
}
export interface McpSpanOptions {
  /** What the span is below; see `contextOfCall`. Default: the active context. */
  readonly context?: Context | undefined;
  /** Default: the global one. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Sends a request inside a client span, `tools/call {tool}`, with the span told to the server in `_meta`. A result with
 * `isError` and a rejection make it a failed one.
 *
 * @param send - Called once, with the `_meta` to send.
 * @returns What `send` resolves to.
 * @throws What `send` throws, unchanged. What the tracer throws is nobody's affair.
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, client.
 */
export async function traceMcpRequest<T>(
  request: McpRequest,
  send: (meta: Record<string, unknown>) => T | Promise<T>,
  options: McpSpanOptions = {},
): Promise<T> {
  const outer = options.context ?? context.active();
  const span = quietly(() => startSpan(request, outer, options.tracer ?? trace.getTracer(INSTRUMENTATION_NAME)));
  const inner = (span === undefined ? undefined : quietly(() => trace.setSpan(outer, span))) ?? outer;
  try {
    const result = await context.with(inner, () => send(injectTraceContext(request.meta, inner)));
    if (isFailedResult(result)) quietly(() => span?.setAttribute(ATTRIBUTE.ERROR_TYPE, VALUE.TOOL_ERROR));
    if (isFailedResult(result)) quietly(() => span?.setStatus({ code: SpanStatusCode.ERROR }));
    return result;
  } catch (error) {
    quietly(() => noteError(span, error));
    throw error;
  } finally {
    quietly(() => span?.end());
  }
}

function startSpan(request: McpRequest, outer: Context, tracer: Tracer): Span {
  const { method, toolName, transport } = request;
  const attributes: Attributes = { [ATTRIBUTE.MCP_METHOD_NAME]: method };
  if (toolName !== undefined) {
    attributes[ATTRIBUTE.OPERATION_NAME] = VALUE.EXECUTE_TOOL;
    attributes[ATTRIBUTE.TOOL_NAME] = shortenText(toolName, 128);
  }
  const { requestId, protocolVersion, sessionId, serverAddress, serverPort } = request;
  if (requestId !== undefined) attributes[ATTRIBUTE.JSONRPC_REQUEST_ID] = String(requestId);
  if (protocolVersion !== undefined) attributes[ATTRIBUTE.MCP_PROTOCOL_VERSION] = protocolVersion;
  if (sessionId !== undefined) attributes[ATTRIBUTE.MCP_SESSION_ID] = sessionId;
  if (transport !== undefined) attributes[ATTRIBUTE.NETWORK_TRANSPORT] = transport === "stdio" ? "pipe" : "tcp";
  if (serverAddress !== undefined) attributes[ATTRIBUTE.SERVER_ADDRESS] = serverAddress;
  if (serverPort !== undefined) attributes[ATTRIBUTE.SERVER_PORT] = serverPort;
  const name = toolName === undefined ? method : `${method} ${shortenText(toolName, 128)}`;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, outer);
}

/** The codes of JSON-RPC are negative numbers; an abort has a number too, which says nothing. */
function noteError(span: Span | undefined, error: unknown): void {
  const { code, name } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly name?: unknown;
  };
  if (typeof code === "number" && code < 0) span?.setAttribute(ATTRIBUTE.RPC_RESPONSE_STATUS_CODE, String(code));
  const hasCode = !(error instanceof DOMException) && (typeof code === "number" || typeof code === "string");
  const type = hasCode ? String(code) : name;
  span?.setAttribute(ATTRIBUTE.ERROR_TYPE, typeof type === "string" && type !== "" ? type : VALUE.OTHER);
  span?.setStatus({ code: SpanStatusCode.ERROR });
}

function isFailedResult(result: unknown): boolean {
  try {
    return typeof result === "object" && result !== null && (result as { readonly isError?: unknown }).isError === true;
  } catch {
    return false;
  }
}

function quietly<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
