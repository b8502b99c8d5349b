// `nestcall/otel`: the span of a call, what it is below, how it ends, and what is in it.
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { createExecutor, markTransportFailure, type ToolContext, type ToolExecutionProgressEvent } from "nestcall";
import { contextOfCall, instrumentExecutor, runInCallContext } from "nestcall/otel";
import { createGate } from "nestcall/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OpenCalls } from "../../../src/trace/otel/open-calls.js";
import { caller, closed, eventsOf, tool, untilAborted } from "../../helpers/engine.js";
import { parentOf, traced } from "./traced.js";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(() => {
  context.disable();
  vi.restoreAllMocks();
});

test("a call is a span with the names of the conventions, a nested call one below it", async () => {
  const { executor, spanOf, spans } = traced([caller("outer", [["inner", { n: 1 }]]), tool("inner", () => "x")]);
  await executor.executeTool("outer", {}, { toolCallId: "r" });
  expect(spans().map(({ name }) => name)).toEqual(["execute_tool inner", "execute_tool outer"]);
  const [outer, inner] = [spanOf("r"), spanOf("r/1")];
  expect(parentOf(outer)).toBeUndefined();
  expect(parentOf(inner)).toBe(outer.spanContext().spanId);
  expect(inner.spanContext().traceId).toBe(outer.spanContext().traceId);
  expect(inner.kind).toBe(SpanKind.INTERNAL);
  expect(inner.status.code).toBe(SpanStatusCode.UNSET);
  expect(inner.instrumentationScope.name).toBe("nestcall");
  expect(inner.attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "inner",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": "r/1",
    "nestcall.depth": 1,
    "nestcall.arguments.bytes": 7,
    "nestcall.status": "ok",
    "nestcall.execute_ms": expect.any(Number),
  });
});

test("a failed, a blocked, an unknown and a timed-out call are failed spans with the code as error.type", async () => {
  const { executor, spanOf } = traced([
    caller("outer", [
      ["fails"],
      ["data"],
      ["server"],
      ["guarded"],
      ["no_such_tool"],
      ["strict", { wrong: 1 }],
      ["slow"],
    ]),
    tool("fails", () => Promise.reject(new Error("secret text"))),
    tool("data", () => ({ content: [{ type: "text", text: "secret data" }], isError: true })),
    tool("server", () => Promise.reject(markTransportFailure(new Error("gone")))),
    tool("guarded", () => "never"),
    tool("strict", () => "never", { inputSchema: closed({}) }),
    tool("slow", (_args, ctx) => untilAborted(ctx.signal), { timeoutMs: 5 }),
  ]);
  executor.on("tool_call", ({ toolName }) => ({ block: toolName === "guarded", reason: "not today" }));
  await executor.executeTool("outer", {}, { toolCallId: "r" });
  const codes = [
    "TOOL_FAILED",
    "TOOL_FAILED",
    "TRANSPORT_FAILED",
    "BLOCKED",
    "UNKNOWN_TOOL",
    "INVALID_ARGUMENTS",
    "TIMEOUT",
  ];
  for (const [index, code] of codes.entries()) {
    const { attributes, status } = spanOf(`r/${index + 1}`);
    expect([attributes["error.type"], attributes["nestcall.status"]]).toEqual([code, "error"]);
    expect(status, "the text of an error is what the tool gave").toEqual({ code: SpanStatusCode.ERROR });
  }
  expect(spanOf("r").status.code).toBe(SpanStatusCode.UNSET);
});

test("an aborted call, and one that its caller left behind, end as aborted", async () => {
  const started = createGate();
  const { executor, spanOf } = traced([
    tool("outer", async (_args, ctx) => {
      void ctx.executeTool("waits", {});
      started.open();
      await untilAborted(ctx.signal);
    }),
    tool("forgets", (_args, ctx) => void ctx.executeTool("waits", {})),
    tool("waits", (_args, ctx) => untilAborted(ctx.signal)),
  ]);
  const controller = new AbortController();
  const call = executor.executeTool("outer", {}, { toolCallId: "a", signal: controller.signal });
  await started.promise;
  controller.abort();
  await call;
  const outcome = await executor.executeTool("forgets", {}, { toolCallId: "b" });
  for (const id of ["a", "a/1", "b/1"]) {
    expect(spanOf(id).attributes).toMatchObject({ "nestcall.status": "aborted", "error.type": "ABORTED" });
    expect(spanOf(id).status.code).toBe(SpanStatusCode.ERROR);
  }
  expect(outcome.status).toBe("ok");
  expect(spanOf("b").attributes["nestcall.status"]).toBe("ok");
});

test("a root call is below the span that is active where it is made, a batch's calls too", async () => {
  const { executor, provider, spanOf } = traced([tool("one", () => "x")]);
  const host = provider.getTracer("host").startSpan("chat");
  await context.with(trace.setSpan(context.active(), host), async () => {
    await executor.executeTool("one", {}, { toolCallId: "a" });
    await executor.executeBatch([{ id: "b", name: "one" }], { toolExecution: "sequential" });
    await executor.executeBatch([{ id: "c", name: "one" }]);
  });
  await executor.executeTool("one", {}, { toolCallId: "d" });
  for (const id of ["a", "b", "c"]) expect(parentOf(spanOf(id))).toBe(host.spanContext().spanId);
  expect(parentOf(spanOf("d"))).toBeUndefined();
});

test("a fixed traceparent is the parent where no span is active", async () => {
  const { executor, provider, spanOf } = traced([caller("outer", [["one"]]), tool("one", () => "x")], {
    parent: TRACEPARENT,
  });
  await executor.executeTool("outer", {}, { toolCallId: "a" });
  const host = provider.getTracer("host").startSpan("chat");
  await context.with(trace.setSpan(ROOT_CONTEXT, host), () => executor.executeTool("one", {}, { toolCallId: "b" }));
  expect(spanOf("a").parentSpanContext).toMatchObject({ spanId: "b7ad6b7169203331", isRemote: true });
  expect(spanOf("a/1").spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(parentOf(spanOf("b"))).toBe(host.spanContext().spanId);
});

test("a function tells the parent of each root call: a text, a _meta, a context; the active span is linked", async () => {
  const remote = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
  const answers: Record<string, unknown> = {
    text: TRACEPARENT,
    meta: { traceparent: TRACEPARENT, tracestate: "vendor=1", other: 7 },
    own: trace.setSpanContext(ROOT_CONTEXT, remote),
    wrong: "00-nothing",
  };
  const { executor, provider, spanOf } = traced([tool("one", () => "x")], {
    parent: ({ toolCallId, toolName }) => (toolName === "one" ? answers[toolCallId] : undefined) as string,
  });
  const host = provider.getTracer("host").startSpan("chat");
  const ids = ["text", "meta", "own", "wrong", "none"];
  await context.with(trace.setSpan(ROOT_CONTEXT, host), async () => {
    for (const toolCallId of ids) await executor.executeTool("one", {}, { toolCallId });
  });
  const active = host.spanContext().spanId;
  expect(ids.map((id) => parentOf(spanOf(id)))).toEqual([
    "b7ad6b7169203331",
    "b7ad6b7169203331",
    "2".repeat(16),
    active,
    active,
  ]);
  expect(spanOf("meta").spanContext().traceState?.get("vendor")).toBe("1");
  expect(ids.map((id) => spanOf(id).links.map((link) => link.context.spanId))).toEqual([
    [active],
    [active],
    [active],
    [],
    [],
  ]);
});

test("waits are events of the span: its turn, files, the lane, a person; paths with the arguments only", async () => {
  for (const captureArguments of [false, true]) {
    const gate = createGate();
    const allWait = createGate();
    const { executor, spanOf } = traced(
      [
        tool("edit", () => gate.promise, { mutates: () => ["/notes.md"] }),
        tool("alone", () => gate.promise, { executionMode: "sequential" }),
        tool("ask", () => gate.promise),
        tool("outer", async (_args, ctx) => {
          const calls = ["edit", "edit", "alone", "alone", "ask", "edit"].map((name) => ctx.executeTool(name, {}));
          await allWait.promise;
          gate.open();
          await Promise.all(calls);
        }),
      ],
      { captureArguments },
      { limits: { maxConcurrency: 5 } },
    );
    executor.on("tool_call", (event) => {
      if (event.toolName === "ask") event.reportWait("approval");
    });
    let waits = 0;
    executor.on("tool_execution_wait", () => {
      waits += 1;
      if (waits === 4) allWait.open();
    });
    await executor.executeTool("outer", {}, { toolCallId: "r" });
    const waitsOf = (id: string) => spanOf(id).events.map(({ name, attributes }) => ({ name, ...attributes }));
    const [files, lane, person, ownTurn] = [2, 4, 5, 6].map((n) => waitsOf(`r/${n}`)[0]);
    expect(files).toEqual({
      name: "nestcall.wait",
      "nestcall.wait.reason": "files",
      "nestcall.wait.held_by": "r/1",
      ...(captureArguments ? { "nestcall.wait.paths": ["/notes.md"] } : {}),
    });
    expect(lane).toEqual({ name: "nestcall.wait", "nestcall.wait.reason": "lane", "nestcall.wait.held_by": "r/3" });
    expect(person).toMatchObject({ "nestcall.wait.reason": "approval" });
    expect(ownTurn).toMatchObject({ "nestcall.wait.reason": "concurrency" });
    expect(waitsOf("r/1")).toEqual([]);
    expect(spanOf("r/2").attributes["nestcall.wait_ms"]).toBeGreaterThan(0);
    expect(spanOf("r/1").attributes).not.toHaveProperty("nestcall.wait_ms");
  }
});

test("arguments, results and texts of errors are carried when asked for, through redact, within a bound", async () => {
  const tools = [
    tool("text", () => ({ content: [{ type: "text", text: "token abc" }] })),
    tool("data", () => ({ content: [], structuredContent: { token: "abc" } })),
    tool("fails", () => Promise.reject(new Error(`token abc ${"x".repeat(600)}`))),
    tool("large", () => ({ content: [{ type: "text", text: "y".repeat(100) }], structuredContent: "z".repeat(49) })),
  ];
  const redact = (text: string) => text.replaceAll("abc", "***");
  const all = { captureArguments: true, captureResults: true, maxCaptureSize: 50 };
  const { executor, spanOf } = traced(tools, all, { redact });
  for (const name of ["text", "data", "fails"]) await executor.executeTool(name, { key: "abc" }, { toolCallId: name });
  await executor.executeTool("large", { key: "z".repeat(50) }, { toolCallId: "large" });
  expect(spanOf("text").attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"key":"***"}',
    "gen_ai.tool.call.result": "token ***",
  });
  expect(spanOf("data").attributes["gen_ai.tool.call.result"]).toBe('{"token":"***"}');
  expect(spanOf("fails").attributes).not.toHaveProperty("gen_ai.tool.call.result");
  expect(spanOf("fails").status.message).toMatch(/^token \*\*\* x+…$/);
  expect(spanOf("fails").status.message).toHaveLength(500);
  expect(spanOf("large").attributes).not.toHaveProperty("gen_ai.tool.call.arguments");
  expect(spanOf("large").attributes["nestcall.arguments.bytes"]).toBe(60);
  expect(spanOf("large").attributes["gen_ai.tool.call.result"]).toBe(`${"y".repeat(49)}…`);
});

test("data without a JSON form is carried as its text", async () => {
  const odd = tool("odd", () => ({ content: [{ type: "text", text: "as text" }], structuredContent: { n: 1n } }));
  const { executor, spanOf } = traced([odd], { captureResults: true });
  await executor.executeTool("odd", {}, { toolCallId: "r" });
  expect(spanOf("r").attributes["gen_ai.tool.call.result"]).toBe("as text");
});

test("nothing that a tool got or gave is in a span unless it is asked for", async () => {
  const { executor, spans } = traced([
    tool("leaks", () => "secret"),
    tool("fails", () => Promise.reject(new Error("secret"))),
  ]);
  await executor.executeTool("leaks", { key: "secret" });
  await executor.executeTool("fails", { key: "secret" });
  const shown = spans().map(({ attributes, status, events, name }) => ({ attributes, status, events, name }));
  expect(JSON.stringify(shown)).not.toContain("secret");
});

test("spans that a tool makes in its call's context are below its span, whichever of two executors it is in", async () => {
  const contexts: ToolContext[] = [];
  const make = () => {
    const gate = createGate();
    const own = traced([
      tool("one", async (_args, ctx) => {
        contexts.push(ctx);
        await gate.promise;
        runInCallContext(ctx, () => own.provider.getTracer("http").startSpan("GET").end());
      }),
    ]);
    return { own, gate };
  };
  const [first, second] = [make(), make()];
  const calls = [first, second].map(({ own }) => own.executor.executeTool("one", {}, { toolCallId: "same" }));
  first.gate.open();
  second.gate.open();
  await Promise.all(calls);
  for (const { own } of [first, second]) {
    const request = own.spans().find(({ name }) => name === "GET");
    expect(request && parentOf(request)).toBe(own.spanOf("same").spanContext().spanId);
  }
  const [ended] = contexts as [ToolContext];
  expect(trace.getSpan(contextOfCall(ended)), "the call has ended").toBeUndefined();
});

test("taken away, it ends open spans as unfinished and hears nothing more", async () => {
  const gate = createGate();
  const started = createGate();
  const { executor, spans, spanOf, remove, points } = traced([
    tool("outer", async (_args, ctx) => {
      const inner = ctx.executeTool("inner", {});
      started.open();
      await inner;
    }),
    tool("inner", () => gate.promise),
  ]);
  const call = executor.executeTool("outer", {}, { toolCallId: "r" });
  await started.promise;
  remove();
  remove();
  expect(spans().map(({ attributes }) => attributes["nestcall.status"])).toEqual(["unfinished", "unfinished"]);
  expect(
    spans().map(({ name }) => name),
    "the inner one ends first",
  ).toEqual(["execute_tool inner", "execute_tool outer"]);
  expect(spanOf("r").status.code).toBe(SpanStatusCode.UNSET);
  gate.open();
  expect((await call).status).toBe("ok");
  await executor.executeTool("inner", {});
  expect(spans()).toHaveLength(2);
  expect(await points("nestcall.calls.open")).toEqual([{ attributes: {}, value: 0 }]);
});

test("by default the global provider makes the spans, also one that comes later; without one nothing happens", async () => {
  const { provider, exporter } = traced([]);
  const executor = createExecutor({ tools: [tool("one", () => "x")] });
  instrumentExecutor(executor);
  expect((await executor.executeTool("one", {})).status).toBe("ok");
  trace.setGlobalTracerProvider(provider);
  try {
    await executor.executeTool("one", {});
  } finally {
    trace.disable();
  }
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["execute_tool one"]);
});

test("put on while a call runs, it takes the calls below as they come", async () => {
  const gate = createGate();
  const executor = createExecutor({
    tools: [
      tool("outer", async (_args, ctx) => {
        await gate.promise;
        await ctx.executeTool("inner", {});
      }),
      tool("inner", () => "x"),
    ],
  });
  const call = executor.executeTool("outer", {}, { toolCallId: "r" });
  const { provider, exporter } = traced([]);
  instrumentExecutor(executor, { tracerProvider: provider });
  gate.open();
  await call;
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["execute_tool inner"]);
});

test("S2: two open root calls with one id are two spans, and nothing of them is kept", async () => {
  const gates = { first: createGate(), second: createGate() };
  const { executor, spans } = traced([
    tool("first", () => gates.first.promise),
    tool("second", (_args, ctx) => gates.second.promise.then(() => ctx.executeTool("third", {}))),
    tool("third", () => "x"),
  ]);
  const first = executor.executeTool("first", {}, { toolCallId: "same" });
  const second = executor.executeTool("second", {}, { toolCallId: "same" });
  gates.first.open();
  await first;
  expect(spans().map(({ name }) => name)).toEqual(["execute_tool first"]);
  gates.second.open();
  await second;
  expect(spans().map(({ name }) => name)).toEqual(["execute_tool first", "execute_tool third", "execute_tool second"]);
  const [, third, last] = spans();
  expect(third && parentOf(third)).toBe(last?.spanContext().spanId);
});

test("S2: of twins with one name the later ends first, and none is left", () => {
  const calls = new OpenCalls();
  const twins = [1, 2, 3].map((n) => ({ toolName: "t", n, twin: undefined }));
  for (const twin of twins) calls.add("same", twin as never);
  expect([1, 2, 3, 4].map(() => (calls.take("same", "t") as { n?: number } | undefined)?.n)).toEqual([
    3,
    2,
    1,
    undefined,
  ]);
  for (const [index, twin] of twins.entries()) calls.add("same", { ...twin, toolName: `t${index}` } as never);
  expect(["t1", "t9", "t0"].map((name) => calls.take("same", name)?.toolName)).toEqual(["t1", "t2", "t0"]);
  expect(calls.size).toBe(0);
});

test("H6: a tracer and a meter that throw change no outcome, are told once, and keep nobody else from hearing", async () => {
  const broken = () => {
    throw new Error("the tracer is broken");
  };
  const meter = {
    createHistogram: () => ({ record: broken }),
    createCounter: () => ({ add: broken }),
    createUpDownCounter: () => ({ add: broken }),
  };
  const tools = [caller("outer", [["inner"], ["inner"]]), tool("inner", () => "x")];
  const executor = createExecutor({ tools });
  const plain = createExecutor({ tools });
  instrumentExecutor(executor, { tracer: { startSpan: broken } as never, meter: meter as never, parent: broken });
  const errors: unknown[] = [];
  executor.on("observer_error", ({ error }) => errors.push(error));
  const heard = [eventsOf(executor), eventsOf(plain)] as const;
  const outcomes = [executor, plain].map((each) => each.executeTool("outer", {}, { toolCallId: "r" }));
  const [outcome, wanted] = await Promise.all(outcomes);
  const endOf = (end: unknown) => JSON.parse(JSON.stringify(end, (key, value) => (key === "durationMs" ? 0 : value)));
  expect(endOf(outcome)).toEqual(endOf(wanted));
  const types = (events: readonly ToolExecutionProgressEvent[]) => events.map(({ type }) => type);
  expect(types(heard[0])).toEqual(types(heard[1]));
  expect(errors).toEqual([new Error("the tracer is broken")]);
});

test("H6: without a handler the console hears of it once; a span that fails at its end is one of them", async () => {
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => {});
  const { executor, remove, provider } = traced([tool("one", () => "x")]);
  remove();
  const tracer = provider.getTracer("nestcall");
  const startSpan = (...args: Parameters<typeof tracer.startSpan>) =>
    Object.assign(tracer.startSpan(...args), {
      end: () => {
        throw new Error("no end");
      },
    });
  const stop = instrumentExecutor(executor, { tracer: { startSpan } as never });
  for (let n = 0; n < 3; n += 1) expect((await executor.executeTool("one", {})).status).toBe("ok");
  stop();
  expect(consoleError).toHaveBeenCalledTimes(1);
});

test("a name that a model made up is cut in the span", async () => {
  const { executor, spans } = traced([]);
  await executor.executeTool("n".repeat(5000), {});
  expect(spans()[0]?.name).toHaveLength("execute_tool ".length + 128);
});

test("wrong options are refused with what is wanted", () => {
  const executor = createExecutor();
  const options: [object, RegExp][] = [
    [{ tracer: {} }, /options\.tracer must be an OpenTelemetry Tracer/],
    [{ tracerProvider: 1 }, /options\.tracerProvider must be/],
    [{ meter: null }, /options\.meter must be/],
    [{ meterProvider: {} }, /options\.meterProvider must be/],
    [{ parent: 5 }, /options\.parent must be/],
    [{ captureArguments: "yes" }, /options\.captureArguments must be true or false, not the string "yes"/],
    [{ maxCaptureSize: 0 }, /options\.maxCaptureSize must be/],
    [{ traceparent: TRACEPARENT }, /an object of tracer, /],
  ];
  for (const [wrong, message] of options) {
    expect(() => instrumentExecutor(executor, wrong as never)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(message) as string }),
    );
  }
  expect(() => instrumentExecutor({} as never)).toThrow(/takes an executor/);
});
