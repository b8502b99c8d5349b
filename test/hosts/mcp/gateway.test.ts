// The gateway as a client sees it: the official client, the official reference servers, both protocols.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createCodemodeRuntime } from "nestcall/codemode";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  readGatewayConfig,
  type ServeMcpOptions,
} from "nestcall/mcp";
import { expect, onTestFinished, test, vi } from "vitest";
import { runNode } from "../../examples/run.js";
import { tool } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";
import { fixture, official, raw } from "./connect.js";
import { bothEras, planOf, serveHttp } from "./http-server.js";
import {
  type Answerer,
  answerText,
  type Called,
  ERAS,
  type Era,
  modernClient,
  newClient,
  no,
  yes,
} from "./serve/served.js";

vi.setConfig({ testTimeout: 60_000 });

const runtime = createCodemodeRuntime({ workers: 1 });
const RECORD = "dev.nestcall/record";
interface Recorded {
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly code?: string;
  }[];
}

async function open(definition: object, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await createGateway(readGatewayConfig(definition), { runtime, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function clientOf(gateway: Gateway, era: Era = "legacy", onElicit?: Answerer): Promise<Called> {
  const more: Partial<ServeMcpOptions> = {};
  if (era === "modern") return modernClient(await gateway.serve({ ...more, http: { listen: false } }), onElicit);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await gateway.serve({ ...more, transport: far });
  const client = newClient(onElicit);
  await client.connect(near as never);
  return client;
}

const recordOf = (answer: { readonly _meta?: Readonly<Record<string, unknown>> }) => answer._meta?.[RECORD] as Recorded;
const script = (...lines: string[]) => ({ code: lines.join("\n") });
const threeServers = (folder: string) => ({
  everything: official("everything"),
  files: official("filesystem", folder),
  memory: { ...official("memory"), env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
});

test.each(ERAS)(
  "8.1: the client (%s) sees codemode and tool_search, before and after a search, for at most 1,500 tokens",
  async (era) => {
    const gateway = await open({ mcpServers: threeServers(freshFolder()) });
    const client = await clientOf(gateway, era);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(["codemode", "tool_search"]);
    const found = answerText(await client.call("tool_search", { query: "add two numbers" }));
    expect(found).toContain("get-sum");
    expect(await names()).toEqual(["codemode", "tool_search"]);
    const { shown, tokens, servers } = gateway.report();
    expect(shown.map(({ name }) => name)).toEqual(["codemode", "tool_search"]);
    expect(tokens.gateway).toBeLessThanOrEqual(1_500);
    expect(servers.map(({ status, tools }) => [status, tools > 5])).toEqual(servers.map(() => ["connected", true]));
    expect(JSON.stringify((await client.listTools()).tools).length / 4).toBeLessThanOrEqual(1_500);
  },
);

test("issue: with 100 tools and more the gateway costs at most a tenth, also with many servers of long names", async () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({
    name: `tool_${index}`,
    description: "Does something with a repository of the organisation, as far as the user may. ".repeat(3),
    inputSchema: { type: "object", properties: { owner: { type: "string" }, repository: { type: "string" } } },
  }));
  const servers = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`server-${index}-${"x".repeat(60)}`, raw({ tools })] as const).map(
      ([name, entry], index) => [name, index < 4 ? entry : { ...entry, disabled: true }],
    ),
  );
  const gateway = await open({ mcpServers: servers });
  await gateway.ready();
  const { tokens, tools: listed } = gateway.report();
  expect(listed).toHaveLength(120);
  expect(tokens.gateway).toBeLessThanOrEqual(1_500);
  expect(tokens.gateway * 10).toBeLessThanOrEqual(tokens.direct);
});

test.each(ERAS)(
  "issue: a script (%s) joins results of three reference servers, and the record has every call",
  async (era) => {
    const folder = freshFolder();
    await writeFile(join(folder, "a.txt"), "Ada wrote the first program.");
    const gateway = await open({
      mcpServers: threeServers(folder),
      policy: { allow: ["mcp__memory__create_entities"] },
    });
    const client = await clientOf(gateway, era);
    const answer = await client.call(
      "codemode",
      script(
        `const { content } = await tools.mcp__files__read_text_file({ path: ${JSON.stringify(join(folder, "a.txt"))} });`,
        `const [sum] = await Promise.all([`,
        `  tools["mcp__everything__get-sum"]({ a: 2, b: 3 }).catch((error) => error.code),`,
        `  tools.mcp__memory__create_entities({ entities: [{ name: "Ada", entityType: "person", observations: [content] }] }),`,
        `]);`,
        `const graph = await tools.mcp__memory__read_graph({});`,
        `return { sum, seen: graph.entities[0].observations };`,
      ),
    );
    expect(answer.isError, answerText(answer)).toBeFalsy();
    expect(JSON.parse(answerText(answer))).toEqual({
      sum: expect.stringMatching(/5|BLOCKED/),
      seen: ["Ada wrote the first program."],
    });
    expect(recordOf(answer).calls.map(({ id, name }) => [id.split("/")[1], name])).toEqual([
      ["1", "mcp__files__read_text_file"],
      ["2", "mcp__everything__get-sum"],
      ["3", "mcp__memory__create_entities"],
      ["4", "mcp__memory__read_graph"],
    ]);
  },
);

test.each(ERAS)(
  "8.1: what the policy asks for is put to the person (%s): yes runs it, no is BLOCKED with the rule",
  async (era) => {
    const gateway = await open({
      mcpServers: { memory: { ...official("memory"), env: { MEMORY_FILE_PATH: join(freshFolder(), "m.jsonl") } } },
    });
    const asked: string[] = [];
    const client = await clientOf(gateway, era, ({ message }) => {
      asked.push(message);
      return message.includes("Bea") ? no() : yes();
    });
    const make = (name: string) =>
      `tools.mcp__memory__create_entities({ entities: [{ name: "${name}", entityType: "p", observations: [] }] })`;
    const answer = await client.call(
      "codemode",
      script(
        `await ${make("Ada")};`,
        `return await ${make("Bea")}.catch((error) => error.code + ": " + error.message);`,
      ),
    );
    expect(answerText(answer)).toMatch(/^BLOCKED: .*was not approved/);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('create_entities of the MCP server "memory"');
    expect(recordOf(answer).calls.map(({ status, code }) => code ?? status)).toEqual(["ok", "BLOCKED"]);
  },
);

test("8.1: a client that cannot be asked gets the refusal, with the rule and how to allow it; codemode itself is not asked for", async () => {
  const gateway = await open({
    mcpServers: { s: raw({ tools: [{ name: "wipe", inputSchema: { type: "object" } }] }) },
  });
  const client = await clientOf(gateway);
  const answer = await client.call("codemode", script("return await tools.mcp__s__wipe({})"));
  expect(answer.isError).toBe(true);
  expect(answerText(answer)).toMatch(/nobody can be asked here.*add "mcp__s__wipe" to policy\.allow/);
});

test("8.1: a denied tool is neither listed, nor found, nor to be called, and the report says why", async () => {
  const tools = ["wipe_all", "read_all"].map((name) => ({
    name,
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  }));
  const gateway = await open({ mcpServers: { s: raw({ tools }) }, policy: { deny: ["*__wipe_*"] } });
  const client = await clientOf(gateway);
  const found = answerText(await client.call("tool_search", { query: "wipe read all" }));
  expect(found).toContain("read_all");
  expect(found).not.toContain("wipe_all");
  const answer = await client.call(
    "codemode",
    script(
      "const names = ALL_TOOLS.map(({ name }) => name);",
      'return [names, await tools["mcp__s__wipe_all"]?.({}).catch((error) => error.message)];',
    ),
  );
  expect(answerText(answer)).not.toContain('"mcp__s__wipe_all"]');
  expect(recordOf(answer)?.calls.every(({ status }) => status === "error") ?? true).toBe(true);
  const denied = gateway.report().tools.find(({ name }) => name === "mcp__s__wipe_all");
  expect(denied).toMatchObject({ exposure: "hidden", verdict: "deny", rule: 'deny[0] "*__wipe_*"' });
});

test("8.1: a rule with a condition on an argument denies those calls only", async () => {
  const gateway = await open(
    { mcpServers: {}, policy: { deny: [{ tool: "put", when: { path: "/etc/*" } }], allow: ["put"] } },
    { tools: [tool("put", (args) => JSON.stringify(args), { exposure: "deferred" })] },
  );
  const client = await clientOf(gateway);
  const put = (path: string) => `await tools.put({ path: "${path}" }).catch((error) => error.code)`;
  const answer = await client.call("codemode", script(`return [${put("/tmp/a")}, ${put("/etc/a")}]`));
  expect(JSON.parse(answerText(answer))).toEqual(['{"path":"/tmp/a"}', "BLOCKED"]);
});

test("7: a tool that the configuration exposes directly is in the first list, and a budget of its calls is kept", async () => {
  const gateway = await open({
    mcpServers: { everything: official("everything") },
    exposure: { mcp__everything__echo: "direct" },
    policy: { allow: ["*"] },
    budgets: { "*__echo": { maxCalls: 2 } },
  });
  const client = await clientOf(gateway);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "codemode",
    "tool_search",
    "mcp__everything__echo",
  ]);
  const answer = await client.call(
    "codemode",
    script(
      "const ends = [];",
      'for (let n = 0; n < 3; n += 1) ends.push(await tools.mcp__everything__echo({ message: "hi" }).catch((error) => error.message));',
      "return ends;",
    ),
  );
  const [first, , third] = JSON.parse(answerText(answer)) as string[];
  expect([first, third]).toEqual([
    expect.stringContaining("hi"),
    expect.stringMatching(/budget of 2 calls for "\*__echo" is spent/),
  ]);
  expect(answerText(await client.call("mcp__everything__echo", { message: "again" }))).toContain("again");
});

test("8.1: servers start with the first list, not with the gateway", async () => {
  const gateway = await open({ mcpServers: { s: raw() } });
  const client = await clientOf(gateway);
  expect(gateway.connection.servers[0]?.status).toBe("idle");
  await client.listTools();
  await vi.waitFor(() => expect(gateway.connection.servers[0]?.status).toBe("connected"));
});

test("codemode: what a client stores is its own", async () => {
  const gateway = await open({ mcpServers: {} });
  const [one, other] = [await clientOf(gateway), await clientOf(gateway)];
  await one.call("codemode", script('store("key", 1)'));
  expect(answerText(await one.call("codemode", script('return load("key")')))).toBe("1");
  expect(answerText(await other.call("codemode", script('return String(load("key"))')))).toBe("undefined");
});

test.each<[string, object, string]>([
  [
    "an unknown key",
    { mcpServers: {}, polcy: {} },
    'has the key "polcy", which is not known here; did you mean "policy"?',
  ],
  ["a policy of a wrong kind", { mcpServers: {}, policy: { deny: "x" } }, "policy.deny must be a list of rules"],
  [
    "an unknown list in a policy",
    { mcpServers: {}, policy: { denied: [] } },
    'has no "denied"; known are deny, ask, allow',
  ],
  [
    "an exposure that is none",
    { mcpServers: {}, exposure: "open" },
    "exposure must be one of direct, codemode, deferred, hidden",
  ],
  ["a pattern that fits no name", { mcpServers: {}, exposure: { "mcp.*": "direct" } }, 'exposure has the key "mcp.*"'],
  ["an unknown limit", { mcpServers: {}, limits: { maxDeph: 1 } }, 'did you mean "maxDepth"?'],
  [
    "a limit of scripts that is no number",
    { mcpServers: {}, limits: { script: { cpuMs: "1" } } },
    "limits.script.cpuMs must be a whole number",
  ],
  ["a budget without a limit", { mcpServers: {}, budgets: { "*": {} } }, "budgets.*.maxCalls must be a whole number"],
  ["no servers", {}, "has no servers"],
])("8.1: a configuration with %s is an error", (_what, definition, message) => {
  expect(() => readGatewayConfig(definition, { source: "mcp.json" })).toThrow(message);
  expect(() => readGatewayConfig(definition, { source: "mcp.json" })).toThrow(/^mcp\.json/);
});

test("a tool of this program cannot take the name of the gateway's own", async () => {
  await expect(open({ mcpServers: {} }, { tools: [tool("codemode", () => "mine")] })).rejects.toThrow(
    'cannot be called "codemode"',
  );
});

test("issue: a crash in the middle of a call, garbage and a change of the list while a script runs: the gateway stays up", async () => {
  const gateway = await open({ mcpServers: { s: raw() }, policy: { allow: ["*"] } });
  const client = await clientOf(gateway);
  const answer = await client.call(
    "codemode",
    script(
      "const ends = [];",
      "const note = (call) => call.then((value) => ends.push(value), (error) => ends.push(error.message));",
      "await note(tools.mcp__s__garbage({}));",
      "await note(tools.mcp__s__change({}));",
      "await note(tools.mcp__s__crash({}));",
      'await note(tools.mcp__s__echo({ text: "after" }));',
      "return ends;",
    ),
  );
  const [garbage, , crash, after] = JSON.parse(answerText(answer)) as string[];
  expect([garbage, after]).toEqual(["after the garbage", "after"]);
  expect(crash).toMatch(/MCP server "s".*not sent again/);
  expect(answerText(await client.call("codemode", script('return tools.mcp__s__echo({ text: "still here" })')))).toBe(
    "still here",
  );
});

test("issue: 5,000 tools, and two whose names differ only in - and _: found, told apart, and at most 1,500 tokens", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `tool_${index}`);
  const tools = [...many, "get-it", "get_it"].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object" },
  }));
  const plan = { ...planOf(), tools };
  const { url } = await serveHttp(bothEras(plan).handle);
  const gateway = await open({ mcpServers: { big: { url } }, policy: { allow: ["*"] } });
  const client = await clientOf(gateway);
  expect(answerText(await client.call("tool_search", { query: "tool 4711" }))).toContain("mcp__big__tool_4711");
  expect(gateway.report().tokens.gateway).toBeLessThanOrEqual(1_500);
  const names = gateway.report().tools.flatMap(({ name }) => (/get.it/.test(name) ? [name] : []));
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    const found = gateway.connection.originOf(name)?.tool;
    await client.call("codemode", script(`return await tools[${JSON.stringify(name)}]({})`));
    expect(plan.calls.at(-1)).toBe(found);
  }
});

test("issue: 100,000 nested calls: memory stays flat, and the gateway's own share of a call is below 2 ms", {
  timeout: 180_000,
}, async () => {
  const { exitCode, stdout, stderr } = await runNode(["--expose-gc", fixture("gateway-load.mjs")]);
  expect(exitCode, stderr).toBe(0);
  const { calls, p99Ms, grownBytes } = JSON.parse(stdout) as { calls: number; p99Ms: number; grownBytes: number };
  expect(calls).toBe(100_000);
  expect(p99Ms).toBeLessThan(2);
  expect(grownBytes).toBeLessThan(4 * 2 ** 20); // of 80,000 calls; the times of them that the test keeps are part of it
});
