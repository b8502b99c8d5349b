// Runs a made-up tree on the engine. The test's own side writes down what it did and saw, in order; gates are opened,
// signals aborted and the grace ended at random, and only once nothing moves any more.
import {
  createExecutor,
  defineTool,
  type Executor,
  markTransportFailure,
  type RootCallOutcome,
  type Tool,
  type ToolCallOutcome,
  type ToolContext,
  type ToolExecutionEvent,
  Type,
} from "nestcall";
import { createFakeClock, createGate, type Gate, turn } from "nestcall/testing";
import { vi } from "vitest";
import type { Random } from "./random.js";
import type { CallPlan, Step, TreePlan, UsageKind } from "./tree-plan.js";

const GRACE_MS = 250;
export const LONG_NAME = `long_${"n".repeat(200)}`;
const STOPPED = Symbol("stopped");

export type Arguments = Record<string, unknown>;
export type Entry =
  | { readonly type: "call"; readonly plan: CallPlan; readonly parentKey: string | undefined; readonly root: number }
  | { readonly type: "event"; readonly event: ToolExecutionEvent }
  | {
      readonly type: "hook";
      readonly key: string;
      readonly id: string;
      readonly input: unknown;
      readonly depth: number;
    }
  | { readonly type: "hook done"; readonly key: string }
  | { readonly type: "second hook"; readonly key: string; readonly input: unknown }
  | {
      readonly type: "execute";
      readonly key: string;
      readonly args: unknown;
      readonly at: number;
      readonly ctx: ToolContext;
    }
  | { readonly type: "return"; readonly key: string; readonly at: number }
  | { readonly type: "result hook"; readonly key: string }
  | { readonly type: "outcome"; readonly key: string; readonly outcome: ToolCallOutcome }
  | { readonly type: "abort"; readonly key: string }
  | { readonly type: "grace" };

export interface TreeRun {
  readonly log: readonly Entry[];
  readonly roots: readonly RootCallOutcome[];
  /** Calls whose usage could not be counted in full. */
  readonly badUsage: ReadonlySet<string>;
  readonly signals: readonly AbortSignal[];
}

class Run {
  readonly log: Entry[] = [];
  readonly waiting = new Set<Gate>();
  readonly controllers = new Map<string, AbortController>();
  readonly badUsage = new Set<string>();
  readonly plans = new Map<string, CallPlan>();
  readonly clock = createFakeClock();
  open = 0;
  executor!: Executor; // set before anything runs

  async waitAtGate(): Promise<void> {
    const gate = createGate();
    this.waiting.add(gate);
    await gate.promise;
  }

  noteCall(plan: CallPlan, parentKey: string | undefined, root: number): AbortSignal | undefined {
    const controller = plan.signal === "none" ? undefined : new AbortController();
    if (controller !== undefined) this.controllers.set(plan.key, controller);
    if (plan.signal === "aborted") controller?.abort(new Error("aborted before"));
    this.plans.set(plan.key, plan);
    this.open += 1;
    this.log.push({ type: "call", plan, parentKey, root });
    return controller?.signal;
  }

  noteOutcome<T extends ToolCallOutcome>(key: string, outcome: T): T {
    this.open -= 1;
    this.log.push({ type: "outcome", key, outcome });
    return outcome;
  }
}

/** Runs the tree to the end; throws when it hangs. */
export async function runTree(tree: TreePlan, random: Random): Promise<TreeRun> {
  const run = new Run();
  const { maxDepth, maxCallsPerRoot, maxConcurrency } = tree;
  const limits = { maxDepth, maxCallsPerRoot, maxConcurrency, abortGraceMs: GRACE_MS };
  run.executor = createExecutor({ tools: [...TOOLS.values()], limits, host: run as never, clock: run.clock });
  run.executor.subscribe((event) => void run.log.push({ type: "event", event }));
  run.executor.on("observer_error", ({ toolCallId, source }) => {
    if (source === "usage") run.badUsage.add(toolCallId ?? "?");
  });
  addHooks(run);
  const calls = tree.roots.map(async (plan, root) => {
    const signal = run.noteCall(plan, undefined, root);
    const options = { toolCallId: tree.rootIds[root] as string, ...(signal === undefined ? {} : { signal }) };
    return run.noteOutcome(plan.key, await run.executor.executeTool(plan.target, argumentsOf(plan), options));
  });
  await drive(run, random);
  const signals = [...run.controllers.values()].map(({ signal }) => signal);
  return { log: run.log, roots: await Promise.all(calls), badUsage: run.badUsage, signals };
}

async function drive(run: Run, random: Random): Promise<void> {
  for (let idle = 0; ; ) {
    await turn();
    if (run.open === 0 && run.waiting.size === 0) return;
    run.clock.advance(random.between(0, 5));
    const abortable = [...run.controllers].filter(([, { signal }]) => !signal.aborted);
    const action = random.weighted({
      gate: run.waiting.size,
      abort: abortable.length * 0.4,
      grace: vi.getTimerCount() > 0 ? 0.5 : 0,
    });
    if (action === "gate" && run.waiting.size > 0) {
      const gate = random.pick([...run.waiting]);
      run.waiting.delete(gate);
      gate.open();
    } else if (action === "abort") {
      const [key, controller] = random.pick(abortable);
      run.log.push({ type: "abort", key });
      controller.abort(new Error(`abort of ${key}`));
    } else if (vi.getTimerCount() > 0) {
      run.log.push({ type: "grace" });
      await vi.advanceTimersByTimeAsync(GRACE_MS);
    } else {
      idle += 1;
      if (idle > 20) throw new Error(`${run.open} calls hang, and nothing is left to do`);
      continue;
    }
    idle = 0;
  }
}

function addHooks(run: Run): void {
  run.executor.on("tool_call", (event) => {
    const { key } = event.input as { key: string };
    const plan = run.plans.get(key) as CallPlan;
    const input = structuredClone(event.input);
    run.log.push({ type: "hook", key, id: event.toolCallId, input, depth: event.depth });
    const act = () => {
      run.log.push({ type: "hook done", key });
      return decide(plan, event);
    };
    return plan.hookWaits ? run.waitAtGate().then(act) : act();
  });
  run.executor.on("tool_call", (event) => {
    const { key } = event.input as { key: string };
    run.log.push({ type: "second hook", key, input: structuredClone(event.input) });
  });
  run.executor.on("tool_result", (event) => {
    const { key } = event.input as { key: string };
    run.log.push({ type: "result hook", key });
    const { resultHook, text } = run.plans.get(key) as CallPlan;
    if (resultHook === "content") return { content: [{ type: "text", text: `patched ${text}` }] };
    if (resultHook === "mark-failed") return { isError: true };
    if (resultHook === "mend") return { isError: false };
    if (resultHook === "usage") return { usage: { input: 7 } };
    if (resultHook === "throw") throw new Error("the result hook failed");
    return undefined;
  });
}

function decide(
  plan: CallPlan,
  event: { input: unknown },
): { block: true; reason: string } | { input: unknown } | undefined {
  if (plan.hook === "block") return { block: true, reason: `blocked ${plan.text}` };
  if (plan.hook === "throw") throw new Error("the hook failed");
  if (plan.hook === "none") return undefined;
  const patched = patchOf(plan, event.input as Arguments);
  if (plan.hook !== "patch-in-place") return { input: patched };
  Object.assign(event.input as Arguments, patched);
  return undefined;
}

/** What the hook of a plan makes of arguments. */
export function patchOf({ hook }: CallPlan, input: Arguments): Arguments {
  if (hook === "patch") return { ...input, pad: "patched" };
  if (hook === "patch-in-place") return { ...input, pad: "in place" };
  if (hook === "patch-large") return { ...input, pad: "L".repeat(9000) };
  if (hook === "patch-small") return { key: input.key };
  if (hook === "patch-invalid") return { ...input, count: "x" };
  return input;
}

/** What the call is made with. */
export function argumentsOf(plan: CallPlan): unknown {
  const { key, pad } = plan;
  const cycle: Arguments = { key };
  switch (plan.arguments) {
    case "padded":
      return { key, pad };
    case "repaired":
      return { key, count: "5" };
    case "invalid":
      return { key, count: "many" };
    case "nothing":
      return plan.amount % 2 === 0 ? undefined : null;
    case "cycle":
      cycle.self = cycle;
      return cycle;
    case "bigint":
      return { key, count: 5n };
    case "function":
      return { key, pad: () => "pad" };
    case "getter":
      return {
        key,
        get pad() {
          throw new Error("no pad");
        },
      };
    default:
      return { key };
  }
}

/** What the tool reports; it may be no usage at all. */
export function usageOf(kind: UsageKind, amount: number): unknown {
  switch (kind) {
    case "none":
      return undefined;
    case "plain":
      return { input: amount, output: 2, totalTokens: amount + 2 };
    case "cost":
      return { input: amount, cost: { input: 0.25, total: amount / 4 }, requests: 1 };
    case "flag":
      return { input: 1, cached: true };
    case "unflagged":
      return { input: 1, cached: false };
    case "negative":
      return { input: -1, output: amount };
    case "not-a-number":
      return { output: Number.NaN, input: amount, cost: { total: Number.POSITIVE_INFINITY, input: 1 } };
    case "no-object":
      return "lots";
  }
}

const ODD_THINGS = [undefined, null, "thrown text", 7, {}, Symbol("odd"), new DOMException("odd", "AbortError")];

function finish(plan: CallPlan): unknown {
  const { text, amount, usage: usageKind } = plan;
  const usage = usageOf(usageKind, amount);
  const content = [{ type: "text", text }];
  const withUsage = <T extends object>(result: T): T => (usage === undefined ? result : { ...result, usage });
  switch (plan.ending) {
    case "text":
      return usage === undefined ? text : { content, usage };
    case "nothing":
      return usage === undefined ? (amount % 2 === 0 ? undefined : null) : { content: [], usage };
    case "structured":
      return withUsage({ structuredContent: { text } });
    case "failed":
      return withUsage({ content, isError: true });
    case "invalid":
      return usage === undefined ? 42 : { content: 5, usage };
    case "throw":
      throw new ErrorWithUsage(text, usage);
    case "throw-odd":
      throw ODD_THINGS[amount % ODD_THINGS.length];
    case "transport":
      throw markTransportFailure(new ErrorWithUsage(text, usage));
  }
}

class ErrorWithUsage extends Error {
  readonly usage: unknown;
  constructor(message: string, usage: unknown) {
    super(message);
    this.usage = usage;
  }
}

function execute(args: unknown, ctx: ToolContext): unknown {
  const run = ctx.host as unknown as Run; // given to createExecutor above
  const { key } = args as { key: string };
  const plan = run.plans.get(key) as CallPlan;
  run.log.push({ type: "execute", key, args: structuredClone(args), at: run.clock.monotonic(), ctx });
  const end = () => {
    run.log.push({ type: "return", key, at: run.clock.monotonic() });
    return finish(plan);
  };
  return plan.steps.length === 0 && !plan.waitsAtEnd && plan.amount % 3 === 0
    ? end()
    : runSteps(run, plan, ctx).then(end);
}

async function runSteps(run: Run, plan: CallPlan, ctx: ToolContext): Promise<void> {
  const joined: Promise<unknown>[] = [];
  try {
    for (const step of plan.steps) await runStep(run, plan, step, ctx, joined);
    if (joined.length > 0) await pause(run, plan, ctx, Promise.all(joined));
    if (plan.waitsAtEnd) await pause(run, plan, ctx, undefined);
  } catch (error) {
    if (error !== STOPPED) throw error;
  }
}

async function runStep(
  run: Run,
  plan: CallPlan,
  step: Step,
  ctx: ToolContext,
  joined: Promise<unknown>[],
): Promise<void> {
  if (step.type === "gate") return pause(run, plan, ctx, undefined);
  if (step.type === "late") return void run.waitAtGate().then(() => call(run, step.plan, plan.key, ctx));
  const outcome = call(run, step.plan, plan.key, ctx);
  if (step.mode === "awaited") return pause(run, plan, ctx, outcome);
  if (step.mode === "joined") joined.push(outcome);
}

function call(run: Run, plan: CallPlan, parentKey: string, ctx: ToolContext): Promise<unknown> {
  const signal = run.noteCall(plan, parentKey, -1);
  const name = plan.target === "long" ? LONG_NAME : plan.target;
  const target = plan.asObject ? (TOOLS.get(name) ?? name) : name;
  const outcome = ctx.executeTool(target as string, argumentsOf(plan), signal === undefined ? {} : { signal });
  return outcome.then((settled) => run.noteOutcome(plan.key, settled));
}

/** Waits for `what`, or at a gate. A tool that is not stubborn leaves when its signal aborts. */
async function pause(run: Run, plan: CallPlan, ctx: ToolContext, what: Promise<unknown> | undefined): Promise<void> {
  if (plan.isStubborn) {
    await (what ?? run.waitAtGate());
    // Nothing goes on of itself after a stop, so that it is known what was over when the grace ended.
    if (what !== undefined && ctx.signal.aborted) await run.waitAtGate();
    return;
  }
  const gate = createGate();
  if (what === undefined) run.waiting.add(gate);
  const leave = () => gate.fail(STOPPED);
  if (ctx.signal.aborted) leave();
  else ctx.signal.addEventListener("abort", leave);
  what?.then(() => gate.open());
  try {
    await gate.promise;
  } finally {
    ctx.signal.removeEventListener("abort", leave);
    run.waiting.delete(gate);
  }
}

const inputSchema = Type.Object(
  { key: Type.String(), pad: Type.Optional(Type.String()), count: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);
const TOOLS = new Map<string, Tool>(
  (
    [
      ["work", {}],
      ["lane", { executionMode: "sequential" }],
      ["codemode_work", { exposure: "codemode" }],
      ["deferred_work", { exposure: "deferred" }],
      ["secret", { exposure: "hidden" }],
      ["for_model", { exposure: "model-only" }],
    ] as const
  ).map(([name, more]) => {
    const tool = defineTool({ name, description: `Does ${name}.`, inputSchema, ...more, execute: execute as never });
    return [name, tool as unknown as Tool]; // the map holds tools of one schema
  }),
);
