// A definition is taken in when it is registered: what becomes of the object later changes no tool.
import { createExecutor, defineTool as defineOurTool, Type } from "nestcall";
import { defineTool, loadPlugin, type Plugin, type PluginContext } from "nestcall/elowen";
import { expect, test } from "vitest";
import { answer, listLogger, load, pluginOf, pluginTool, rejection } from "../../helpers/elowen.js";
import { endOf, textOf } from "../../helpers/engine.js";

const NAMES = ["p_a", "p_b", "p_c"];

/** One object, changed for each tool. */
function reusing(manifest: Partial<Plugin["manifest"]> = {}): Plugin {
  return {
    manifest: { name: "p", ...manifest },
    register(ctx) {
      const definition = { ...pluginTool("none") } as {
        -readonly [Part in keyof ReturnType<typeof pluginTool>]: unknown;
      };
      const guidelines: string[] = [];
      for (const name of NAMES) {
        definition.name = name;
        definition.description = `Does ${name}.`;
        guidelines.splice(0, 1, `Use ${name}.`);
        definition.promptGuidelines = guidelines;
        definition.execute = () => answer(`ran ${name}`);
        ctx.registerTool(definition as never);
      }
    },
  };
}

test.each([{}, { deferLoading: ["p_*"] }])(
  "one object registered as three tools is three tools (%j)",
  async (manifest) => {
    const { executor, loaded } = await load(reusing(manifest));
    const { registry } = executor;
    const exposure = "deferLoading" in manifest ? "deferred" : "direct";
    expect(registry.getAllTools().map((info) => [info.name, info.description, info.exposure])).toEqual(
      NAMES.map((name) => [name, `Does ${name}.`, exposure]),
    );
    for (const name of NAMES) {
      expect(textOf(await executor.executeTool(name))).toBe(`ran ${name}`);
      expect(registry.get(name)?.guidelines).toEqual([`Use ${name}.`]);
    }
    loaded.unload();
    expect(registry.session.getAllTools()).toEqual([]);
    for (const name of NAMES) expect(endOf(await executor.executeTool(name))).toBe("UNKNOWN_TOOL");
  },
);

test("a definition that turns bad after it was registered is still the tool that it was", async () => {
  let definition: { name?: unknown; parameters?: unknown; execute?: unknown } = {};
  const plugin: Plugin = {
    manifest: { name: "p", deferLoading: ["*"] },
    register(ctx) {
      ctx.registerTool(pluginTool("first"));
      definition = { ...pluginTool("second") };
      ctx.registerTool(definition as never);
      Object.assign(definition, { name: "not a name", parameters: 5, execute: "x" });
    },
  };
  const { executor, loaded } = await load(plugin);
  expect(executor.registry.getAllTools().map(({ name }) => name)).toEqual(["first", "second"]);
  expect(textOf(await executor.executeTool("second"))).toBe("ran");
  loaded.unload();
  expect(executor.registry.session.getAllTools()).toEqual([]);
});

test("a schema that cannot be shown is refused at registerTool, so that nothing is registered", async () => {
  let isBroken = false;
  const parameters = {
    "~standard": {
      version: 1,
      vendor: "moody",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input() {
          if (isBroken) throw new Error("not now");
          return { type: "object" };
        },
      },
    },
  };
  const executor = createExecutor();
  const plugin: Plugin = {
    manifest: { name: "p" },
    register(ctx) {
      ctx.registerTool(pluginTool("first"));
      ctx.registerTool(pluginTool("second", undefined, { parameters }));
      isBroken = true;
    },
  };
  const { executor: loadedOn } = await load(plugin, { executor });
  expect(loadedOn.registry.getAllTools().map(({ name }) => name)).toEqual(["first", "second"]);
  const early = await rejection(
    load(
      pluginOf([pluginTool("third"), pluginTool("fourth", undefined, { parameters: { ...parameters } })], {
        name: "q",
      }),
      {
        executor,
      },
    ),
  );
  expect(early.code).toBe("INVALID_TOOL");
  expect(executor.registry.has("third")).toBe(false);
});

test("a getter that throws is named, and with it the tool; each is read once", async () => {
  let reads = 0;
  const moody = {
    ...pluginTool("moody"),
    get label(): string {
      throw new Error("no label today");
    },
  };
  expect(() => defineTool(moody)).toThrow(
    expect.objectContaining({
      code: "INVALID_TOOL",
      message: expect.stringMatching(/^Tool "moody": label throws when it is read \(no label today\)\.$/),
    }),
  );
  const counted = {
    ...pluginTool("counted"),
    get execute() {
      reads += 1;
      return () => answer("ran");
    },
  };
  await load(pluginOf([counted]));
  expect(reads).toBe(1);
});

test("a registry that refuses one tool of a plugin has none of them", async () => {
  const executor = createExecutor();
  const { registry } = executor;
  const { register } = registry;
  registry.register = (tool, options) => {
    if (tool.name === "p_c" && tool.exposure !== "hidden") throw new Error("full");
    return register.call(registry, tool, options);
  };
  const { logger } = listLogger();
  let late: PluginContext | undefined;
  const plugin = reusing({ showOutput: ["p_*"] });
  const keeping: Plugin = {
    ...plugin,
    register(ctx) {
      late = ctx;
      return plugin.register(ctx);
    },
  };
  const error = await rejection(loadPlugin(keeping, { executor, logger }));
  expect(error.message).toBe('Plugin "p" was not loaded: full');
  expect(registry.session.getAllTools()).toEqual([]);
  expect(registry.isOutputShown("p_a")).toBe(false);
  expect(() => late?.registerTool(pluginTool("x"))).toThrow(/it was not loaded/);
  registry.register = register;
  registry.register(
    defineOurTool({ name: "fine", description: "F.", inputSchema: Type.Object({}), execute: () => "" }),
  );
  await load(reusing(), { executor });
  expect(registry.session.getActiveTools().sort()).toEqual(["fine", ...NAMES]);
});
