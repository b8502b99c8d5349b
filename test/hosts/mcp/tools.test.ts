// The tools of servers in the registry: whose they are, which are left out, what becomes of them when a list changes.
import { join } from "node:path";
import { createExecutor, defineTool, Type } from "nestcall";
import type { McpConnection, McpToolSnapshot } from "nestcall/mcp";
import { expect, test, vi } from "vitest";
import { endOf, textOf } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";
import { connect, linesOf, raw } from "./connect.js";

const tool = (name: string, more: object = {}) => ({
  name,
  description: "d",
  inputSchema: { type: "object" },
  ...more,
});
const namesIn = (connection: McpConnection, server = "s") =>
  connection.servers.find(({ name }) => name === server)?.tools.map(({ name }) => name);

vi.setConfig({ testTimeout: 30_000 }); // processes are slow to start where others work too

test("E14, E18, 8: a tool is external, its server's, with the server's hints, schemas, title and instructions", async () => {
  const listed = tool("delete-it", {
    title: "Delete it",
    description: "Deletes what is said.",
    inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    outputSchema: { type: "object", properties: { gone: { type: "boolean" } } },
    annotations: { destructiveHint: true, readOnlyHint: false, idempotentHint: "yes", futureHint: true, title: "x" },
  });
  const { executor, connection } = connect({
    "my server": raw({ tools: [listed], instructions: "Ask first.\nThen delete." }),
  });
  expect(executor.registry.getAllTools()).toEqual([]);
  await connection.ready();
  const [info] = executor.registry.getAllTools();
  expect(info).toEqual({
    name: "mcp__my_server__delete-it",
    title: "Delete it",
    description: "Deletes what is said.",
    inputSchema: listed.inputSchema,
    outputSchema: { type: "object", properties: { gone: { type: "boolean" } } },
    annotations: { destructiveHint: true, readOnlyHint: false, title: "x" },
    exposure: "direct",
    namespace: {
      name: "my server",
      description: 'Tools of the MCP server "my server".',
      instructions: "Ask first.\nThen delete.",
    },
  });
  expect(executor.registry.getMetadata("mcp__my_server__delete-it")).toMatchObject({
    external: true,
    owner: "my server",
    readOnly: false,
  });
  expect(connection.originOf("mcp__my_server__delete-it")).toEqual({ server: "my server", tool: "delete-it" });
  expect(connection.originOf("nobody")).toBeUndefined();
});

test("P54: instructions are not listed; describeNamespace gives them", async () => {
  const { executor, connection } = connect({ s: raw({ tools: [tool("a")], instructions: "Only on Mondays." }) });
  await connection.ready();
  expect(JSON.stringify(executor.registry.declarations())).not.toContain("Mondays");
  expect(executor.registry.describeNamespace("s")).toMatchObject({
    instructions: "Only on Mondays.",
    tools: ["mcp__s__a"],
  });
});

test("8.1: the exposure is said for all tools or for each", async () => {
  const tools = [tool("a"), tool("b"), tool("c")];
  const { executor, connection } = connect(
    { s: raw({ tools }) },
    {
      exposure: ({ server, tool }, name) =>
        name === `mcp__${server}__b` ? "hidden" : tool === "c" ? "deferred" : "codemode",
    },
  );
  await connection.ready();
  expect(executor.registry.getAllTools().map(({ exposure }) => exposure)).toEqual(["codemode", "hidden", "deferred"]);
  expect(endOf(await executor.executeTool("mcp__s__b"))).toBe("UNKNOWN_TOOL");
});

test("8.1: tools without an object schema, with a bad name or a repeated one are left out and told; the others work", async () => {
  const tools = [
    tool("good"),
    tool("good", { description: "another" }),
    tool(""),
    tool("a\u0000b"),
    tool("a\u202eb"),
    tool("x".repeat(300)),
    tool("no-schema", { inputSchema: undefined }),
    tool("text-schema", { inputSchema: { type: "string" } }),
    tool("empty-schema", { inputSchema: {} }),
    { description: "nameless", inputSchema: { type: "object" } },
    { name: 7, inputSchema: { type: "object" } },
    "not a tool",
    null,
    { name: "bare", inputSchema: { type: "object" } },
    tool("odd-parts", { title: 5, description: 6, annotations: "x", outputSchema: [] }),
  ];
  const { executor, connection, state } = connect({ s: raw({ tools }) });
  await connection.ready();
  expect(namesIn(connection)).toEqual(["mcp__s__good", "mcp__s__bare", "mcp__s__odd-parts"]);
  expect(state().leftOut).toEqual([
    { tool: "good", reason: "its name is that of a tool before it" },
    { tool: "", reason: "its name is empty" },
    { tool: "a\\u0000b", reason: "its name contains control or invisible characters" },
    { tool: "a\\u202eb", reason: "its name contains control or invisible characters" },
    { tool: `${"x".repeat(79)}…`, reason: "its name has more than 256 characters" },
    { tool: "no-schema", reason: "its inputSchema is undefined, not an object schema" },
    {
      tool: "text-schema",
      reason: expect.stringContaining('type: "object" at its root; it is a schema of type "string"'),
    },
    { tool: "empty-schema", reason: expect.stringContaining("a schema without a type") },
    { tool: "(no name)", reason: "its name is undefined, not a text" },
    { tool: "(no name)", reason: "its name is 7, not a text" },
    { tool: "(no name)", reason: 'it is the string "not a tool", not a tool' },
    { tool: "(no name)", reason: "it is null, not a tool" },
  ]);
  expect(executor.registry.get("mcp__s__bare")?.description).toBe("The tool bare of the MCP server s.");
  expect(textOf(await executor.executeTool("mcp__s__good"))).toContain("good was called");
});

test("E24: a schema that our check cannot read is shown as it is, and the server checks the arguments", async () => {
  const itself = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
  const strange = { type: "object", properties: { b: { type: "string", pattern: "[" } } };
  const tools = [
    tool("itself", { inputSchema: itself }),
    tool("strange", { inputSchema: strange, outputSchema: itself }),
  ];
  const { executor, connection, lines, state } = connect({ s: raw({ tools }) });
  await connection.ready();
  expect(state().leftOut).toEqual([]);
  expect(executor.registry.getAllTools().map(({ inputSchema }) => inputSchema)).toEqual([itself, strange]);
  expect(lines).toEqual([
    expect.stringContaining(
      'the arguments of its tool "itself" are checked by the server alone: inputSchema.properties.a has the $ref',
    ),
    expect.stringContaining('the arguments of its tool "strange" are checked by the server alone'),
    expect.stringContaining('the results of its tool "strange" are not checked'),
  ]);
  expect(textOf(await executor.executeTool("mcp__s__itself", { a: 1 }))).toContain("itself was called");
  expect(textOf(await executor.executeTool("mcp__s__strange", { b: "x" }))).toContain("strange was called");
});

test("issue: a schema with a reference to itself as a whole is checked, at any depth", async () => {
  const tree = { type: "object", properties: { v: { type: "integer" }, child: { $ref: "#" } }, required: ["v"] };
  const { executor, connection } = connect({ s: raw({ tools: [tool("tree", { inputSchema: tree })] }) });
  await connection.ready();
  expect(endOf(await executor.executeTool("mcp__s__tree", { v: 1, child: { v: 2, child: { v: 3 } } }))).toBe("ok");
  const bad = await executor.executeTool("mcp__s__tree", { v: 1, child: { v: 2, child: { v: "x" } } });
  expect([endOf(bad), textOf(bad)]).toEqual(["INVALID_ARGUMENTS", expect.stringContaining("child.child.v")]);
});

test("E24: arguments are checked against the original schema, also where its declaration is capped", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`p${n}`, { type: "integer", description: "x".repeat(80) }]),
  );
  const inputSchema = { type: "object", properties, required: ["p0"] };
  const { executor, connection } = connect({ s: raw({ tools: [tool("large", { inputSchema })] }) });
  await connection.ready();
  expect(executor.registry.declarations()[0]?.inputSchema).toEqual({ type: "object" });
  expect(endOf(await executor.executeTool("mcp__s__large", { p1: 1 }))).toBe("INVALID_ARGUMENTS");
  expect(endOf(await executor.executeTool("mcp__s__large", { p0: 1 }))).toBe("ok");
});

test("issue: 5,000 tools, in pages, are there soon", async () => {
  const { executor, connection } = connect({ s: raw({ many: 5_000, pageSize: 100 }) }, { exposure: "deferred" });
  const startedAt = performance.now();
  const [state] = await connection.ready();
  expect(performance.now() - startedAt).toBeLessThan(10_000); // 0.4 s where nothing else runs
  expect(state?.tools.length).toBe(5_000);
  expect(textOf(await executor.executeTool("mcp__s__tool_4999", { a: "x" }))).toContain("tool_4999 was called");
  expect(endOf(await executor.executeTool("mcp__s__tool_4999", {}))).toBe("INVALID_ARGUMENTS");
});

test("8.1: more than 10,000 tools are left out, and a list that goes round in a circle ends", async () => {
  const { connection } = connect(
    { many: raw({ many: 10_002 }), round: raw({ tools: [tool("a")], circle: true }) },
    { exposure: "deferred" },
  );
  const [many, round] = await connection.ready();
  expect([many?.tools.length, many?.leftOut.length, many?.leftOut[0]?.reason]).toEqual([
    10_000,
    2,
    "the server has more than 10000 tools",
  ]);
  expect([round?.status, round?.tools.length]).toEqual(["connected", 1]);
});

test("TC37, TC39, issue: tools that differ in - and _ are two tools, each called by its own name", async () => {
  const tools = [tool("get-it"), tool("get_it"), tool("other")];
  const { executor, connection, state } = connect({ s: raw({ tools }) });
  await connection.ready();
  const names = state().tools.map(({ name }) => name);
  expect(names).toEqual([
    expect.stringMatching(/^mcp__s__get-it_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp__s__get_it_[0-9a-f]{8}$/),
    "mcp__s__other",
  ]);
  const texts = await Promise.all(names.map(async (name) => textOf(await executor.executeTool(name))));
  expect(texts.map((text) => text.split(" ")[0])).toEqual(["get-it", "get_it", "other"]);
});

test("TC39: tools of one name at two servers, and names that are too long, each reach their own tool, also after a restart", async () => {
  const [server, long] = ["s".repeat(60), "t".repeat(40)];
  const servers = {
    s1: raw({ tools: [tool("search")] }),
    s2: raw({ tools: [tool("search")] }),
    [server]: raw({ tools: [tool(long)] }),
  };
  const namesAtStart = async () => {
    const { executor, connection } = connect(servers);
    const names = (await connection.ready()).flatMap(({ tools }) => tools.map(({ name }) => name));
    const ends = await Promise.all(names.map(async (name) => endOf(await executor.executeTool(name))));
    expect(ends).toEqual(["ok", "ok", "ok"]);
    expect(names.map((name) => connection.originOf(name)?.server)).toEqual(["s1", "s2", server]);
    return names;
  };
  const names = await namesAtStart();
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(await namesAtStart()).toEqual(names);
});

test("8.1: names that collide over two servers both get a hash, and the plain name is gone", async () => {
  const servers = { "a-b": raw({ tools: [tool("x"), tool("y")] }), a_b: raw({ tools: [tool("x")] }) };
  const { executor, connection } = connect(servers);
  await connection.connect("a-b");
  expect(namesIn(connection, "a-b")).toEqual(["mcp__a-b__x", "mcp__a-b__y"]);
  await connection.connect("a_b");
  const [x = ""] = namesIn(connection, "a-b")?.filter((name) => name.includes("x_")) ?? [];
  const [other = ""] = namesIn(connection, "a_b") ?? [];
  expect([x, other]).toEqual([expect.stringMatching(/^mcp__a-b__x_/), expect.stringMatching(/^mcp__a_b__x_/)]);
  expect(connection.originOf(x)).toEqual({ server: "a-b", tool: "x" });
  expect(endOf(await executor.executeTool("mcp__a-b__x"))).toBe("UNKNOWN_TOOL");
  expect([endOf(await executor.executeTool(x)), endOf(await executor.executeTool(other))]).toEqual(["ok", "ok"]);
});

test("E20: a name that the host has keeps its meaning, and the server's tool is told as left out", async () => {
  const own = defineTool({
    name: "mcp__s__a",
    description: "Mine.",
    inputSchema: Type.Object({}),
    effect: "read",
    execute: () => "mine",
  });
  const executor = createExecutor({ tools: [own] });
  const { connection, state } = connect({ s: raw({ tools: [tool("a"), tool("b")] }) }, { executor });
  await connection.ready();
  expect(state().leftOut).toEqual([{ tool: "a", reason: "another tool has the name mcp__s__a" }]);
  expect(textOf(await executor.executeTool("mcp__s__a"))).toBe("mine");
  await connection.close();
  expect(textOf(await executor.executeTool("mcp__s__a"))).toBe("mine");
});

test("issue: a list that changes while a tool runs: new tools come, vanished ones are hidden, changed ones change", async () => {
  const heard: string[] = [];
  const { executor, connection } = connect(
    { s: raw({ tools: [tool("change"), tool("hang"), tool("stays"), tool("grows")] }) },
    { onChange: ({ status, tools }) => heard.push(`${status} ${tools.length}`) },
  );
  await connection.ready();
  const before = executor.registry.get("mcp__s__stays");
  const controller = new AbortController();
  const running = executor.executeTool("mcp__s__hang", {}, { signal: controller.signal });
  const grown = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const next = [tool("change"), tool("stays"), tool("grows", { inputSchema: grown }), tool("new")];
  await executor.executeTool("mcp__s__change", { tools: next });
  await vi.waitFor(() => expect(namesIn(connection)).toContain("mcp__s__new"));
  expect(endOf(await executor.executeTool("mcp__s__hang"))).toBe("UNKNOWN_TOOL");
  expect(endOf(await executor.executeTool("mcp__s__new"))).toBe("ok");
  expect(endOf(await executor.executeTool("mcp__s__grows"))).toBe("INVALID_ARGUMENTS");
  expect(executor.registry.get("mcp__s__stays")).toBe(before); // what has not changed is left alone
  controller.abort();
  expect(endOf(await running)).toBe("ABORTED"); // the call of the vanished tool went on until now
  // It comes back under its name.
  await executor.executeTool("mcp__s__change", { tools: [...next, tool("hang")] });
  await vi.waitFor(() => expect(namesIn(connection)).toContain("mcp__s__hang"));
  expect(heard).toEqual(["connecting 0", "connected 4", "connected 4", "connected 5"]);
});

test("8.1: a list that changes while it is on its way is asked for again", async () => {
  const { connection } = connect({ s: raw({ tools: [tool("old")], late: [tool("new")] }) });
  await connection.ready();
  await vi.waitFor(() => expect(namesIn(connection)).toEqual(["mcp__s__new"]));
});

test("8.1: a server that tells of changes without end is not asked without end", async () => {
  const log = join(freshFolder(), "log");
  const { connection } = connect({ s: raw({ tools: [tool("a")], storm: true, log }) });
  await connection.ready();
  const asked = () => linesOf(log).filter((line) => line === "tools/list").length;
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(2), { timeout: 10_000 });
  // A pause of 250 ms follows each list. A busy machine makes them fewer; without the pause there are hundreds in a second.
  const before = asked();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(asked() - before).toBeLessThan(10);
});

test("E18: tools from a snapshot are there before any server has started, external, and start it when they are called", async () => {
  const first = connect({ s: raw({ tools: [tool("echo"), tool("gone")], instructions: "i" }) });
  await first.connection.ready();
  const saved = JSON.parse(JSON.stringify(first.connection.snapshot())) as McpToolSnapshot;
  await first.connection.close();

  const { executor, state } = connect({ s: raw({ tools: [tool("echo"), tool("new")] }) }, { snapshot: saved });
  expect(state()).toMatchObject({
    status: "idle",
    tools: [{ name: "mcp__s__echo", isRestored: true }, { isRestored: true }],
  });
  expect(executor.registry.getMetadata("mcp__s__echo")).toMatchObject({ external: true, owner: "s" });
  expect(executor.registry.get("mcp__s__echo")?.namespace?.instructions).toBe("i");
  const gone = await executor.executeTool("mcp__s__gone");
  expect([endOf(gone), textOf(gone)]).toEqual([
    "TOOL_FAILED",
    'The MCP server "s" no longer has the tool "gone", known here as mcp__s__gone.',
  ]);
  expect(state()).toMatchObject({
    status: "connected",
    tools: [{ name: "mcp__s__echo", isRestored: false }, { name: "mcp__s__new" }],
  });
  expect(executor.registry.getMetadata("mcp__s__echo")).toMatchObject({ external: true, owner: "s" });
  expect(textOf(await executor.executeTool("mcp__s__echo", { text: "hi" }))).toBe("hi");
});

test("E18: a snapshot is looked at as a server's list is; what is none is an error", () => {
  const snapshot = { version: 1, servers: { s: { tools: [tool("a"), { name: "b" }, 5] }, unknown: { tools: [] } } };
  const { state } = connect({ s: raw() }, { snapshot: snapshot as never });
  expect(state().tools.map(({ name }) => name)).toEqual(["mcp__s__a"]);
  expect(state().leftOut).toHaveLength(2);
  for (const bad of [{}, { version: 2, servers: {} }, { version: 1, servers: { s: [] } }, "x"]) {
    expect(() => connect({ s: raw() }, { snapshot: bad as never })).toThrow("options.snapshot");
  }
});
