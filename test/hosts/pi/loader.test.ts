// Rows of features.md about what is active and when, through the door: P48, P49, P51, P52, P62.

import type { ActiveToolsChangedEvent } from "nestcall";
import type { ToolLoadout } from "nestcall/pi";
import { expect, test } from "vitest";
import { at, type Data, textOf } from "../../helpers/engine.js";
import { endOf, openDoor, piTool } from "./door.js";
import dynamicTools from "./samples/dynamic-tools.js";
import loaderExtension from "./samples/loader-extension.js";

test("P48, P49: a loader shows tools that were kept back; names that are not registered are ignored", async () => {
  const { executor, pi } = await openDoor([loaderExtension]);
  const { registry } = executor;
  const declared = () => registry.declarations().map(({ name }) => name);
  const weather = () => executor.executeBatch([{ id: "w", name: "lookup_weather", arguments: { city: "Oslo" } }]);
  expect([pi.getActiveTools(), declared()]).toEqual([["load_tools"], ["load_tools"]]);
  expect(endOf(at((await weather()).outcomes, 0))).toMatch(/^UNKNOWN_TOOL/);
  expect(textOf(await executor.executeTool("load_tools", { query: "weather" }))).toBe("Loaded: lookup_weather");
  expect([pi.getActiveTools(), declared()]).toEqual([
    ["lookup_weather", "load_tools"],
    ["lookup_weather", "load_tools"],
  ]);
  expect(textOf(at((await weather()).outcomes, 0))).toBe("lookup_weather of Oslo");
});

test("P51: what a loader changes is an event that says what came and went, so that a host may append it", async () => {
  const { executor, pi } = await openDoor([loaderExtension]);
  const changes: ActiveToolsChangedEvent[] = [];
  executor.registry.session.subscribe((event) => void changes.push(event));
  await executor.executeTool("load_tools", { query: "trains" });
  await executor.executeTool("load_tools", { query: "trains" }); // nothing new
  pi.setActiveTools(["load_tools"]);
  expect(changes.map(({ added, removed }) => [added, removed])).toEqual([
    [["find_trains"], []],
    [[], ["find_trains"]],
  ]);
});

test("P52: a namespace comes through whole, its aliases in the listing only", async () => {
  const { executor, pi } = await openDoor([loaderExtension]);
  const namespace = { name: "travel", description: "Weather and trains.", instructions: "Ask for the city first." };
  expect(executor.registry.get("find_trains")?.namespace).toEqual(namespace);
  expect(executor.registry.describeNamespace("travel")).toEqual({
    ...namespace,
    tools: ["lookup_weather", "find_trains"],
  });
  const info = pi.getAllTools().find(({ name }) => name === "find_trains");
  expect(info?.namespace).toEqual({ ...namespace, aliases: ["trips"] });
});

test("P62: a tool that a session start or a command brings is listed and callable at once", async () => {
  const notes: string[] = [];
  const ui = { notify: (message: string, type?: string) => void notes.push(`${type}: ${message}`) };
  const { executor, host, pi } = await openDoor([dynamicTools], { ui });
  const names = () => pi.getAllTools().map(({ name }) => name);
  expect(names()).toEqual([]);
  await host.start();
  expect(host.getCommands()).toEqual(["add-echo-tool"]);
  await host.runCommand("add-echo-tool", "echo_more");
  await host.runCommand("add-echo-tool", "echo_more");
  await host.runCommand("add-echo-tool", "No Name");
  expect(names()).toEqual(["echo_session", "echo_more"]);
  expect(textOf(await executor.executeTool("echo_more", { message: "hi" }))).toBe("[echo_more] hi");
  expect(notes).toEqual([
    "info: echo_session is there",
    "info: echo_more is there",
    "info: echo_more was there before",
    "warning: Give the tool a name",
  ]);
});

test("a tool's prepareLoadout rewords and hides what is declared while the tool is active, and sees the tools", async () => {
  const { executor, pi } = await openDoor([loaderExtension]);
  const seen: Data[] = [];
  const prepareLoadout = ({ declared, callable, registered, ...ask }: ToolLoadout) => {
    const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
    seen.push({
      declared: names(declared),
      callable: names(callable),
      registered: names(registered),
      exposure: ask.getExposure("hidden_one"),
      namespace: ask.getNamespace("find_trains")?.name,
      guidelines: ask.getPromptGuidelines("load_tools"),
    });
    return { descriptions: { orchestrator: `Runs ${callable.length} tools.` }, hiddenDeclarations: ["load_tools"] };
  };
  pi.registerTool(piTool("in_scripts", () => "ran", { exposure: "codemode" }));
  pi.registerTool(piTool("hidden_one", () => "ran", { exposure: "hidden" }));
  pi.registerTool(piTool("orchestrator", () => "ran", { exposure: "model-only", prepareLoadout }));
  const declared = () => executor.registry.declarations().map(({ name, description }) => `${name}: ${description}`);
  expect(declared()).toEqual(["orchestrator: Runs 2 tools."]);
  expect(seen).toEqual([
    {
      declared: ["load_tools", "orchestrator"],
      callable: ["load_tools", "in_scripts"],
      registered: ["lookup_weather", "find_trains", "load_tools", "in_scripts", "orchestrator"],
      exposure: "hidden",
      namespace: "travel",
      guidelines: ["Use load_tools when no tool at hand fits."],
    },
  ]);
  expect(pi.getActiveTools()).toEqual(["load_tools", "orchestrator"]);
  pi.setActiveTools(["load_tools"]);
  expect(declared()).toEqual(["load_tools: Makes the tools for a task available."]);
  pi.registerTool(piTool("orchestrator", () => "ran", { exposure: "model-only" })); // without the hook
  pi.setActiveTools(["load_tools", "orchestrator"]);
  expect(declared()).toHaveLength(2);
});

test("an extension of a session sees and activates in that session only", async () => {
  const { executor } = await openDoor();
  const session = executor.registry.forSession({ userId: "ada" });
  const { createPiExtensionHost } = await import("nestcall/pi");
  const host = createPiExtensionHost(executor, { session });
  await host.load(loaderExtension);
  await executor.executeTool("load_tools", { query: "weather" }, { session });
  expect(session.getActiveTools()).toEqual(["lookup_weather", "load_tools"]);
  expect(executor.registry.getActiveTools()).toEqual(["load_tools"]);
});
