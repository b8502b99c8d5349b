// Rows of features.md about plugins and their manifests: E1 to E5, E15, E30 to E33, E50 to E55.
import { createExecutor } from "nestcall";
import { loadPlugin, type Plugin, type PluginManifest } from "nestcall/elowen";
import { createGate } from "nestcall/testing";
import { callDrawing, drawingToText } from "nestcall/trace";
import { afterEach, expect, test, vi } from "vitest";
import { answer, listLogger, load, pluginOf, pluginTool, rejection } from "../helpers/elowen.js";
import { endOf, eventsOf, textOf, tool } from "../helpers/engine.js";
import * as echo from "../hosts/elowen/samples/echo.mjs";

afterEach(() => {
  vi.restoreAllMocks();
});

test("E1: a synchronous and an asynchronous register have both finished before the first listing", async () => {
  const executor = createExecutor();
  const gate = createGate();
  const slow: Plugin = {
    manifest: { name: "slow" },
    async register(ctx) {
      ctx.registerTool(pluginTool("Early"));
      await gate.promise;
      ctx.registerTool(pluginTool("Late"));
    },
  };
  const loading = loadPlugin(slow, { executor });
  await load(pluginOf([pluginTool("Quick")]), { executor });
  expect(executor.registry.getActiveTools()).toEqual(["Quick"]); // of an unfinished plugin nothing is there
  gate.open();
  await loading;
  expect(executor.registry.getActiveTools()).toEqual(["Quick", "Early", "Late"]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no such folder");
    },
  ],
  ["rejects", async () => Promise.resolve().then(() => Promise.reject(new Error("no such folder")))],
] as const)(
  "E1: a register that %s is reported by the plugin's name, and nothing of it is registered",
  async (_how, fail) => {
    const executor = createExecutor();
    const plugin: Plugin = {
      manifest: { name: "broken" },
      register(ctx) {
        ctx.registerTool(pluginTool("Half"));
        return fail();
      },
    };
    const error = await rejection(loadPlugin(plugin, { executor }));
    expect(error).toMatchObject({
      name: "NestcallError",
      code: "HOOK_FAILED",
      message: 'Plugin "broken" was not loaded: no such folder',
      cause: expect.objectContaining({ message: "no such folder" }),
    });
    expect(executor.registry.getAllTools()).toEqual([]);
  },
);

test("E2: the documents' sample registers and is callable as it stands", async () => {
  const { executor, logged } = await load({ manifest: { name: "echo" }, ...echo });
  expect(executor.registry.getAllTools()).toMatchObject([{ name: "EchoText", title: "Echo", exposure: "direct" }]);
  const outcome = await executor.executeTool("EchoText", { value: "hello" });
  expect([endOf(outcome), textOf(outcome), outcome.result.details]).toEqual(["ok", "hello", {}]);
  expect(logged).toEqual(["info [echo] EchoText is registered"]);
});

test("E3: execute gets the id of its call first, the one that the start event has", async () => {
  const ids: string[] = [];
  const keep = (callId: string) => {
    ids.push(callId);
    return answer("ran");
  };
  const { executor } = await load(
    pluginOf([
      pluginTool("Inner", keep),
      pluginTool("Outer", async (callId, _params, _signal, _onUpdate, ctx) => {
        keep(callId);
        await ctx.executeTool("Inner");
        return answer("ran");
      }),
    ]),
  );
  const events = eventsOf(executor);
  await executor.executeTool("Outer", {}, { toolCallId: "T" });
  const started = events.filter(({ type }) => type === "tool_execution_start").map(({ toolCallId }) => toolCallId);
  expect(ids).toEqual(["T", "T/1"]);
  expect(started).toEqual(ids);
});

test.each([
  ["without content", { details: {} }],
  ["with content that is no list", { content: "text", details: {} }],
  ["with a block of an unknown type", { content: [{ type: "video", url: "x" }], details: {} }],
  ["with a text block without text", { content: [{ type: "text" }], details: {} }],
  ["that is a text", "text"],
  ["that is a list", [{ type: "text", text: "x" }]],
  ["that is nothing", undefined],
] as const)("E4: a result %s is refused by name, given at once or later", async (_what, result) => {
  const { executor } = await load(
    pluginOf([pluginTool("Now", () => result as never), pluginTool("Later", async () => result as never)]),
  );
  for (const name of ["Now", "Later"]) {
    const outcome = await executor.executeTool(name);
    expect(endOf(outcome)).toBe("INVALID_RESULT");
    expect(textOf(outcome)).toMatch(new RegExp(`^Tool "${name}" returned (a result whose content|an array)`));
  }
});

test("E5: a plugin's log lines carry its name, go to stderr and never to stdout", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const stdout = [
    vi.spyOn(process.stdout, "write").mockReturnValue(true),
    vi.spyOn(console, "log"),
    vi.spyOn(console, "info"),
    vi.spyOn(console, "debug"),
    vi.spyOn(console, "warn"),
  ];
  const plugin: Plugin = {
    manifest: { name: "weather" },
    register({ logger, registerTool }) {
      logger.debug("one");
      logger.info("two\nlines");
      logger.warn("three", { n: 3 });
      logger.error("four", "%s");
      registerTool(
        pluginTool("Forecast", () => {
          logger.info("from a call");
          return answer("rain");
        }),
      );
    },
  };
  const executor = createExecutor();
  await loadPlugin(plugin, { executor });
  await executor.executeTool("Forecast");
  expect(written.mock.calls).toEqual([
    ["debug [weather] one"],
    ["info [weather] two\ninfo [weather] lines"],
    ["warn [weather] three { n: 3 }"],
    ["error [weather] four %s"],
    ["info [weather] from a call"],
  ]);
  for (const spy of stdout) expect(spy).not.toHaveBeenCalled();
});

test("E5: a host's own logger gets the lines", async () => {
  const { logger, logged } = listLogger();
  await loadPlugin(
    { manifest: { name: "p" }, register: (ctx) => ctx.logger.debug("here") },
    { executor: createExecutor(), logger },
  );
  expect(logged).toEqual(["debug [p] here"]);
});

test.each(["yes", 1, null, {}])("E15: external must be a boolean; %j is refused by name", async (external) => {
  const plugin: Plugin = {
    manifest: { name: "p" },
    register: (ctx) => ctx.registerTool(pluginTool("T"), { external: external as never }),
  };
  const error = await rejection(load(plugin));
  expect(error.message).toMatch(/^Plugin "p": ctx\.registerTool\("T"\): external must be true or false, not /);
  expect(error.code).toBe("INVALID_ARGUMENTS");
});

test("E15: omitted reads false, and given reads as given", async () => {
  const { executor } = await load({
    manifest: { name: "p" },
    register(ctx) {
      ctx.registerTool(pluginTool("Omitted"));
      ctx.registerTool(pluginTool("Empty"), {});
      ctx.registerTool(pluginTool("mcp__x__no"), { external: false });
      ctx.registerTool(pluginTool("Theirs"), { external: true });
    },
  });
  const external = (name: string) => executor.registry.getMetadata(name)?.external;
  expect(["Omitted", "Empty", "mcp__x__no", "Theirs"].map(external)).toEqual([false, false, false, true]);
});

const bridge = (manifest: Partial<PluginManifest>): Plugin => ({
  manifest: { name: "bridge", ...manifest },
  register(ctx) {
    ctx.registerTool(pluginTool("mcp__a__read"), { external: true });
    ctx.registerTool(pluginTool("mcp__a__internal"));
    ctx.registerTool(pluginTool("OtherExternal"), { external: true });
  },
});

test("E30: mcp__* classifies the plugin's own external tools of that name, and nothing else", async () => {
  const executor = createExecutor();
  const other: Plugin = {
    manifest: { name: "other" },
    register: (ctx) => ctx.registerTool(pluginTool("mcp__b__read"), { external: true }),
  };
  await load(other, { executor });
  await load(bridge({ provides: { tools: ["mcp__*", "OtherExternal"], readOnlyTools: ["mcp__*"] } }), { executor });
  const names = executor.registry.getAllTools().map(({ name }) => name);
  const readOnly = names.filter((name) => executor.registry.getMetadata(name)?.readOnly);
  expect(names).toEqual(["mcp__b__read", "mcp__a__read", "mcp__a__internal", "OtherExternal"]);
  expect(readOnly).toEqual(["mcp__a__read"]);
});

test.each([[undefined], [[]], [["mcp__a__read"]], [["mcp__a__*"]], [["*"]]])(
  "E31: mcp__* needs the same entry in provides.tools; with %j the load is refused and the pattern named",
  async (tools) => {
    const executor = createExecutor();
    const provides = { ...(tools === undefined ? {} : { tools }), readOnlyTools: ["mcp__*"] };
    const error = await rejection(load(bridge({ provides }), { executor }));
    expect(error.message).toMatch(/^Plugin "bridge": manifest\.provides\.readOnlyTools has "mcp__\*", which/);
    expect(error.code).toBe("INVALID_ARGUMENTS");
    expect(executor.registry.getAllTools()).toEqual([]);
  },
);

test("E31: no other pattern is taken", async () => {
  for (const pattern of ["*", "mcp__a__*", "Note*"]) {
    const provides = { tools: ["mcp__*", pattern], readOnlyTools: [pattern] };
    expect((await rejection(load(bridge({ provides })))).message).toContain(`"${pattern}" is another pattern`);
  }
});

test("E32: an exact name has to be declared, and may not be another owner's", async () => {
  const undeclared = await rejection(load(bridge({ provides: { readOnlyTools: ["OtherExternal"] } })));
  expect(undeclared.message).toMatch(/readOnlyTools names "OtherExternal", which provides\.tools does not declare/);

  const executor = createExecutor({ tools: [tool("of_host", () => {})] });
  await load(pluginOf([pluginTool("Theirs")], { name: "first" }), { executor });
  for (const [name, owner] of [
    ["Theirs", 'the plugin "first"'],
    ["of_host", "the host"],
  ]) {
    const provides = { tools: ["*"], readOnlyTools: [name as string] };
    const error = await rejection(load(bridge({ provides }), { executor }));
    expect(error.message).toBe(
      `Plugin "bridge": manifest.provides.readOnlyTools names "${name}", which belongs to ${owner}.`,
    );
    expect(executor.registry.getMetadata(name as string)?.readOnly).toBe(false);
  }
  expect(executor.registry.has("OtherExternal")).toBe(false);
});

test("E32: an exact name classifies the plugin's own tool, internal or external", async () => {
  const readOnlyTools = ["mcp__a__internal", "OtherExternal"];
  const { executor } = await load(bridge({ provides: { tools: readOnlyTools, readOnlyTools } }));
  const names = executor.registry.getAllTools().map(({ name }) => name);
  expect(names.filter((name) => executor.registry.getMetadata(name)?.readOnly)).toEqual(readOnlyTools);
});

test("E33: a read-only classification opens neither guard nor plan mode, and changes neither output nor deferral", async () => {
  const provides = { tools: ["mcp__*", "OtherExternal"], readOnlyTools: ["mcp__*", "OtherExternal"] };
  const { executor } = await load(bridge({ provides, deferLoading: ["Other*"] }));
  const { registry } = executor;
  expect(registry.getMetadata("OtherExternal")?.readOnly).toBe(true);
  const planning = await executor.executeTool("mcp__a__read", {}, { session: registry.forSession({ planMode: true }) });
  expect(textOf(planning)).toMatch(/not available in plan mode/);
  const ungranted = registry.forSession({ isGranted: () => false });
  expect(endOf(await executor.executeTool("mcp__a__read", {}, { session: ungranted }))).toBe("BLOCKED");
  executor.on("tool_call", () => ({ block: true, reason: "the guard says no" }));
  expect(textOf(await executor.executeTool("mcp__a__read"))).toBe("the guard says no");
  expect(registry.isOutputShown("mcp__a__read")).toBe(false);
  expect(registry.getActiveTools()).toEqual(["mcp__a__read", "mcp__a__internal"]);
});

test("E50: a list of calls shows the output of tools in showOutput, failures of every tool, and else the call alone", async () => {
  const fail = () => {
    throw new Error("it broke");
  };
  const { executor } = await load(
    pluginOf([pluginTool("ShownTool"), pluginTool("QuietTool"), pluginTool("FailingTool", fail)], {
      showOutput: ["Shown*"],
    }),
  );
  const { registry } = executor;
  const shown = async (name: string) => drawingToText(callDrawing(await executor.executeTool(name), { registry }));
  expect(await shown("QuietTool")).not.toContain("ran");
  expect(await shown("ShownTool")).toContain("ran");
  expect(await shown("FailingTool")).toContain("it broke");
});

test("E50: showOutput is about the plugin's own tools", async () => {
  const executor = createExecutor({ tools: [tool("HostTool", () => "ran")] });
  await load(pluginOf([pluginTool("Own")], { showOutput: ["*"] }), { executor });
  expect(["Own", "HostTool", "Unknown"].map((name) => executor.registry.isOutputShown(name))).toEqual([
    true,
    false,
    false,
  ]);
});

test("E51: plan mode shows the host's read-only tools and the exact names in planSafe", async () => {
  const executor = createExecutor({
    tools: [tool("look", () => "seen", { effect: "read" }), tool("change", () => "done", { effect: "write" })],
  });
  const claims = { annotations: { readOnlyHint: true } };
  await load(
    pluginOf([pluginTool("Safe"), pluginTool("Unsafe"), pluginTool("Claims", undefined, claims)], {
      planSafe: ["Safe"],
    }),
    {
      executor,
    },
  );
  const session = executor.registry.forSession({ planMode: true });
  expect(session.getActiveTools()).toEqual(["look", "Safe"]);
  const ends = ["look", "Safe", "Unsafe", "Claims", "change"].map(async (name) =>
    endOf(await executor.executeTool(name, {}, { session })),
  );
  expect(await Promise.all(ends)).toEqual(["ok", "ok", "BLOCKED", "BLOCKED", "BLOCKED"]);
});

test.each(["Safe*", "*", "mcp__*", "a b", "Safe?"])(
  "E51: the pattern %j in planSafe is a load error",
  async (pattern) => {
    const error = await rejection(load(pluginOf([pluginTool("SafeOne")], { planSafe: ["Fine", pattern] })));
    expect(error.message).toBe(`Plugin "p": manifest.planSafe takes exact names of tools; "${pattern}" is a pattern.`);
  },
);

test("E52: deferLoading defers what fits, also in a session of two tools, and only the plugin's own", async () => {
  const executor = createExecutor({ tools: [tool("BigHost", () => "ran")] });
  await load(pluginOf([pluginTool("BigTool"), pluginTool("Small")], { deferLoading: ["Big*"] }), { executor });
  expect(executor.registry.getActiveTools()).toEqual(["BigHost", "Small"]);
  expect(executor.registry.get("BigTool")?.exposure).toBe("deferred");
  const session = executor.registry.forSession();
  expect(session.activate(["BigTool"]).activated).toEqual(["BigTool"]);
  const { outcomes } = await executor.executeBatch([{ id: "m", name: "BigTool" }], { session });
  expect(endOf(outcomes[0] as never)).toBe("ok");
});

test("E53: a deferred tool that is planSafe is absent in plan mode until it is searched for", async () => {
  const { executor } = await load(
    pluginOf([pluginTool("ReadLedger"), pluginTool("WriteLedger")], {
      planSafe: ["ReadLedger"],
      deferLoading: ["*Ledger"],
    }),
  );
  const session = executor.registry.forSession({ planMode: true });
  expect(session.getActiveTools()).toEqual([]);
  const found = session.searchTools("ledger").map(({ name }) => name);
  expect(found).toEqual(["ReadLedger"]);
  session.activate(found);
  expect(session.getActiveTools()).toEqual(["ReadLedger"]);
});

test("E54: the report tells what was declared and not registered, and the other way round, from what is registered now", async () => {
  const executor = createExecutor({ tools: [tool("Taken", () => {})] });
  let registerLater = () => {};
  const plugin: Plugin = {
    manifest: { name: "p", provides: { tools: ["Kept", "Absent", "Later", "Taken", "mcp__*", "no__*"] } },
    register(ctx) {
      for (const name of ["Kept", "Undeclared", "mcp__a__b", "Taken"]) ctx.registerTool(pluginTool(name));
      registerLater = () => ctx.registerTool(pluginTool("Later"));
    },
  };
  const { loaded, logged } = await load(plugin, { executor });
  expect(loaded.report()).toEqual({
    plugin: "p",
    tools: ["Kept", "Undeclared", "mcp__a__b"],
    declaredNotRegistered: ["Absent", "Later", "Taken", "no__*"],
    registeredNotDeclared: ["Undeclared"],
    collisions: [{ name: "Taken", owner: undefined, rejectedOwner: "p" }],
    withoutEffect: [],
  });
  expect(logged).toEqual(['warn [p] the tool "Taken" is left out: the host has a tool of this name']);
  registerLater();
  expect(loaded.report()).toMatchObject({
    tools: ["Kept", "Undeclared", "mcp__a__b", "Later"],
    declaredNotRegistered: ["Absent", "Taken", "no__*"],
  });
});

test("E55: names that stand in a manifest only are unknown everywhere", async () => {
  const lists = { showOutput: ["Ghost"], planSafe: ["Ghost"], deferLoading: ["Ghost"] };
  const { executor, loaded } = await load(
    pluginOf([], { ...lists, provides: { tools: ["Ghost"], readOnlyTools: ["Ghost"] } }),
  );
  expect(endOf(await executor.executeTool("Ghost"))).toBe("UNKNOWN_TOOL");
  expect(executor.registry.has("Ghost")).toBe(false);
  expect(loaded.report()).toMatchObject({
    declaredNotRegistered: ["Ghost"],
    withoutEffect: ["showOutput", "planSafe", "deferLoading", "provides.readOnlyTools"].map((field) => ({
      field,
      entry: "Ghost",
    })),
  });
});
