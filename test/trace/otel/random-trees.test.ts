// `nestcall/otel`: 100 made-up trees at once. Every call is one span, below the span of its caller, in its root's trace.
import { SpanStatusCode } from "@opentelemetry/api";
import type { Tool, ToolContext, ToolExecutionEndEvent } from "nestcall";
import { turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { tool, untilAborted } from "../../helpers/engine.js";
import { createRandom, forEachSeed, type Random, seedOfThisRun } from "../../helpers/random.js";
import { parentOf, traced } from "./traced.js";

interface Plan {
  readonly calls: readonly Plan[];
  readonly name: string;
  /** How the calls are made: one after another, together, or the last one is left alone. */
  readonly mode: "awaited" | "joined" | "left";
  /** Turns of the event loop before the calls and after them. */
  readonly turns: readonly [number, number];
  readonly ending: "text" | "throw" | "failed" | "until aborted";
  readonly isAborted: boolean;
}

const TOOLS = ["plain", "edit", "alone", "guarded", "no_such_tool"] as const;

function makePlan(random: Random, depth = 0): Plan {
  const width = depth > 4 ? 0 : random.between(depth === 0 ? 1 : 0, 3);
  const isAborted = random.chance(0.1);
  return {
    calls: Array.from({ length: width }, () => makePlan(random, depth + 1)),
    name: depth === 0 ? "plain" : random.pick(TOOLS),
    mode: random.pick(["awaited", "joined", "left"]),
    turns: [random.between(0, 3), random.between(0, 3)],
    ending: isAborted ? "until aborted" : random.weighted({ text: 6, throw: 2, failed: 1 }),
    isAborted,
  };
}

async function run(plan: Plan, ctx: ToolContext): Promise<unknown> {
  for (let n = 0; n < plan.turns[0]; n += 1) await turn();
  const open: Promise<unknown>[] = [];
  for (const child of plan.calls) {
    const call = callOf(child, ctx);
    if (plan.mode === "awaited") await call;
    open.push(call);
  }
  for (let n = 0; n < plan.turns[1]; n += 1) await turn();
  if (plan.mode !== "left") await Promise.all(open);
  if (plan.ending === "throw") throw new Error("planned");
  if (plan.ending === "until aborted") return await untilAborted(ctx.signal);
  return { content: [], isError: plan.ending === "failed" };
}

function callOf(plan: Plan, ctx: ToolContext): Promise<unknown> {
  const controller = new AbortController();
  if (plan.isAborted) void turn().then(() => controller.abort());
  return ctx.executeTool(plan.name, { plan }, { signal: controller.signal });
}

function makeTools(): Tool[] {
  const execute = (args: Record<string, unknown>, ctx: ToolContext) => run(args.plan as Plan, ctx);
  return [
    tool("plain", execute),
    tool("edit", execute, { mutates: () => ["/notes.md"] }),
    tool("alone", execute, { executionMode: "sequential" }),
    tool("guarded", execute),
  ];
}

test("100 trees at once: a span for each call, parents and ends as the events say", { timeout: 60_000 }, () =>
  forEachSeed(seedOfThisRun(), 5, async (seed) => {
    const random = createRandom(seed);
    const { executor, spans, points } = traced(makeTools(), {}, { limits: { maxConcurrency: 2, abortGraceMs: 1 } });
    executor.on("tool_call", ({ toolName }) => ({ block: toolName === "guarded" }));
    const ends = new Map<string, ToolExecutionEndEvent>();
    executor.on("tool_execution_end", (event) => void ends.set(event.toolCallId, event));
    const roots = Array.from({ length: 100 }, (_, index) => ({ id: `root/${index}`, plan: makePlan(random) }));
    await Promise.all(
      roots.map(({ id, plan }) => {
        const signal = plan.isAborted ? AbortSignal.timeout(5) : new AbortController().signal;
        return executor.executeTool(plan.name, { plan }, { toolCallId: id, signal });
      }),
    );

    const all = spans();
    const byCall = new Map(all.map((span) => [span.attributes["gen_ai.tool.call.id"] as string, span]));
    expect([byCall.size, all.length]).toEqual([ends.size, ends.size]);
    for (const [id, end] of ends) {
      const span = byCall.get(id);
      const parent = end.parentToolCallId === undefined ? undefined : byCall.get(end.parentToolCallId);
      expect(span && parentOf(span), id).toBe(parent?.spanContext().spanId);
      const root = byCall.get(id.split("/").slice(0, 2).join("/"));
      expect(span?.spanContext().traceId, id).toBe(root?.spanContext().traceId);
      expect(span?.attributes["nestcall.status"], id).toBe(end.status);
      expect(span?.attributes["error.type"], id).toBe(end.code);
      expect(span?.status.code, id).toBe(end.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
    }
    expect(new Set(roots.map(({ id }) => byCall.get(id)?.spanContext().traceId)).size).toBe(100);

    const total = async (metric: string) => (await points(metric)).reduce((sum, { value }) => sum + value, 0);
    expect(await total("nestcall.calls")).toBe(ends.size);
    expect(await total("gen_ai.execute_tool.duration")).toBe(ends.size);
    expect(await total("nestcall.calls.open")).toBe(0);
    expect(await total("nestcall.leases.contended")).toBe(0);
  }),
);
