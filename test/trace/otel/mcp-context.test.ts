// `nestcall/otel`: trace context in MCP's `_meta`, and the span of a request to a server.
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { contextFromMeta, contextOfCall, injectTraceContext, traceMcpRequest } from "nestcall/otel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tool } from "../../helpers/engine.js";
import { readSource } from "../../helpers/source-files.js";
import { parentOf, traced } from "./traced.js";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(() => {
  context.disable();
  propagation.disable();
});

test("what is injected is extracted, state and sampling too; the rest of _meta stays", () => {
  const from = contextFromMeta({ traceparent: TRACEPARENT, tracestate: "a=1,b=2" });
  const meta = Object.freeze({ progressToken: 7 });
  expect(injectTraceContext(meta, from)).toEqual({ progressToken: 7, traceparent: TRACEPARENT, tracestate: "a=1,b=2" });
  expect(trace.getSpanContext(from)).toMatchObject({
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    traceFlags: 1,
    isRemote: true,
  });
  const unsampled = contextFromMeta({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` });
  expect(injectTraceContext(undefined, unsampled)).toEqual({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` });
  expect(injectTraceContext(meta)).toEqual(meta);
  const handedOn = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`, tracestate: "old=1", kept: true };
  expect(injectTraceContext(handedOn, unsampled), "no state of another span").toEqual({
    traceparent: `00-${TRACE_ID}-${SPAN_ID}-00`,
    kept: true,
  });
  expect(injectTraceContext(handedOn), "without a span of one's own it is handed on").toEqual(handedOn);
});

test.each([
  undefined,
  null,
  "text",
  {},
  { traceparent: 5 },
  { traceparent: "" },
  { traceparent: `00-${TRACE_ID}-${SPAN_ID}` },
  { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01-more` },
  { traceparent: `ff-${TRACE_ID}-${SPAN_ID}-01` },
  { traceparent: `00-${"0".repeat(32)}-${SPAN_ID}-01` },
  { traceparent: `00-${TRACE_ID}-${"0".repeat(16)}-01` },
  { traceparent: TRACEPARENT.toUpperCase() },
  Object.defineProperty({}, "traceparent", {
    get() {
      throw new Error("unreadable");
    },
  }),
])("a _meta that tells of no span leaves the context as it is: %j", (meta) => {
  const base = ROOT_CONTEXT.setValue(Symbol("mine"), 1);
  expect(contextFromMeta(meta, base)).toBe(base);
});

test("a later version of traceparent is read by what it has in common", () => {
  const from = contextFromMeta({ traceparent: `01-${TRACE_ID}-${SPAN_ID}-09-more`, tracestate: 5 });
  expect(trace.getSpanContext(from)).toMatchObject({ traceId: TRACE_ID, traceFlags: 1 });
});

test("the propagator that the program has configured is used, and gets texts only; one that throws breaks nothing", () => {
  const KEY = Symbol("own");
  const own: TextMapPropagator = {
    inject: (from, carrier, setter) => setter.set(carrier, "own", String(from.getValue(KEY))),
    extract: (base, carrier, getter) => base.setValue(KEY, [getter.get(carrier, "own"), getter.get(carrier, "number")]),
    fields: () => ["own"],
  };
  propagation.setGlobalPropagator(own);
  expect(injectTraceContext({ a: 1 }, ROOT_CONTEXT.setValue(KEY, "x"))).toEqual({ a: 1, own: "x" });
  expect(contextFromMeta({ own: "y", number: 5 }).getValue(KEY)).toEqual(["y", undefined]);
  propagation.disable();
  const broken = () => {
    throw new Error("broken");
  };
  propagation.setGlobalPropagator({ inject: broken, extract: broken, fields: () => ["x"] });
  expect(injectTraceContext({ a: 1 })).toEqual({ a: 1 });
  expect(contextFromMeta({ traceparent: TRACEPARENT })).toBe(context.active());
});

test("a request to a server is a client span below the tool's, and the server is told of it", async () => {
  const sent: Record<string, unknown>[] = [];
  const request = {
    method: "tools/call",
    toolName: "forecast",
    requestId: 3,
    protocolVersion: "2025-11-25",
    sessionId: "s",
    transport: "http",
    serverAddress: "mcp.example",
    serverPort: 443,
    meta: { progressToken: 1 },
  } as const;
  const own = traced([
    tool("weather", (_args, ctx) =>
      traceMcpRequest(request, (meta) => void sent.push(meta), {
        context: contextOfCall(ctx),
        tracer: own.provider.getTracer("t"),
      }),
    ),
  ]);
  await own.executor.executeTool("weather", {}, { toolCallId: "r" });
  const span = own.spans().find(({ name }) => name === "tools/call forecast");
  if (span === undefined) throw new Error("there is no client span");
  expect(parentOf(span)).toBe(own.spanOf("r").spanContext().spanId);
  expect(span.kind).toBe(SpanKind.CLIENT);
  expect(span.attributes).toEqual({
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "forecast",
    "jsonrpc.request.id": "3",
    "mcp.protocol.version": "2025-11-25",
    "mcp.session.id": "s",
    "network.transport": "tcp",
    "server.address": "mcp.example",
    "server.port": 443,
  });
  const { traceId, spanId } = span.spanContext();
  expect(sent).toEqual([{ progressToken: 1, traceparent: `00-${traceId}-${spanId}-01` }]);

  // The server's side: its root call is below the client's span.
  const server = traced([tool("forecast", () => "rain")]);
  await context.with(contextFromMeta(sent[0]), () => server.executor.executeTool("forecast", {}, { toolCallId: "s" }));
  expect(parentOf(server.spanOf("s"))).toBe(spanId);
  expect(server.spanOf("s").spanContext().traceId).toBe(traceId);
});

test("a request that fails makes its span fail and rejects with the same", async () => {
  const { provider, spans } = traced([]);
  const tracer = provider.getTracer("t");
  const errors = [
    Object.assign(new Error("bad"), { code: -32602 }),
    Object.assign(new Error("x"), { code: "ECONNRESET" }),
    new TypeError("y"),
    AbortSignal.abort().reason as unknown,
    "text",
  ];
  for (const error of errors) {
    const sending = traceMcpRequest({ method: "ping" }, () => Promise.reject(error), { tracer });
    await expect(sending).rejects.toBe(error);
  }
  await traceMcpRequest({ method: "tools/call", toolName: "t" }, () => ({ isError: true }), { tracer });
  const types = spans().map(({ attributes }) => attributes["error.type"]);
  expect(types).toEqual(["-32602", "ECONNRESET", "TypeError", "AbortError", "_OTHER", "tool_error"]);
  expect(spans().every(({ status }) => status.code === SpanStatusCode.ERROR)).toBe(true);
  expect(spans()[0]?.attributes["rpc.response.status_code"]).toBe("-32602");
});

test("a tracer that throws keeps no request from being sent", async () => {
  const tracer = {
    startSpan() {
      throw new Error("broken");
    },
  };
  expect(await traceMcpRequest({ method: "ping" }, () => "pong", { tracer: tracer as never })).toBe("pong");
});

test("2: only this entry pulls in OpenTelemetry, and nothing else of the package pulls in this entry", () => {
  const isOwn = (path: string) => path.startsWith("trace/otel/");
  const others = readSource().filter(({ path }) => !isOwn(path));
  const wrong = others.filter(({ imports }) =>
    imports.some(({ target }) => target.startsWith("@opentelemetry/") || isOwn(target)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
