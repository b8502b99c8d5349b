// `node bench/otel.mjs` after a build: what a nested call costs with spans whose exporter does nothing, beside one without.
// Every round runs every contestant once, in a rotated order; a ratio is taken inside a round, so a busy moment of the
// machine hits both. BENCH_ROUNDS (default 41) sets the number of rounds.
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createExecutor, defineTool, Type } from "nestcall";
import { instrumentExecutor } from "nestcall/otel";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const CALLS = 1_000;
const ROOTS = 5;

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

/** A call that does what most do: a few checked arguments, a promise, a text of some length. */
function contestant(options, isIdle) {
  const input = Type.Object({ path: Type.String(), limit: Type.Integer() }, { additionalProperties: false });
  const text = "a line of text\n".repeat(20);
  const work = defineTool({
    name: "work",
    description: "Works.",
    inputSchema: input,
    effect: "read",
    execute: isIdle
      ? () => text
      : async ({ path }) => {
          await new Promise((resolve) => setImmediate(resolve));
          return path + text;
        },
  });
  const outer = defineTool({
    name: "outer",
    description: "Calls.",
    inputSchema: Type.Object({}),
    effect: "read",
    async execute(_args, ctx) {
      for (let n = 0; n < CALLS; n += 1) await ctx.executeTool(work, { path: "src/index.ts", limit: n });
    },
  });
  const executor = createExecutor({ tools: [work, outer] });
  if (options !== undefined) instrumentExecutor(executor, options);
  return async () => {
    for (let n = 0; n < ROOTS; n += 1) {
      const outcome = await executor.executeTool("outer", {});
      if (outcome.isError) throw new Error(outcome.error.message);
    }
  };
}

for (const [title, isIdle] of [
  ["a nested call that waits one turn of the event loop", false],
  ["a nested call that does nothing", true],
]) {
  const contestants = {
    without: contestant(undefined, isIdle),
    "spans, batches": contestant(spansTo(new BatchSpanProcessor(noExport)), isIdle),
    "spans, one by one": contestant(spansTo(new SimpleSpanProcessor(noExport)), isIdle),
    "spans and metrics": contestant({ ...spansTo(new BatchSpanProcessor(noExport)), ...metricsToo() }, isIdle),
    "not sampled": contestant(
      { tracerProvider: new BasicTracerProvider({ sampler: { shouldSample: () => ({ decision: 0 }) } }) },
      isIdle,
    ),
  };
  const times = await interleaved(contestants);
  console.log(`\n## ${title} (µs, median of ${ROUNDS} rounds; ratio to "without", median of rounds)\n`);
  for (const [name, list] of Object.entries(times)) {
    const ratio = median(list.map((time, round) => time / times.without[round]));
    console.log(
      `${name.padEnd(20)} ${((median(list) * 1000) / (ROOTS * CALLS)).toFixed(2).padStart(8)} ${ratio.toFixed(2).padStart(6)}`,
    );
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
