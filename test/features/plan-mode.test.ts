// Rows of features.md about plan mode: E41, E51, E53; P63 where it says who is asked.
import {
  createExecutor,
  type Executor,
  planModeGuard,
  type SessionOptions,
  type Tool,
  type ToolCallOutcome,
} from "nestcall";
import { expect, test } from "vitest";
import { caller, endOf, tool } from "../helpers/engine.js";

const READS = { effect: "read" };

/** The host's tools, and those of a plugin and of a server. */
function planned(): Executor {
  const executor = createExecutor({
    tools: [
      tool("read", () => "ran", READS),
      tool("write", () => "ran", { effect: "write" }),
      tool("no_hints", () => "ran"),
    ],
  });
  const { registry } = executor;
  registry.register(
    tool("plugin_read", () => "ran", READS),
    { owner: "plugin", readOnly: true },
  );
  registry.register(
    tool("plugin_safe", () => "ran", READS),
    { owner: "plugin", planSafe: true },
  );
  registry.register(
    tool("server_read", () => "ran", READS),
    { external: true },
  );
  return executor;
}

test("E51: plan mode shows the host's read-only tools and exact planSafe names; what is undeclared is not plan-safe", () => {
  const { registry } = planned();
  const planning = registry.forSession({ planMode: true });
  expect(planning.getActiveTools()).toEqual(["read", "plugin_safe"]);
  expect(registry.declarations(planning).map(({ name }) => name)).toEqual(["read", "plugin_safe"]);
  registry.allowInPlanMode(["server_read"]);
  expect(planning.getActiveTools()).toEqual(["read", "plugin_safe", "server_read"]);
  expect(registry.forSession().getActiveTools()).toHaveLength(6);
});

test.each(["mcp__*", "plugin_*", "*", "", "a b"])("E51: planSafe takes exact names; %j is refused", (name) => {
  const { registry } = planned();
  expect(() => registry.allowInPlanMode([name])).toThrow(/must be the exact name of a tool/);
  expect(() => planModeGuard(registry, { planSafe: [name] })).toThrow(/must be the exact name of a tool/);
});

const NAMES = ["read", "write", "no_hints", "plugin_read", "plugin_safe", "server_read"];
const PLANNED = ["ok", "BLOCKED", "BLOCKED", "BLOCKED", "ok", "BLOCKED"];

/** How each tool ends, called by the model and by a read-only tool. */
async function ends(executor: Executor, session?: SessionOptions): Promise<readonly (readonly string[])[]> {
  const nested: ToolCallOutcome[] = [];
  executor.registry.register(
    caller(
      "ask_all",
      NAMES.map((name) => [name]),
      nested,
      READS,
    ),
  );
  const options = session === undefined ? {} : { session: executor.registry.forSession(session) };
  const calls = ["ask_all", ...NAMES].map((name) => ({ id: name, name }));
  const { outcomes } = await executor.executeBatch(calls, options);
  return [outcomes.slice(1).map(endOf), nested.map(endOf)];
}

test.each([{ planMode: true }, { readOnly: true }])(
  "E51: in a session with %j calls are refused by the same rule, nested ones too",
  async (session) => {
    expect(await ends(planned(), session)).toEqual([PLANNED, PLANNED]);
  },
);

test("E51: the guard does the same for a host without sessions", async () => {
  const executor = planned();
  executor.on("tool_call", planModeGuard(executor.registry));
  expect(await ends(executor)).toEqual([PLANNED, PLANNED]);
});

test("E51: the refusal names the tool and what to do", async () => {
  const executor = planned();
  const session = executor.registry.forSession({ planMode: true });
  const { error } = await executor.executeTool("write", {}, { session });
  expect(error?.message).toBe(
    'Tool "write" is not available in plan mode: it is neither a read-only tool of the host nor declared planSafe.',
  );
});

test("E41: a call that began while the host planned stays read-only when the host goes on to build meanwhile", async () => {
  const executor = planned();
  let isPlanning = true;
  executor.on("tool_call", planModeGuard(executor.registry, { isPlanning: () => isPlanning }));
  const outcomes: ToolCallOutcome[] = [];
  const build = async (_args: unknown, ctx: { executeTool(name: string): Promise<ToolCallOutcome> }) => {
    isPlanning = false;
    outcomes.push(await ctx.executeTool("write"));
  };
  executor.registry.register(tool("begin", build as never, READS));
  await executor.executeTool("begin");
  expect(outcomes.map(endOf)).toEqual(["BLOCKED"]);
  expect(endOf(await executor.executeTool("write"))).toBe("ok");
});

test("E41: a hook may take access away, and an answer that is no restriction blocks the call", async () => {
  const executor = planned();
  const answers: unknown[] = [{ access: { readOnly: true } }, { access: { readonly: true } }];
  for (const [answer, expected] of [
    [answers[0], "BLOCKED"],
    [answers[1], "HOOK_FAILED"],
  ] as const) {
    const remove = executor.on("tool_call", ({ depth }) => (depth === 0 ? (answer as never) : undefined));
    const outcomes: ToolCallOutcome[] = [];
    executor.registry.register(caller("outer", [["write"]], outcomes, READS) as Tool);
    const outer = await executor.executeTool("outer");
    expect([...outcomes, outer].map(endOf)).toContain(expected);
    remove();
  }
});

test("E33: that its owner calls a tool read-only lets no call through a guard", async () => {
  const executor = planned();
  executor.on("tool_call", ({ toolName }) =>
    toolName === "plugin_read" ? { block: true, reason: "denied" } : undefined,
  );
  expect(await executor.executeTool("plugin_read")).toMatchObject({ error: { code: "BLOCKED", message: "denied" } });
  const session = executor.registry.forSession({ planMode: true });
  expect(endOf(await executor.executeTool("plugin_read", {}, { session }))).toBe("BLOCKED");
});

test("E53: planSafe keeps no tool loaded: a deferred plan-safe tool is absent until it is searched for and activated", () => {
  const { registry } = planned();
  registry.register(tool("deferred_read", () => "ran", { ...READS, exposure: "deferred" }));
  registry.register(tool("deferred_write", () => "ran", { effect: "write", exposure: "deferred" }));
  const planning = registry.forSession({ planMode: true });
  expect(planning.getActiveTools()).not.toContain("deferred_read");
  expect(planning.searchTools("deferred").map(({ name }) => name)).toEqual(["deferred_read"]);
  expect(planning.activate(["deferred_read", "deferred_write"])).toEqual({
    activated: ["deferred_read"],
    ignored: ["deferred_write"],
  });
  expect(planning.getActiveTools()).toContain("deferred_read");
  expect(registry.getActiveTools()).not.toContain("deferred_read");
});

test("P49: what plan mode hides is as it was when it comes back, whatever was made active meanwhile", () => {
  const { registry } = planned();
  let planMode = true;
  const session = registry.forSession({ live: () => ({ planMode }) });
  session.setActiveTools([...session.getActiveTools(), "plugin_read"]); // as a loader does
  expect(session.getActiveTools()).toEqual(["read", "plugin_safe"]);
  planMode = false;
  expect(session.getActiveTools()).toHaveLength(6);
});
