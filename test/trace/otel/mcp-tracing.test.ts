// Traces through MCP: from a client's `_meta` over the served executor's spans to the `_meta` that the next server gets.
import { context, SpanStatusCode } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { McpTracing } from "nestcall/mcp";
import { mcpTracing } from "nestcall/otel";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { at, textOf } from "../../helpers/engine.js";
import { connect, raw } from "../../hosts/mcp/connect.js";
import { answerText, conductor, ERAS, served } from "../../hosts/mcp/serve/served.js";
import { parentOf, traced } from "./traced.js";

vi.setConfig({ testTimeout: 30_000 });

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const idOf = (number: number) => number.toString(16).padStart(16, "0");
const traceparent = (spanId: string, traceId = TRACE_ID) => `00-${traceId}-${spanId}-01`;
const listed = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });
const server = () => raw({ tools: ["meta", "crash", "hang", "is-error"].map(listed) });

beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(() => context.disable());

/** An instrumented executor with the tools of a server, and its tracing. */
async function world() {
  const own = traced([conductor()]);
  const tracing = mcpTracing({ tracer: own.provider.getTracer("test") });
  const { connection } = connect({ s: server() }, { executor: own.executor, tracing });
  await connection.ready();
  const named = (name: string) => own.spans().filter((span) => span.name === name);
  return { ...own, tracing, named };
}

test.each(ERAS)(
  "%s: a hundred calls at once: client, root call, nested call, request and server are one trace each",
  async (era) => {
    const { executor, tracing, spans } = await world();
    const { client } = await served(executor, { era, tracing });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        client.callTool({
          name: "conduct",
          arguments: { calls: [["mcp__s__meta", {}]] },
          _meta: { traceparent: traceparent(idOf(index + 1), index.toString(16).padStart(32, "a")) },
        }),
      ),
    );
    const byId = new Map<string, ReadableSpan>(spans().map((span) => [span.spanContext().spanId, span]));
    for (const [index, answer] of answers.entries()) {
      const text = answerText(answer as never).replace(/^ok: /, "");
      const { traceparent: sent = "" } = JSON.parse(text) as { readonly traceparent?: string };
      const request = byId.get(sent.split("-")[2] ?? "");
      const nested = byId.get((request && parentOf(request)) ?? "");
      const root = byId.get((nested && parentOf(nested)) ?? "");
      expect([request, nested, root].map((span) => span?.name)).toEqual([
        "tools/call meta",
        "execute_tool mcp__s__meta",
        "execute_tool conduct",
      ]);
      expect(root?.parentSpanContext).toMatchObject({ spanId: idOf(index + 1), isRemote: true });
      const traces = [request, nested, root].map((span) => span?.spanContext().traceId);
      expect(new Set([...traces, sent.split("-")[1]])).toEqual(new Set([index.toString(16).padStart(32, "a")]));
    }
  },
);

test("without tracing no request tells of a trace; progress still comes with it", async () => {
  const plain = connect({ s: server() });
  await plain.connection.ready();
  const { result } = await plain.executor.executeTool("mcp__s__meta", {});
  expect(JSON.parse(textOf({ result }))).not.toHaveProperty("traceparent");
  const { executor } = await world();
  const outcome = await executor.executeTool("mcp__s__meta", {});
  expect(Object.keys(JSON.parse(textOf(outcome)) as object).toSorted()).toEqual(["progressToken", "traceparent"]);
});

test("requests that fail, die or are aborted are failed spans", async () => {
  const { executor, named } = await world();
  await executor.executeTool("mcp__s__is-error", {});
  await executor.executeTool("mcp__s__hang", {}, { timeoutMs: 50 });
  await executor.executeTool("mcp__s__crash", {});
  for (const tool of ["is-error", "hang", "crash"]) {
    const span = at(named(`tools/call ${tool}`), 0);
    expect([tool, span.status.code, span.ended]).toEqual([tool, SpanStatusCode.ERROR, true]);
  }
  expect(at(named("tools/call is-error"), 0).attributes).toMatchObject({
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "is-error",
    "network.transport": "pipe",
    "error.type": "tool_error",
  });
});

test("a tracing that throws, rejects, never calls or calls late changes nothing, and each request is sent once", async () => {
  const late: (() => unknown)[] = [];
  const broken: McpTracing[] = [
    { request: () => Promise.reject(new Error("no")), serve: () => Promise.reject(new Error("no")) },
    {
      request: () => {
        throw new Error("no");
      },
      serve: () => {
        throw new Error("no");
      },
    },
    {
      request: (_request, _call, send) => void late.push(() => send({ late: true })),
      serve: (_meta, run) => void late.push(run),
    },
    {
      request: (_request, _call, send) => {
        void send({ first: true });
        void send({ second: true });
        throw new Error("no");
      },
      serve: (_meta, run) => {
        run();
        run();
        throw new Error("no");
      },
    },
  ];
  for (const [index, tracing] of broken.entries()) {
    const { executor } = traced([conductor()]);
    const { connection } = connect({ s: server() }, { executor, tracing });
    await connection.ready();
    const started = vi.fn();
    executor.on("tool_execution_start", started);
    const { client } = await served(executor, { tracing });
    const text = answerText(await client.call("conduct", { calls: [["mcp__s__meta", {}]] }));
    for (const run of late.splice(0)) await run();
    const meta = JSON.parse(text.replace(/^ok: /, "")) as object;
    expect(Object.keys(meta).toSorted()).toEqual(index === 3 ? ["first", "progressToken"] : ["progressToken"]);
    expect(started).toHaveBeenCalledTimes(2);
  }
});

test("what is no tracing is refused, with what is wanted", async () => {
  const wrong = { request: 1 } as never;
  const message = /options\.tracing must be what mcpTracing of nestcall\/otel gives/;
  expect(() => connect({ s: server() }, { tracing: wrong })).toThrow(message);
  const { executor } = traced([]);
  await expect(served(executor, { tracing: wrong })).rejects.toThrow(message);
});
