// How requests of MCP are told to a tracer. The tracer is given from outside (`mcpTracing` of nestcall/otel makes one), and
// nothing it does changes what is sent or answered.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { ToolContext } from "../../tools/tool.js";
import type { McpServerEntry } from "./mcp-config.js";

/** A request to a server, before it is sent. */
export interface McpTracedRequest {
  readonly method: "tools/call";
  /** As the server knows it. */
  readonly toolName: string;
  readonly transport: "stdio" | "http";
  /** Of an HTTP server: the name of its host, and its port. */
  readonly serverAddress?: string;
  readonly serverPort?: number;
}

/** What a tool got as its second argument: tells which call the request is made for. */
export type McpTracedCall = Pick<ToolContext, "session" | "toolCallId">;

export interface McpTracing {
  /**
   * Around a request to a server. Calls `send` at once, with the `_meta` that the request shall have; it is sent once, whatever
   * happens here.
   */
  request<T>(
    request: McpTracedRequest,
    call: McpTracedCall,
    send: (meta: Readonly<Record<string, unknown>>) => Promise<T>,
  ): unknown;
  /** Around the beginning of a call that a client asked for with this `_meta`. Calls `run` at once. */
  serve(meta: unknown, run: () => void): unknown;
}

/** @throws NestcallError `INVALID_ARGUMENTS` for what is no tracing. */
export function checkTracing(where: string, tracing: unknown): void {
  if (tracing === undefined) return;
  const { request, serve } = (tracing ?? {}) as Partial<McpTracing>;
  if (typeof request === "function" && typeof serve === "function") return;
  const message = `${where}: options.tracing must be what mcpTracing of nestcall/otel gives, not ${describeValue(tracing)}.`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

/** A call of a tool of this server, as a tracer hears of it. */
export function tracedCall(entry: McpServerEntry, toolName: string): McpTracedRequest {
  const request = { method: "tools/call", toolName, transport: entry.transport } as const;
  if (entry.transport === "stdio" || !URL.canParse(entry.url)) return request;
  const { hostname, port, protocol } = new URL(entry.url);
  return { ...request, serverAddress: hostname, serverPort: Number(port) || (protocol === "https:" ? 443 : 80) };
}

/** Sends a request, once, inside whatever the tracer makes of it. @throws What `send` throws. */
export function sendTraced<T>(
  tracing: McpTracing | undefined,
  request: McpTracedRequest,
  call: McpTracedCall,
  send: (meta: Readonly<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return send({});
  let sent: Promise<T> | undefined;
  const once = (meta: Readonly<Record<string, unknown>> = {}) => {
    sent ??= send(meta);
    return sent;
  };
  quietly(() => tracing.request(request, call, once));
  return once();
}

/** Begins what a client asked for, once, inside the client's own trace. @throws What `run` throws. */
export function runServed<T>(tracing: McpTracing | undefined, meta: unknown, run: () => T): T {
  if (tracing === undefined) return run();
  let end: (() => T) | undefined;
  const once = () => {
    if (end === undefined) end = endOf(run);
  };
  quietly(() => tracing.serve(meta, once));
  once();
  return (end as unknown as () => T)(); // it has run
}

function endOf<T>(run: () => T): () => T {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** What a tracer throws, or rejects with, is nobody's affair: what was sent tells of itself. */
function quietly(step: () => unknown): void {
  try {
    Promise.resolve(step()).catch(() => {});
  } catch {
    // see above
  }
}
