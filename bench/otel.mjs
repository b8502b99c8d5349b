// `node bench/otel.mjs` after a build: what a nested call costs with spans whose exporter does nothing, beside one without.
// "limit: bare spans" is what the SDK itself takes: a span without attributes, begun and ended at the events of the call.
// Every round runs every contestant once, in a rotated order; a ratio is taken inside a round, so a busy moment of the
// machine hits both. BENCH_ROUNDS (default 41) sets the number of rounds.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createExecutor, defineTool, Type } from "nestcall";
import { instrumentExecutor } from "nestcall/otel";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const NEVER = { shouldSample: () => ({ decision: 0 }) };

const noExport = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
  forceFlush: () => Promise.resolve(),
};
class NoReader extends MetricReader {
  onForceFlush() {
    return Promise.resolve();
  }
  onShutdown() {
    return Promise.resolve();
  }
}
const spansTo = (processor) => ({ tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }) });
const metricsToo = () => ({ meterProvider: new MeterProvider({ readers: [new NoReader()] }) });

const instrumented = (options) => (executor) => instrumentExecutor(executor, options);
function bareSpans(executor) {
  const tracer = spansTo(new BatchSpanProcessor(noExport)).tracerProvider.getTracer("bare");
  const open = new Map();
  executor.subscribe((event) => {
    if (event.type === "tool_execution_start") {
      const outer = open.get(event.parentToolCallId)?.inner ?? ROOT_CONTEXT;
      const span = tracer.startSpan("execute_tool", undefined, outer);
      open.set(event.toolCallId, { span, inner: event.depth === 0 ? trace.setSpan(outer, span) : undefined });
    } else if (event.type === "tool_execution_end") {
      open.get(event.toolCallId).span.end();
      open.delete(event.toolCallId);
    }
  });
}

/** A root call makes `calls` nested ones, one after another. */
function contestant(listen, execute, calls) {
  const inputSchema = Type.Object({ path: Type.String(), limit: Type.Integer() }, { additionalProperties: false });
  const work = defineTool({ name: "work", description: "Works.", inputSchema, effect: "read", execute });
  const outer = defineTool({
    name: "outer",
    description: "Calls.",
    inputSchema: Type.Object({}),
    effect: "read",
    async execute(_args, ctx) {
      for (let n = 0; n < calls; n += 1) await ctx.executeTool(work, { path: "src/index.ts", limit: n });
    },
  });
  const executor = createExecutor({ tools: [work, outer] });
  listen(executor);
  return async () => {
    const outcome = await executor.executeTool("outer", {});
    if (outcome.isError) throw new Error(outcome.error.message);
  };
}

const text = "a line of text\n".repeat(20);
const file = fileURLToPath(new URL("../package.json", import.meta.url));
const kinds = {
  "a call that reads a small file": [200, async () => readFile(file, "utf8")],
  "a call that waits one turn of the event loop": [2_000, () => new Promise((done) => setImmediate(done, text))],
  "a call that does nothing": [2_000, () => text],
};
for (const [title, [calls, execute]] of Object.entries(kinds)) {
  const times = await interleaved({
    without: contestant(() => {}, execute, calls),
    "limit: bare spans": contestant(bareSpans, execute, calls),
    spans: contestant(instrumented(spansTo(new BatchSpanProcessor(noExport))), execute, calls),
    "spans, not in batches": contestant(instrumented(spansTo(new SimpleSpanProcessor(noExport))), execute, calls),
    "spans and metrics": contestant(
      instrumented({ ...spansTo(new BatchSpanProcessor(noExport)), ...metricsToo() }),
      execute,
      calls,
    ),
    "not sampled": contestant(
      instrumented({ tracerProvider: new BasicTracerProvider({ sampler: NEVER }) }),
      execute,
      calls,
    ),
  });
  console.log(`\n## ${title} (µs: least and median of ${ROUNDS} rounds; median of the ratios to "without")\n`);
  for (const [name, list] of Object.entries(times)) {
    const [least, middle] = [Math.min(...list), median(list)].map((ms) => ((ms * 1000) / calls).toFixed(2).padStart(9));
    const ratio = median(list.map((ms, round) => ms / times.without[round]))
      .toFixed(2)
      .padStart(7);
    console.log(`${name.padEnd(22)}${least}${middle}${ratio}`);
  }
}

async function interleaved(contestants) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await contestants[name]();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round) % names.length];
      const began = performance.now();
      await contestants[name]();
      times[name].push(performance.now() - began);
    }
  }
  return times;
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}
