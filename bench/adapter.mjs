// nestcall as a contestant of the shared benchmarks. `work` is the last of `tools` registered tools; each call of it is
// nested below a root call whose tool hands its context out and waits, and is replaced after CALLS_PER_PARENT calls.
import { createExecutor, defineTool, NestedCallRecorder, Type, withFileMutationQueue } from "nestcall";

export { withFileMutationQueue };

function workTool(fixture, name = "work", inputSchema = fixture.makeTypeBox()) {
  const execute = (args, ctx) => fixture.body(args, (inner) => ctx.executeTool("work", inner).then(okOrThrow));
  return defineTool({ name, description: "work", inputSchema, strict: false, execute });
}

function okOrThrow(outcome) {
  if (outcome.isError) throw new Error(outcome.error.message);
  return outcome.result;
}

/** A root call that lends its context until it is told to end. */
function lender() {
  let lent;
  const tool = defineTool({
    name: "lender",
    description: "Lends its context.",
    inputSchema: Type.Object({}),
    execute: (_args, ctx) =>
      new Promise((end) => {
        lent = { ctx, end };
      }),
  });
  const open = (executor) => {
    void executor.executeTool("lender", {}); // runs at once: no hook makes it wait
    return lent;
  };
  return { tool, open };
}

/** The hooks of the fixture for the calls that are measured. */
function hooked(executor, fixture) {
  executor.on("tool_call", (event) => (event.toolName === "lender" ? undefined : fixture.beforeHook(event)));
  executor.on("tool_result", (event) => (event.toolName === "lender" ? undefined : fixture.afterHook(event)));
  executor.subscribe(fixture.listener);
  return executor;
}

export function createNestedCall({ fixture, tools = 1 }) {
  const { tool, open } = lender();
  const work = Array.from({ length: tools }, (_, index) =>
    workTool(fixture, index === tools - 1 ? "work" : `tool_${index}`),
  );
  const limits = { maxDepth: 100, maxConcurrency: fixture.CALLS_PER_PARENT };
  const executor = createExecutor({ tools: [tool, ...work], limits });
  hooked(executor, fixture);
  let parent;
  let left = 0;
  return (i, depth = 0) => {
    if (left-- <= 0) {
      if (parent !== undefined) {
        parent.isOver = true;
        if (parent.running === 0) parent.end(); // else with its last call: calls left open would be aborted
      }
      parent = Object.assign(open(executor), { running: 0, isOver: false });
      left = fixture.CALLS_PER_PARENT - 1;
    }
    const own = parent;
    own.running += 1;
    return own.ctx.executeTool("work", fixture.args(i, depth)).then((outcome) => {
      own.running -= 1;
      if (own.isOver && own.running === 0) own.end();
      return okOrThrow(outcome);
    });
  };
}

export function createBatch(mode, { fixture }) {
  const executor = createExecutor({
    tools: [workTool(fixture)],
    toolExecution: mode,
    limits: { maxConcurrency: 1000 },
  });
  hooked(executor, fixture);
  return async (n) => {
    const calls = new Array(n);
    for (let i = 0; i < n; i++) calls[i] = { id: `c${i}`, name: "work", arguments: fixture.args(i) };
    const { messages } = await executor.executeBatch(calls);
    if (messages[0].isError) throw new Error(messages[0].content[0].text);
    return messages.length;
  };
}

export function createRecorder() {
  const recorder = new NestedCallRecorder();
  return (args) => {
    recorder.finish(recorder.start({ id: "c/1", name: "work", arguments: args }), { status: "ok" });
  };
}

export function createCallWithArgs({ fixture, schema }) {
  const { tool, open } = lender();
  const work = defineTool({
    name: "work",
    description: "work",
    inputSchema: schema,
    strict: false,
    execute: async () => ({ content: [], details: {} }),
  });
  const executor = createExecutor({ tools: [tool, work] });
  hooked(executor, fixture);
  return async (args) => {
    const parent = open(executor);
    const outcome = await parent.ctx.executeTool("work", args);
    parent.end();
    return okOrThrow(outcome);
  };
}
