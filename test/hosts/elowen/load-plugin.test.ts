// What `loadPlugin` takes, what it refuses, and what is left of a plugin that fails, is unloaded or comes twice.
import { getEventListeners } from "node:events";
import { createExecutor, defineTool as defineOurTool, type PluginToolMetadata, Type } from "nestcall";
import { loadPlugin, type Plugin, type PluginContext } from "nestcall/elowen";
import { createGate } from "nestcall/testing";
import { expect, test } from "vitest";
import { answer, listLogger, load, pluginOf, pluginTool, rejection } from "../../helpers/elowen.js";
import { endOf, textOf, tool } from "../../helpers/engine.js";

test("a registry will do in place of an executor", async () => {
  const { registry } = createExecutor();
  await loadPlugin(pluginOf([pluginTool("T")]), { registry });
  expect(registry.getActiveTools()).toEqual(["T"]);
});

test.each([
  [undefined, /must be an object with an executor or a registry, not undefined/],
  [{}, /must have an executor made by createExecutor, or its registry/],
  [{ executor: {} }, /must have an executor/],
  [{ registry: {} }, /must have an executor/],
  [{ executer: createExecutor() }, /have no "executer"; did you mean "executor"\?/],
  [{ executor: createExecutor(), logger: { info() {} } }, /logger must have the functions debug, info, warn, error/],
  [{ executor: createExecutor(), context: "x" }, /context must be an object, not the string "x"/],
  [{ executor: createExecutor(), signal: {} }, /signal must be an AbortSignal/],
])("the options %o are refused by name", async (options, told) => {
  const error = await rejection(loadPlugin(pluginOf([]), options as never));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(told) });
  expect(error.message).toMatch(/^Plugin "p": /);
});

test.each([
  [null, /loadPlugin takes \{ manifest, register \}; it got null/],
  [{ register() {} }, /manifest must be an object, not undefined/],
  [{ manifest: { name: "p" } }, /Plugin "p": register must be a function, not undefined/],
])("the plugin %o is refused", async (plugin, told) => {
  const error = await rejection(loadPlugin(plugin as never, { executor: createExecutor() }));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(told) });
});

test("a bad tool fails the load with its own code, both names, and nothing registered", async () => {
  const executor = createExecutor();
  const bad = pluginTool("Bad", undefined, { parameters: Type.String() });
  const error = await rejection(load(pluginOf([pluginTool("Good"), bad]), { executor }));
  expect(error.code).toBe("INVALID_TOOL");
  expect(error.message).toMatch(/^Plugin "p" was not loaded: Tool "Bad": parameters must/);
  expect(executor.registry.getAllTools()).toEqual([]);
});

test.each([undefined, null, "why", 5])("a register that throws %j is reported all the same", async (thrown) => {
  const plugin: Plugin = {
    manifest: { name: "p" },
    register() {
      throw thrown;
    },
  };
  const error = await rejection(load(plugin));
  expect(error).toMatchObject({ code: "HOOK_FAILED", message: expect.stringMatching(/^Plugin "p" was not loaded: ./) });
});

test("a plugin that failed cannot register afterwards, and its name is free for a better one", async () => {
  const executor = createExecutor();
  let late: PluginContext | undefined;
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      late = ctx;
      throw new Error("no");
    },
  };
  await rejection(load(plugin, { executor }));
  expect(() => late?.registerTool(pluginTool("T"))).toThrow(/"T"\) came too late: it was not loaded/);
  await load(pluginOf([pluginTool("T")]), { executor });
  expect(executor.registry.getActiveTools()).toEqual(["T"]);
});

test("two plugins of one name would own each other's tools: the second is refused, also while the first loads", async () => {
  const executor = createExecutor();
  const gate = createGate();
  const first = loadPlugin({ manifest: { name: "p" }, register: () => gate.promise }, { executor });
  const early = await rejection(load(pluginOf([pluginTool("T")]), { executor }));
  gate.open();
  await first;
  const late = await rejection(load(pluginOf([pluginTool("T")]), { executor }));
  for (const error of [early, late])
    expect(error.message).toMatch(/^Plugin "p" is loaded already; unload\(\) it first/);
  expect(executor.registry.has("T")).toBe(false);
  await load(pluginOf([pluginTool("T")])); // another registry is another matter
});

test("unload withdraws the tools, their output's rule and the way to register; the plugin may be loaded anew", async () => {
  const executor = createExecutor();
  const { registry } = executor;
  let ctx: PluginContext | undefined;
  const plugin: Plugin = {
    manifest: { name: "p", showOutput: ["*"], planSafe: ["T"] },
    register(own) {
      ctx = own;
      own.registerTool(pluginTool("T"), { external: true });
      own.registerTool(pluginTool("Old"));
    },
  };
  const { loaded } = await load(plugin, { executor });
  loaded.unload();
  loaded.unload();
  expect(registry.session.getAllTools()).toEqual([]);
  expect(endOf(await executor.executeTool("T"))).toBe("UNKNOWN_TOOL");
  expect(registry.isOutputShown("T")).toBe(false);
  expect(loaded.report()).toMatchObject({ tools: [], withoutEffect: [{ field: "showOutput" }, { field: "planSafe" }] });
  expect(() => ctx?.registerTool(pluginTool("T"))).toThrow(/came too late: it was unloaded/);

  await load(pluginOf([pluginTool("T", () => answer("new"))]), { executor });
  loaded.unload(); // of the old one: the new one is not its affair
  expect(registry.session.getAllTools().map(({ name }) => name)).toEqual(["T"]);
  expect(textOf(await executor.executeTool("T"))).toBe("new");
  expect((await rejection(load(pluginOf([]), { executor }))).message).toMatch(/is loaded already/);
});

test("the first owner of a name keeps it, and its metadata; the loser is warned and reports both owners", async () => {
  const executor = createExecutor();
  const make = (name: string, external: boolean): Plugin => ({
    manifest: {
      name,
      planSafe: ["Search"],
      showOutput: ["Search"],
      provides: { tools: ["Search"], readOnlyTools: ["Search"] },
    },
    register: (ctx) =>
      ctx.registerTool(
        pluginTool("Search", () => answer(name)),
        { external },
      ),
  });
  await load({ ...make("first", true), manifest: { name: "first" } }, { executor });
  const { loaded, logged } = await load(make("second", false), { executor });
  expect(executor.registry.getMetadata("Search")).toEqual({
    name: "Search",
    external: true,
    owner: "first",
    ownerUserId: undefined,
    projectId: undefined,
    platform: undefined,
    planSafe: false,
    readOnly: false,
  } satisfies PluginToolMetadata);
  expect(executor.registry.isOutputShown("Search")).toBe(false);
  expect(textOf(await executor.executeTool("Search"))).toBe("first");
  expect(loaded.report().collisions).toEqual([{ name: "Search", owner: "first", rejectedOwner: "second" }]);
  expect(logged).toEqual(['warn [second] the tool "Search" is left out: the plugin "first" has a tool of this name']);
});

test("a tool may be registered later and replaced, with the manifest's rules; it is listed then", async () => {
  let ctx: PluginContext | undefined;
  const plugin: Plugin = {
    manifest: { name: "p", deferLoading: ["Lazy*"], planSafe: ["LazyLate"], showOutput: ["Lazy*"] },
    register: (own) => void (ctx = own),
  };
  const { executor } = await load(plugin);
  const { registry } = executor;
  ctx?.registerTool(pluginTool("LazyLate"), { platform: "web" });
  ctx?.registerTool(
    pluginTool("LazyLate", () => answer("replaced")),
    { platform: "web" },
  );
  expect(registry.get("LazyLate")?.exposure).toBe("deferred");
  expect(registry.getMetadata("LazyLate")).toMatchObject({ owner: "p", planSafe: true, platform: "web" });
  expect(registry.isOutputShown("LazyLate")).toBe(true);
  const session = registry.forSession({ platform: "web" });
  expect(textOf(await executor.executeTool("LazyLate", {}, { session }))).toBe("replaced");
});

test("options scope a tool to an account, a project and a platform; ids may be numbers", async () => {
  const { executor } = await load({
    manifest: { name: "p" },
    register(ctx) {
      ctx.registerTool(pluginTool("Mine"), { ownerUserId: 7 });
      ctx.registerTool(pluginTool("Ours"), { projectId: "p1" });
      ctx.registerTool(pluginTool("Here"), { platform: "web" });
      ctx.registerTool(pluginTool("Everywhere"));
    },
  });
  const { registry } = executor;
  const names = (options: Parameters<typeof registry.forSession>[0]) => registry.forSession(options).getActiveTools();
  expect(names({ userId: "7" })).toEqual(["Mine", "Everywhere"]);
  expect(names({ projectIds: ["p1"], userId: "8" })).toEqual(["Ours", "Everywhere"]);
  expect(names({ platform: "web" })).toEqual(["Here", "Everywhere"]);
  expect(names({})).toEqual(["Everywhere"]);
});

test.each([
  [{ ownerUserId: null }, /ownerUserId must be an id, or left out, not null/],
  [{ ownerUserId: "" }, /ownerUserId must be an id/],
  [{ projectId: 1.5 }, /projectId must be an id/],
  [{ platform: 3 }, /platform must be an id/],
  [{ plattform: "web" }, /has no option "plattform"; did you mean "platform"\?/],
  ["web", /takes an object as its second argument; it got the string "web"/],
  [null, /takes an object as its second argument; it got null/],
])("the options %j of a registration are refused by name", async (options, told) => {
  const plugin: Plugin = {
    manifest: { name: "p" },
    register: (ctx) => ctx.registerTool(pluginTool("T"), options as never),
  };
  const error = await rejection(load(plugin));
  expect(error.message).toMatch(told);
  expect(error.message).toMatch(/^Plugin "p": ctx\.registerTool\("T"\)/);
});

test("sessions are asked for the grant of a plugin by its name, and the listing leaves out what is not granted", async () => {
  const executor = createExecutor({ tools: [tool("host_tool", () => {})] });
  for (const name of ["a", "b"]) await load(pluginOf([pluginTool(`Of${name}`)], { name }), { executor });
  const session = executor.registry.forSession({ isGranted: (owner) => owner === "b" });
  expect(session.getActiveTools()).toEqual(["host_tool", "Ofb"]);
});

test("context adds members to the plugin's, and never replaces one", async () => {
  const seen: unknown[] = [];
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      const { dataDir } = ctx as unknown as { dataDir(): string };
      seen.push(dataDir(), typeof ctx.currentAccess, Object.isFrozen(ctx));
      ctx.registerTool(pluginTool("T"));
    },
  };
  const context = { dataDir: () => "/data", registerTool: () => seen.push("replaced") };
  const { executor } = await load(plugin, { context });
  expect(seen).toEqual(["/data", "function", true]);
  expect(executor.registry.has("T")).toBe(true);
});

test("an abort ends the wait for register at once, leaves no listener, and nothing of the plugin", async () => {
  const { executor, controller, gate } = {
    executor: createExecutor(),
    controller: new AbortController(),
    gate: createGate(),
  };
  const reason = new Error("stop");
  const late: unknown[] = [];
  const plugin: Plugin = {
    manifest: { name: "p" },
    async register(ctx) {
      await gate.promise;
      try {
        ctx.registerTool(pluginTool("T"));
      } catch (error) {
        late.push(error);
      }
      throw new Error("nobody hears this");
    },
  };
  const { signal } = controller;
  const loading = loadPlugin(plugin, { executor, signal });
  controller.abort(reason);
  expect(await rejection(loading)).toBe(reason);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  gate.open();
  await expect.poll(() => late).toMatchObject([{ message: expect.stringMatching(/came too late/) }]);
  expect(executor.registry.has("T")).toBe(false);

  let isCalled = false;
  const never = loadPlugin({ manifest: { name: "q" }, register: () => void (isCalled = true) }, { executor, signal });
  expect([await rejection(never), isCalled]).toEqual([reason, false]);
});

test("a load that goes well leaves no listener on the signal either", async () => {
  const { signal } = new AbortController();
  const { executor } = await load(pluginOf([pluginTool("T")]), { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(executor.registry.has("T")).toBe(true);
});

test("register is called on the plugin, so that it may be a class", async () => {
  class Counter {
    readonly manifest = { name: "counter" };
    readonly #tool = pluginTool("Count");
    register(ctx: PluginContext): void {
      ctx.registerTool(this.#tool);
    }
  }
  const { executor } = await load(new Counter());
  expect(executor.registry.has("Count")).toBe(true);
});

test("plugins and our own tools stand side by side and call each other under the same guards", async () => {
  const executor = createExecutor();
  executor.registry.register(
    defineOurTool({
      name: "ours",
      description: "Ours.",
      inputSchema: Type.Object({}),
      execute: async (_args, ctx) => textOf(await ctx.executeTool("Theirs")),
    }),
  );
  await load(pluginOf([pluginTool("Theirs", () => answer("from the plugin"))]), { executor });
  const seen: string[] = [];
  executor.on("tool_call", ({ toolName, depth }) => void seen.push(`${toolName} ${depth}`));
  expect(textOf(await executor.executeTool("ours"))).toBe("from the plugin");
  expect(seen).toEqual(["ours 0", "Theirs 1"]);
});

test("a logger that throws, and values that cannot be shown, fail nothing", async () => {
  const { logger, logged } = listLogger();
  const broken = { ...logger, info: () => void JSON.parse("{") };
  const odd = {
    get [Symbol.toStringTag]() {
      throw new Error("no");
    },
  };
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      ctx.logger.info("lost");
      ctx.logger.warn("odd", odd);
      ctx.logger.error("kept", new Error("why").message);
    },
  };
  await load(plugin, { logger: broken });
  expect(logged.at(-1)).toBe("error [p] kept why");
});
