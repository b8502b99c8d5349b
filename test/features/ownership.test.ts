// Rows of features.md about whose a tool is: E14 to E17, E19, E20, P62.
import { createExecutor, defineTool, type PluginToolMetadata, Type } from "nestcall";
import { expect, expectTypeOf, test } from "vitest";
import { tool } from "../helpers/engine.js";

const search = (title: string) => tool("search", () => title, { title });

test("E14: a tool registered as external reads external in the registry", () => {
  const { registry } = createExecutor();
  registry.register(
    tool("theirs", () => {}),
    { external: true },
  );
  expect(registry.getMetadata("theirs")?.external).toBe(true);
});

test.each(["yes", 1, null, {}])("E15: external must be a boolean; %j is refused by name", (external) => {
  const { registry } = createExecutor();
  const register = () =>
    registry.register(
      tool("t", () => {}),
      { external: external as never },
    );
  expect(register).toThrow(/register\("t"\): options\.external must be true or false/);
  expect(registry.has("t")).toBe(false);
});

test("E15: omitted reads false for every registration", () => {
  const { registry } = createExecutor({ tools: [tool("at_start", () => {})] });
  registry.register(
    tool("later", () => {}),
    {},
  );
  registry.register(
    tool("scoped", () => {}),
    { platform: "web" },
  );
  expect(["at_start", "later", "scoped"].map((name) => registry.getMetadata(name)?.external)).toEqual([
    false,
    false,
    false,
  ]);
});

test("E16: the host-side metadata has no optional part", () => {
  expectTypeOf<PluginToolMetadata["external"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Required<PluginToolMetadata>>().toEqualTypeOf<PluginToolMetadata>();
  const { registry } = createExecutor({ tools: [search("first")] });
  expect(registry.getMetadata("search")).toStrictEqual({
    name: "search",
    external: false,
    owner: undefined,
    ownerUserId: undefined,
    projectId: undefined,
    platform: undefined,
    planSafe: false,
    readOnly: false,
  });
  expect(registry.getMetadata("unknown")).toBeUndefined();
});

test("E17: a name says nothing of origin: mcp__x__y with external false is declared whole", () => {
  const { registry } = createExecutor();
  const description = "d".repeat(2_000);
  for (const external of [false, true]) {
    const name = external ? "mcp__x__z" : "mcp__x__y";
    registry.register(defineTool({ name, description, inputSchema: Type.Object({}), execute: () => "" }), { external });
  }
  const [internal, external] = registry.declarations();
  expect(internal?.description).toBe(description);
  expect(external?.description.length).toBeLessThan(description.length);
});

test("E19: what is reported of a name is what its accepted owner said", () => {
  const { registry } = createExecutor();
  registry.register(search("first"), { owner: "a", external: true, readOnly: true, projectId: "p1" });
  registry.register(search("second"), { owner: "b", planSafe: true, platform: "web" });
  expect(registry.getMetadata("search")).toMatchObject({
    owner: "a",
    external: true,
    readOnly: true,
    projectId: "p1",
    planSafe: false,
    platform: undefined,
  });
  expect(registry.get("search")?.title).toBe("first");
});

test("E20: a rejected registration changes nothing and is reported with both owners, once", () => {
  const { registry } = createExecutor({ tools: [search("host's")] });
  const before = registry.getMetadata("search");
  const collision = { name: "search", owner: undefined, rejectedOwner: "b" };
  for (let time = 0; time < 2; time += 1) {
    const registration = registry.register(search("b's"), { owner: "b", readOnly: true, external: true });
    expect(registration).toEqual({ accepted: false, collision });
  }
  expect(registry.getMetadata("search")).toEqual(before);
  expect(registry.getCollisions()).toEqual([collision]);
});

test("E20: the owner may replace its tool, and withdraw it by registering it again as hidden", async () => {
  const executor = createExecutor();
  const { registry } = executor;
  registry.register(search("first"), { owner: "a" });
  expect(registry.register(search("better"), { owner: "a" })).toEqual({ accepted: true });
  expect(registry.get("search")?.title).toBe("better");
  registry.register(
    tool("search", () => "gone", { exposure: "hidden" }),
    { owner: "a" },
  );
  expect(registry.session.getAllTools()).toEqual([]);
  expect((await executor.executeTool("search")).error?.code).toBe("UNKNOWN_TOOL");
});

test("P62: a tool registered while a session runs is in its next listing, search and call", async () => {
  const executor = createExecutor({ tools: [tool("early", () => {})] });
  const session = executor.registry.forSession();
  const heard: unknown[] = [];
  const stop = session.subscribe((event) => heard.push(event));
  executor.registry.register(tool("late_arrival", () => "ran"));
  expect(session.getActiveTools()).toEqual(["early", "late_arrival"]);
  expect(session.searchTools("arrival").map(({ name }) => name)).toEqual(["late_arrival"]);
  const { outcomes } = await executor.executeBatch([{ id: "m", name: "late_arrival" }], { session });
  expect(outcomes[0]?.status).toBe("ok");
  stop();
  executor.registry.register(tool("unheard", () => {}));
  expect(heard).toEqual([{ type: "active_tools_changed", added: ["late_arrival"], removed: [] }]);
});
