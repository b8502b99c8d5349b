// What a manifest may say, and what the refusal of another one says.
import { expect, test } from "vitest";
import { load, pluginOf, pluginTool, rejection } from "../../helpers/elowen.js";

test("a whole manifest of Elowen's is taken; what has no meaning here is left to the host", async () => {
  const manifest = {
    name: "weather",
    version: "1.2.0",
    apiVersion: "1",
    requiresCore: "0.28.13",
    description: "Tells the weather.",
    entry: "index.mjs",
    label: "Weather",
    icon: "icon.svg",
    icons: { Forecast: "🌦" },
    capabilities: { network: true },
    configSchema: [],
    userConfigSchema: [],
    userGrantable: true,
    web: { entry: "web/index.js" },
    showOutput: ["Forecast"],
    planSafe: ["Forecast"],
    deferLoading: [],
    provides: { tools: ["Forecast"], skills: ["weather"], apiRoutes: ["status"] },
  };
  const { loaded } = await load({ ...pluginOf([pluginTool("Forecast")]), manifest });
  expect(loaded.name).toBe("weather");
  expect(loaded.report()).toMatchObject({ tools: ["Forecast"], declaredNotRegistered: [], withoutEffect: [] });
});

test("the manifest is read when the plugin is loaded; later changes of the object change nothing", async () => {
  const planSafe = ["T"];
  const { executor, loaded } = await load(pluginOf([pluginTool("T")], { planSafe }));
  planSafe.push("Ghost");
  expect(loaded.report().withoutEffect).toEqual([]);
  expect(executor.registry.getMetadata("T")?.planSafe).toBe(true);
});

test.each([
  [{ name: "" }, 'A plugin\'s manifest.name must be a text of one line, not the string "".'],
  [{ name: " " }, 'A plugin\'s manifest.name must be a text of one line, not the string " ".'],
  [{ name: 5 }, "A plugin's manifest.name must be a text of one line, not 5."],
  [{ name: "a\nb" }, 'A plugin\'s manifest.name must be a text of one line, not the string "a\\nb".'],
  [{ plansafe: ["T"] }, 'Plugin "p": manifest.plansafe is no field that is known here; did you mean "planSafe"?'],
  [
    { provides: { tool: ["T"] } },
    'Plugin "p": manifest.provides.tool is no field that is known here; did you mean "tools"?',
  ],
  [{ provides: ["T"] }, 'Plugin "p": manifest.provides must be an object, not an array.'],
  [{ showOutput: "T" }, 'Plugin "p": manifest.showOutput must be a list of names, not the string "T".'],
  [{ deferLoading: [5] }, 'Plugin "p": manifest.deferLoading must be a list of names; it contains 5.'],
  [{ planSafe: [""] }, 'Plugin "p": manifest.planSafe must be a list of names; it contains the string "".'],
  [{ provides: { tools: [null] } }, 'Plugin "p": manifest.provides.tools must be a list of names; it contains null.'],
])("the manifest %j is refused: %s", async (fields, message) => {
  const error = await rejection(load(pluginOf([], fields as never)));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENTS", message });
});

test("an unknown field without a close name is answered with the list of those that are known", async () => {
  const error = await rejection(load(pluginOf([], { zzzzzzzz: 1 } as never)));
  expect(error.message).toMatch(
    /^Plugin "p": manifest\.zzzzzzzz is no field that is known here; known are name, showOutput,/,
  );
});

test.each([null, [], "p", undefined])("a manifest that is %j is refused", async (manifest) => {
  const error = await rejection(load({ manifest: manifest as never, register() {} }));
  expect(error.message).toMatch(/^A plugin's manifest must be an object, not /);
});
