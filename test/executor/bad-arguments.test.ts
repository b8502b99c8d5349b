// Every public function refuses a wrong argument: it names the argument, what came, and what is wanted; nothing else is lost.
import {
  batchTerminates,
  createExecutor,
  createFileMutationQueue,
  type Executor,
  isTransportFailure,
  markTransportFailure,
  NestcallError,
  NestedCallRecorder,
  sumUsage,
  type ToolCallOutcome,
  withFileMutationQueue,
} from "nestcall";
import { approvalGuard, budgetGuard, redactionGuard, redactor } from "nestcall/guards";
import { expect, test } from "vitest";
import { brief, endOf, eventsOf, textOf, tool } from "../helpers/engine.js";
import { freshFolder } from "../helpers/process.js";

/** Calls a function in a way that its types forbid. */
function call(fn: unknown, ...args: readonly unknown[]): unknown {
  return (fn as (...given: readonly unknown[]) => unknown)(...args);
}

async function refusalOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (error instanceof NestcallError && ["INVALID_ARGUMENTS", "INVALID_TOOL"].includes(error.code))
      return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** The argument, what came, what is wanted. */
type Parts = readonly [argument: string, came: string, wanted: string];

function expectParts(message: string, parts: Parts): void {
  for (const part of parts) expect(message).toContain(part);
}

const leaf = tool("leaf", () => "ran");
const named = class Duck {};

test.each<[unknown, ...Parts]>([
  [null, "options", "null", "an object"],
  [5, "options", "5", "an object"],
  ["tools", "options", '"tools"', "an object"],
  [[leaf], "options", "", ""],
  [{ tools: leaf }, "options.tools", "an object", "a list of tools"],
  [{ tools: "leaf" }, "options.tools", '"leaf"', "a list of tools"],
  [{ tools: [leaf, 5] }, "", "5", "object"],
  [{ tools: [null] }, "", "null", "object"],
  [{ tools: [{ name: "x" }] }, '"x"', "undefined", "description"],
  [{ toolExecution: "serial" }, "options.toolExecution", '"serial"', '"parallel" or "sequential"'],
  [{ limits: 5 }, "options.limits", "5", "an object"],
  [{ limits: { maxDepth: -1 } }, "options.limits.maxDepth", "-1", "a whole number from 0 up"],
  [{ limits: { maxDepth: "2" } }, "options.limits.maxDepth", '"2"', "a whole number"],
  [{ limits: { maxCallsPerRoot: 1.5 } }, "options.limits.maxCallsPerRoot", "1.5", "a whole number"],
  [{ limits: { maxConcurrency: 0 } }, "options.limits.maxConcurrency", "0", "a whole number from 1 up"],
  [{ limits: { maxConcurrency: Number.NaN } }, "options.limits.maxConcurrency", "NaN", "a whole number"],
  [{ limits: { abortGraceMs: -5 } }, "options.limits.abortGraceMs", "-5", "milliseconds"],
  [{ limits: { abortGraceMs: 2 ** 31 } }, "options.limits.abortGraceMs", "2147483648", "milliseconds"],
  [{ limits: { hookTimeoutMs: 0 } }, "options.limits.hookTimeoutMs", "0", "milliseconds above 0"],
  [{ limits: { maxdepth: 3 } }, "options.limits", '"maxdepth"', 'did you mean "maxDepth"?'],
  [{ mutationQueue: {} }, "options.mutationQueue", "an object", "createFileMutationQueue"],
  [{ mutationQueue: { withFileMutationQueue } }, "options.mutationQueue", "an object", "createFileMutationQueue"],
  [{ cwd: 5 }, "options.cwd", "5", "the path of a folder"],
  [{ cwd: "" }, "options.cwd", '""', "the path of a folder"],
  [{ generateId: "id" }, "options.generateId", '"id"', "a function"],
  [{ redact: /x/ }, "options.redact", "RegExp", "a function"],
  [{ clock: Date }, "options.clock", "a function", "now and monotonic"],
  [{ clock: { now: () => 1 } }, "options.clock", "an object", "now and monotonic"],
  [{ clock: null }, "options.clock", "null", "now and monotonic"],
  [{ toolExecutions: "parallel" }, "options", '"toolExecutions"', 'did you mean "toolExecution"?'],
  [{ entirelyElse: 1 }, "options", '"entirelyElse"', "known are tools"],
])("createExecutor refuses %j", async (options, ...parts) => {
  expectParts(await refusalOf(() => call(createExecutor, options)), parts);
});

function executorAndCalls(): { readonly executor: Executor; readonly stillWorks: () => Promise<void> } {
  const executor = createExecutor({ tools: [leaf] });
  const stillWorks = async () => expect(textOf(await executor.executeTool("leaf"))).toBe("ran");
  return { executor, stillWorks };
}

test.each<[string, (executor: Executor) => unknown, ...Parts]>([
  [
    "an unknown type",
    (executor) => call(executor.on, "tool_calls", () => {}),
    "executor.on",
    '"tool_calls"',
    "tool_call, ",
  ],
  [
    "a type that is no text",
    (executor) => call(executor.on, undefined, () => {}),
    "executor.on",
    "undefined",
    "tool_call, ",
  ],
  ["no handler of a hook", (executor) => call(executor.on, "tool_call"), 'on("tool_call")', "undefined", "a function"],
  [
    "a text as a handler",
    (executor) => call(executor.on, "tool_result", "x"),
    'on("tool_result")',
    '"x"',
    "a function",
  ],
  [
    "no handler of errors",
    (executor) => call(executor.on, "observer_error", {}),
    'on("observer_error")',
    "an object",
    "a function",
  ],
  [
    "no handler of events",
    (executor) => call(executor.on, "tool_execution_wait", null),
    'on("tool_execution_wait")',
    "null",
    "a function",
  ],
  ["no listener", (executor) => call(executor.subscribe), "executor.subscribe", "undefined", "a function"],
  [
    "an object as a listener",
    (executor) => call(executor.subscribe, {}),
    "executor.subscribe",
    "an object",
    "a function",
  ],
  ["a tool that is none", ({ registry }) => call(registry.register.bind(registry), 5), "definition", "5", "an object"],
  [
    "nothing as a tool",
    ({ registry }) => call(registry.register.bind(registry)),
    "definition",
    "undefined",
    "an object",
  ],
  [
    "options that are none",
    ({ registry }) => call(registry.register.bind(registry), leaf, true),
    'register("leaf")',
    "true",
    "an options object",
  ],
  [
    "a wrong defaultActive",
    ({ registry }) => call(registry.register.bind(registry), leaf, { defaultActive: "no" }),
    "options.defaultActive",
    '"no"',
    "true or false",
  ],
  [
    "an unknown option of register",
    ({ registry }) => call(registry.register.bind(registry), leaf, { defaultactive: false }),
    "register",
    '"defaultactive"',
    '"defaultActive"',
  ],
  [
    "a name in place of a list",
    ({ registry }) => call(registry.setActiveTools.bind(registry), "leaf"),
    "setActiveTools",
    '"leaf"',
    "a list",
  ],
  [
    "a list of what is no name",
    ({ registry }) => call(registry.setActiveTools.bind(registry), ["leaf", 5]),
    "setActiveTools",
    "5",
    "name",
  ],
  ["no list of calls", (executor) => call(executor.executeBatch, undefined), "calls", "undefined", "a list"],
  [
    "a call as a batch",
    (executor) => call(executor.executeBatch, { id: "1", name: "leaf" }),
    "calls",
    "an object",
    "a list",
  ],
  [
    "a call without an id",
    (executor) => call(executor.executeBatch, [{ name: "leaf" }]),
    "calls[0].id",
    "undefined",
    "a string",
  ],
  [
    "nothing as a call",
    (executor) => call(executor.executeBatch, [{ id: "1", name: "leaf" }, null]),
    "calls[1]",
    "",
    "",
  ],
  [
    "a batch mode",
    (executor) => call(executor.executeBatch, [], { toolExecution: "both" }),
    "options.toolExecution",
    '"both"',
    '"parallel" or "sequential"',
  ],
  [
    "a batch signal",
    (executor) => call(executor.executeBatch, [], { signal: {} }),
    "options.signal",
    "an object",
    "an AbortSignal",
  ],
  ["batch options", (executor) => call(executor.executeBatch, [], 5), "options", "5", "an object"],
])("an executor refuses %s, and goes on", async (_what, run, ...parts) => {
  const { executor, stillWorks } = executorAndCalls();
  expectParts(await refusalOf(() => run(executor)), parts);
  await stillWorks();
});

const BAD_CALL_OPTIONS: readonly (readonly [unknown, ...Parts])[] = [
  [5, "options", "5", "an object"],
  [{ signal: "now" }, "options.signal", '"now"', "an AbortSignal"],
  [{ signal: new AbortController() }, "options.signal", "AbortController", "an AbortSignal"],
  [{ timeoutMs: 0 }, "options.timeoutMs", "0", "a number of milliseconds above 0"],
  [{ timeoutMs: "50" }, "options.timeoutMs", '"50"', "a number of milliseconds above 0"],
  [{ timeoutMs: Number.NaN }, "options.timeoutMs", "NaN", "a number of milliseconds above 0"],
  [{ idleTimeoutMs: -1 }, "options.idleTimeoutMs", "-1", "a number of milliseconds above 0"],
  [{ onUpdate: new named() }, "options.onUpdate", "Duck", "a function"],
];

test.each([...BAD_CALL_OPTIONS, [{ toolCallId: 7 }, "options.toolCallId", "7", "a string"] as const])(
  "executor.executeTool with options %j is an INVALID_ARGUMENTS outcome",
  async (options, ...parts) => {
    const { executor, stillWorks } = executorAndCalls();
    const events = eventsOf(executor);
    const outcome = (await call(executor.executeTool, "leaf", {}, options)) as ToolCallOutcome;
    expect(endOf(outcome)).toBe("INVALID_ARGUMENTS");
    expectParts(textOf(outcome), parts);
    expect(brief(events)).toEqual([`start ${outcome.toolCall.id}`, `end ${outcome.toolCall.id}`]);
    await stillWorks();
  },
);

test.each(BAD_CALL_OPTIONS)(
  "ctx.executeTool with options %j is a recorded INVALID_ARGUMENTS outcome",
  async (options, ...parts) => {
    const nested: ToolCallOutcome[] = [];
    const top = tool("top", async (_args, ctx) => {
      nested.push((await call(ctx.executeTool, "leaf", {}, options)) as ToolCallOutcome, await ctx.executeTool("leaf"));
    });
    const { nestedCalls } = await createExecutor({ tools: [leaf, top] }).executeTool("top");
    expect(nested.map(endOf)).toEqual(["INVALID_ARGUMENTS", "ok"]);
    expectParts(textOf(nested[0] as ToolCallOutcome), parts);
    expect(nestedCalls).toMatchObject({ complete: true, calls: [{ status: "error" }, { status: "ok" }] });
  },
);

const UNREADABLE_OPTIONS = {
  get signal(): never {
    throw new Error("no options for you");
  },
};

test("options that cannot be read are an outcome of the call, nested too", async () => {
  const { executor, stillWorks } = executorAndCalls();
  const nested: ToolCallOutcome[] = [];
  executor.registry.register(
    tool("top", async (_args, ctx) => void nested.push(await ctx.executeTool("leaf", {}, UNREADABLE_OPTIONS))),
  );
  const root = await executor.executeTool("leaf", {}, UNREADABLE_OPTIONS);
  const { nestedCalls } = await executor.executeTool("top");
  expect([root, ...nested].map(endOf)).toEqual(["INVALID_ARGUMENTS", "INVALID_ARGUMENTS"]);
  expect(nestedCalls?.calls).toHaveLength(1);
  await stillWorks();
});

test("a batch with a call that cannot be read leaves no call open", async () => {
  const { executor, stillWorks } = executorAndCalls();
  const events = eventsOf(executor);
  const unreadable = {
    id: "b",
    get name(): never {
      throw new Error("no name for you");
    },
  };
  await executor.executeBatch([{ id: "a", name: "leaf" }, unreadable]).catch(() => {}); // refused, or an outcome
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count("tool_execution_end")).toBe(count("tool_execution_start"));
  await stillWorks();
});

test.each([undefined, null, {}, { signal: null, timeoutMs: undefined }])(
  "options %j are no options",
  async (options) => {
    const { executor } = executorAndCalls();
    expect(endOf((await call(executor.executeTool, "leaf", {}, options)) as ToolCallOutcome)).toBe("ok");
  },
);

test.each([
  [
    "throws",
    () => {
      throw new Error("no ids left");
    },
    "no ids left",
  ],
  ["gives a number", () => 5, "5"],
  ["gives no text", () => "", '""'],
])("a generateId that %s is an INVALID_ARGUMENTS outcome of the call", async (_how, generateId, text) => {
  const executor = createExecutor({ tools: [leaf], generateId: generateId as () => string });
  const outcome = await executor.executeTool("leaf");
  expect([endOf(outcome), outcome.toolCall.name]).toEqual(["INVALID_ARGUMENTS", "leaf"]);
  expect(textOf(outcome)).toContain(text);
  expect(endOf(await executor.executeTool("leaf", {}, { toolCallId: "given" }))).toBe("ok");
});

test("executeTool refuses a target that is no tool with an UNKNOWN_TOOL outcome that says what came", async () => {
  const { executor, stillWorks } = executorAndCalls();
  for (const [target, came] of [
    [undefined, "undefined"],
    [5, "5"],
    [{}, "an object"],
    [Symbol("s"), "a symbol"],
  ] as const) {
    const outcome = (await call(executor.executeTool, target)) as ToolCallOutcome;
    expect([endOf(outcome), textOf(outcome)]).toEqual(["UNKNOWN_TOOL", expect.stringContaining(came)]);
  }
  await stillWorks();
});

test.each<[string, () => unknown, ...Parts]>([
  ["queue options", () => call(createFileMutationQueue, null), "options", "null", "object"],
  ["a queue's option", () => call(createFileMutationQueue, { crossProcess: "yes" }), "crossProcess", "", ""],
  [
    "an unknown queue option",
    () => call(createFileMutationQueue, { crossprocess: true }),
    "crossprocess",
    "",
    "crossProcess",
  ],
  ["no function", () => call(withFileMutationQueue, "x"), "withFileMutationQueue", "undefined", "a function"],
  [
    "a promise as function",
    () => call(withFileMutationQueue, "x", Promise.resolve()),
    "withFileMutationQueue",
    "Promise",
    "a function",
  ],
  [
    "a queue signal",
    () => call(withFileMutationQueue, "x", () => {}, { signal: 5 }),
    "options.signal",
    "5",
    "an AbortSignal",
  ],
  ["file options", () => call(withFileMutationQueue, "x", () => {}, "now"), "options", '"now"', "an object"],
  ["a number as usage", () => call(sumUsage, { input: 1 }, 5), "argument 2", "5", "objects of numbers"],
  ["a list as usage", () => call(sumUsage, [1]), "argument 1", "an array", "objects of numbers"],
  [
    "an error that is text",
    () => call(markTransportFailure, "down"),
    "markTransportFailure",
    '"down"',
    "an error object",
  ],
  [
    "an error that is frozen",
    () => call(markTransportFailure, Object.freeze(new Error("x"))),
    "markTransportFailure",
    "Error",
    "can be marked",
  ],
  ["nothing to record", () => call(start), "start", "undefined", "a string"],
  ["a record without a name", () => call(start, { id: "T/1" }), "name", "undefined", "a string"],
  ["a record with a numeric id", () => call(start, { id: 1, name: "x" }), "id", "1", "a string"],
  ["approval options", () => call(approvalGuard, 5), "options", "5", "an object"],
  ["a confirm", () => call(approvalGuard, { confirm: true }), "options.confirm", "true", "a function"],
  ["a decision", () => call(approvalGuard, { needsApproval: "all" }), "options.needsApproval", '"all"', "a function"],
  ["no budget", () => call(budgetGuard), "options", "undefined", "an object"],
  ["an empty budget", () => call(budgetGuard, {}), "options", "an object", "maxCalls"],
  [
    "a wrong budget of calls",
    () => call(budgetGuard, { maxCalls: "3" }),
    "options.maxCalls",
    '"3"',
    "a number from 0 up",
  ],
  [
    "a wrong budget of time",
    () => call(budgetGuard, { maxTimeMs: -1 }),
    "options.maxTimeMs",
    "-1",
    "a number from 0 up",
  ],
  [
    "a wrong budget of usage",
    () => call(budgetGuard, { maxUsage: { input: Number.NaN } }),
    "options.maxUsage.input",
    "NaN",
    "a number from 0 up",
  ],
  [
    "a budget of usage that is a number",
    () => call(budgetGuard, { maxUsage: 5 }),
    "options.maxUsage",
    "5",
    "an object",
  ],
  ["no patterns", () => call(redactor, {}), "options.patterns", "undefined", "a list of patterns"],
  [
    "an empty list of patterns",
    () => call(redactionGuard, { patterns: [] }),
    "options.patterns",
    "an array",
    "a list of patterns",
  ],
  [
    "a text in place of patterns",
    () => call(redactor, { patterns: "secret" }),
    "options.patterns",
    '"secret"',
    "a list of patterns",
  ],
  ["an empty pattern", () => call(redactor, { patterns: ["a", ""] }), "options.patterns[1]", '""', "not empty"],
  ["a numeric pattern", () => call(redactor, { patterns: [5] }), "options.patterns[0]", "5", "a regular expression"],
  [
    "a replacement",
    () => call(redactor, { patterns: ["a"], replacement: null }),
    "options.replacement",
    "null",
    "a text",
  ],
])("a function of the package refuses %s", async (_what, run, ...parts) => {
  expectParts(await refusalOf(run), parts);
});

function start(given: unknown): unknown {
  return call(NestedCallRecorder.prototype.start.bind(new NestedCallRecorder()), given);
}

test("withFileMutationQueue rejects, and never throws, for what it refuses; the next call runs", async () => {
  const path = `${freshFolder()}/file`;
  for (const args of [[path], [path, "fn"], [path, () => {}, { signal: "x" }], [5, () => {}]]) {
    const refused = call(withFileMutationQueue, ...args);
    expect(refused).toBeInstanceOf(Promise);
    await expect(refused).rejects.toThrow();
  }
  expect(await withFileMutationQueue(path, () => "next")).toBe("next");
});

test("ctx.withFileMutationQueue refuses what is no function, and the file stays free", async () => {
  const path = `${freshFolder()}/file`;
  const messages: string[] = [];
  const top = tool("top", async (_args, ctx) => {
    messages.push(await refusalOf(() => call(ctx.withFileMutationQueue, path, "x")));
    return ctx.withFileMutationQueue(path, () => "ran");
  });
  expect(textOf(await createExecutor({ tools: [top] }).executeTool("top"))).toBe("ran");
  expectParts(messages.join(), ["ctx.withFileMutationQueue", '"x"', "a function"]);
});

test("functions that only answer yes or no take anything", () => {
  for (const value of [undefined, null, 5, "x", {}, [], [null], Symbol("s")]) {
    expect([isTransportFailure(value), call(batchTerminates, value)]).toEqual([false, false]);
  }
});
