// The rules of a gateway against servers that would get around them, and mistakes in them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCodemodeRuntime } from "nestcall/codemode";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  readGatewayConfig,
  readGatewayConfigFile,
} from "nestcall/mcp";
import { expect, onTestFinished, test, vi } from "vitest";
import { at } from "../../helpers/engine.js";
import { freshFolder } from "../../helpers/process.js";
import { raw } from "./connect.js";

vi.setConfig({ testTimeout: 60_000 });

const runtime = createCodemodeRuntime({ workers: 1 });
const named = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } });

async function open(definition: object, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await createGateway(readGatewayConfig(definition), { runtime, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

const verdicts = (gateway: Gateway) => gateway.report().tools.map(({ verdict, exposure }) => `${verdict} ${exposure}`);

test.each([
  ["wipe_all", ["wipe_all", "wipe-all", "wipe.all"]],
  ["wipe.all", ["wipe.all", "wipe-all", "wipe/all"]],
  ["wipe_".repeat(14), ["wipe_".repeat(14)]],
])(
  "8.1: a server cannot take %s out of a rule that denies it by a tool with nearly its name, or by its length",
  async (name, tools) => {
    const deny = [`mcp__e__${name.replace(".", "_")}`];
    const gateway = await open({ mcpServers: { e: raw({ tools: tools.map(named) }) }, policy: { allow: ["*"], deny } });
    await gateway.ready();
    const origin = gateway.connection.servers.flatMap((server) => server.tools).find(({ tool }) => tool === name);
    expect(origin?.name).toMatch(/_[0-9a-f]{8}$/);
    const hashed = origin?.name ?? "";
    expect(gateway.decide({ name: hashed, annotations: {} }).verdict).toBe("deny");
    expect(gateway.executor.registry.get(hashed)?.exposure).toBe("hidden");
    const outcome = await gateway.executor.executeTool(hashed, {});
    expect(outcome.isError).toBe(true);
    expect(gateway.report().tools.find((tool) => tool.name === hashed)).toMatchObject({
      verdict: "deny",
      rule: `deny[0] ${JSON.stringify(deny[0])}`,
    });
  },
);

test("8.1: nor when the tool comes later; and it is the call that is refused, of a rule with conditions too", async () => {
  const tools = [named("change"), named("wipe_all")];
  const gateway = await open({
    mcpServers: { e: raw({ tools }) },
    policy: { allow: ["*"], deny: [{ tool: "mcp__e__wipe_all", when: { path: "/etc*" } }] },
    budgets: { mcp__e__wipe_all: { maxCalls: 0 } },
  });
  await gateway.ready();
  await gateway.executor.executeTool("mcp__e__change", { tools: [...tools, named("wipe-all")] });
  const registered = () => gateway.connection.servers.flatMap((server) => server.tools);
  await vi.waitFor(() => expect(registered()).toHaveLength(3));
  const { name } = at(
    registered().filter(({ tool }) => tool === "wipe_all"),
    0,
  );
  expect(name).toMatch(/_[0-9a-f]{8}$/);
  const decide = (path: string) => gateway.decide({ name, annotations: {} }, { path }).verdict;
  expect([decide("/etc/passwd"), decide("/tmp")]).toEqual(["deny", "allow"]);
  expect((await gateway.executor.executeTool(name, { path: "/tmp" })).error?.message).toMatch(/budget of 0 calls/);
});

test("8.1: what is allowed by a name is not allowed to a tool that only sounds the same", async () => {
  const gateway = await open({
    mcpServers: { e: raw({ tools: [named("wipe_all"), named("wipe.all")] }) },
    policy: { allow: ["mcp__e__wipe_all"] },
  });
  await gateway.ready();
  expect(verdicts(gateway)).toEqual(["ask deferred", "ask deferred"]);
});

test("8.1: a rule that no tool fits is told once, unless it may be for a server that has not answered", async () => {
  const lines: string[] = [];
  const gateway = await open(
    {
      mcpServers: { e: raw({ tools: [named("wipe")] }), dead: raw({ start: "exit" }) },
      policy: { deny: ["mcp__e__wipe", "mcp__e__wpie", "mcp__dead__x", "mcp__d*x", "codemode"], allow: ["mcp__f__*"] },
    },
    { log: (line) => lines.push(line) },
  );
  await gateway.ready();
  await gateway.ready();
  expect(lines.filter((line) => line.includes("fits no tool"))).toEqual([
    expect.stringMatching(/^the configuration: the rule deny\[1\] "mcp__e__wpie" fits no tool/),
    expect.stringMatching(/^the configuration: the rule allow\[0\] "mcp__f__\*" fits no tool/),
  ]);
});

test.each(["policy", "exposure", "limits", "budgets"])("8.1: null for %s is an error", (key) => {
  expect(() => readGatewayConfig({ mcpServers: {}, [key]: null })).toThrow(`the configuration: ${key} must be`);
});

const OK = '{ "deny": ["a"] }';
test.each([
  [`{ "mcpServers": {}, "policy": ${OK}, "policy": {} }`, "policy"],
  [`{ "mcpServers": {}, "policy": ${OK}, "\\u0070olicy": {} }`, "policy"],
  ['{ "mcpServers": {}, "policy": { "deny": ["{\\"a\\":1}"], "allow": [], "deny": [] } }', "policy.deny"],
  [
    '{ "mcpServers": {}, "policy": { "deny": ["b", { "tool": "a", "when": { "x": "1", "x": "2" } }] } }',
    "policy.deny.when.x",
  ],
  ['{ "mcpServers": {}, "budgets": { "a": { "maxCalls": 1 }, "a": { "maxCalls": 9 } } }', "budgets.a"],
  ['{ "mcpServers": {}, "mcpServers": {} }', "mcpServers"],
  [
    '{ "mcpServers": { "a": { "command": "x", "env": { "policy": "1" } } }, "policy": { "deny": [{ "tool": "a" }, { "tool": "b" }] } }',
    undefined,
  ],
])("8.1: a key that stands twice is an error, since JSON forgets the first: %s", async (text, place) => {
  const file = join(freshFolder(), "mcp.json");
  await writeFile(file, text);
  const reading = readGatewayConfigFile(file);
  if (place === undefined) await reading;
  else
    await expect(reading).rejects.toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining(`has the key "${place}" twice`),
    });
});
