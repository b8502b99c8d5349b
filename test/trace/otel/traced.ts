// An instrumented executor whose spans and metrics stay in memory.
import type { MeterProvider as AnyMeterProvider } from "@opentelemetry/api";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createExecutor, type Executor, type Tool } from "nestcall";
import { type InstrumentOptions, instrumentExecutor } from "nestcall/otel";

type ExecutorOptions = Parameters<typeof createExecutor>[0];
export interface Traced {
  readonly executor: Executor;
  readonly exporter: InMemorySpanExporter;
  readonly provider: BasicTracerProvider;
  readonly remove: () => void;
  /** The span of a call; fails when there is none, or more than one. */
  spanOf(toolCallId: string): ReadableSpan;
  spans(): ReadableSpan[];
  /** Points of a metric: its attributes, and the value, or how many values were recorded. */
  points(metric: string): Promise<{ attributes: Record<string, unknown>; value: number; sum?: number }[]>;
}

class Reader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

export function traced(
  tools: readonly Tool[],
  options: InstrumentOptions = {},
  executorOptions: ExecutorOptions = {},
): Traced {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const reader = new Reader();
  const meterProvider = new MeterProvider({ readers: [reader] }) as AnyMeterProvider;
  const executor = createExecutor({ tools, ...executorOptions });
  const remove = instrumentExecutor(executor, { tracerProvider: provider, meterProvider, ...options });
  const spans = () => exporter.getFinishedSpans();
  return {
    executor,
    exporter,
    provider,
    remove,
    spans,
    spanOf(toolCallId) {
      const found = spans().filter(({ attributes }) => attributes["gen_ai.tool.call.id"] === toolCallId);
      if (found.length !== 1) throw new Error(`${found.length} spans for ${toolCallId}`);
      return found[0] as ReadableSpan;
    },
    async points(metric) {
      const { resourceMetrics } = await reader.collect();
      const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      const points = metrics.find(({ descriptor }) => descriptor.name === metric)?.dataPoints ?? [];
      return points.map(({ attributes, value }) =>
        typeof value === "number"
          ? { attributes, value }
          : { attributes, value: value.count as number, sum: value.sum as number },
      );
    },
  };
}

/** The id of the span above. */
export function parentOf(span: ReadableSpan): string | undefined {
  return span.parentSpanContext?.spanId;
}
