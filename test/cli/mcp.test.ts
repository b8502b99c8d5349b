// `nestcall mcp` as clients start it: over stdio and HTTP, and what `--dry-run` says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { isAlive, official, raw } from "../hosts/mcp/connect.js";
import { answerText, newClient, yes } from "../hosts/mcp/serve/served.js";
import { folderWith, MAIN, nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const wipe = { name: "wipe", description: "Wipes.", inputSchema: { type: "object" } };
const look = { ...wipe, name: "look", annotations: { readOnlyHint: true } };

test("8: over stdio the official client lists two tools, and a script joins two servers; a question comes as a form", async () => {
  const folder = folderWith({
    "mcp.json": {
      mcpServers: { everything: official("everything"), s: raw({ tools: [wipe] }) },
      policy: { allow: ["mcp__everything__*"] },
    },
  });
  const client = newClient(yes);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], cwd: folder, stderr: "ignore" }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["codemode", "tool_search"]);
  const code =
    'const sum = await tools["mcp__everything__get-sum"]({ a: 2, b: 3 }); return [sum, await tools.mcp__s__wipe({})];';
  const answer = await client.call("codemode", { code });
  expect(answer.isError, answerText(answer)).toBeFalsy();
  expect(answerText(answer)).toContain("5");
  const record = answer._meta?.["dev.nestcall/record"] as { calls: { name: string; status: string }[] };
  expect(record.calls.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "mcp__everything__get-sum ok",
    "mcp__s__wipe ok",
  ]);
});

test("8.1: a client of the v1 SDK that cannot be asked gets the refusal", async () => {
  const folder = folderWith({ "mcp.json": { mcpServers: { s: raw({ tools: [wipe] }) } } });
  const client = new OldClient({ name: "old", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new OldStdio({ command: process.execPath, args: [MAIN, "mcp"], cwd: folder, stderr: "ignore" }));
  const answer = await client.callTool({
    name: "codemode",
    arguments: { code: "return await tools.mcp__s__wipe({})" },
  });
  expect(JSON.stringify(answer.content)).toMatch(/nobody can be asked here/);
});

test("8.1: a closed stdin ends the command with exit code 0, and the servers with it", async () => {
  const folder = folderWith({ "mcp.json": { mcpServers: { s: raw({ tools: [look], calls: {} }) } } });
  const child = spawn(process.execPath, [MAIN, "mcp"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 1, method: "initialize", params });
  await once(lines, "line");
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "tool_search", arguments: { query: "look" } } });
  const [answer] = (await once(lines, "line")) as [string];
  expect(answer).toContain("mcp__s__look");
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(isAlive(child.pid ?? 0)).toBe(false);
});

test("8.1: --http listens on 127.0.0.1, prints the address, refuses a foreign Host; Ctrl-C ends it with 130", async () => {
  const folder = folderWith({ "mcp.json": { mcpServers: { s: raw({ tools: [look] }) } } });
  const child = spawn(process.execPath, [MAIN, "mcp", "--http", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line);
      if (found !== null) resolve(found[0]);
    });
  });
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  expect((await client.listTools()).tools).toHaveLength(2);
  expect((await fetch(url, { method: "POST", headers: { Origin: "https://evil.example" } })).status).toBe(403);
  await client.close();
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
});

test("8: --dry-run shows servers, tools, what the policy says, and tokens; a server that fails makes exit code 1", async () => {
  const broken = { command: process.execPath, args: ["-e", "console.error('no luck'); process.exit(3)"] };
  const folder = folderWith({
    "mcp.json": { mcpServers: { s: raw({ tools: [wipe, look] }), broken }, policy: { deny: ["mcp__s__wipe"] } },
  });
  const { exitCode, stdout, stderr } = await nestcall(["mcp", "--dry-run"], { cwd: folder });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Using mcp.json.");
  expect(stdout).toMatch(/broken +failed .*no luck/);
  expect(stdout).toMatch(/mcp__s__wipe +hidden +deny .*deny\[0\] "mcp__s__wipe"/);
  expect(stdout).toMatch(/mcp__s__look +deferred +allow .*claims to be read-only/);
  expect(stdout).toMatch(/With it the client lists 2: about \d+ tokens/);
  const json = await nestcall(["mcp", "--dry-run", "--json", "--config", join(folder, "mcp.json")]);
  const report = JSON.parse(json.stdout) as Record<string, unknown>;
  expect(Object.keys(report)).toEqual(["source", "servers", "tools", "shown", "tokens"]);
});

test.each<[string, unknown, string]>([
  ["broken JSON", "{", "is no JSON"],
  ["an unknown key", { mcpServers: {}, polices: {} }, 'has the key "polices"'],
  ["a policy of a wrong kind", { mcpServers: {}, policy: { deny: [7] } }, "policy.deny[0] must be a name"],
  ["no servers", {}, "has no servers"],
])("8.1: a configuration with %s ends with exit code 2 before a server starts", async (_what, content, message) => {
  const folder = folderWith({ "mcp.json": content });
  const { exitCode, stdout, stderr } = await nestcall(["mcp"], { cwd: folder });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test.each<[string[], string]>([
  [["mcp"], "There is no configuration: name one with --config FILE"],
  [["mcp", "--config", "none.json"], "none.json cannot be read: there is no such file"],
  [["mcp", "--http", "x"], "--http takes a port"],
  [["mcp", "--host", "0.0.0.0"], "--host and --token-env are for --http"],
  [["mcp", "--config", "mcp.json", "--http", "0", "--host", "0.0.0.0"], "name it with --token-env NAME"],
  [["mcp", "--json"], "--json is for --dry-run"],
  [["mcp", "--confg", "x"], "Did you mean --config?"],
  [["mcp", "stray"], '"stray" is too much here'],
])("8: %j is wrong usage: exit code 2, and stderr says what to do", async (args, message) => {
  const { exitCode, stdout, stderr } = await nestcall(args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("8.1: a file of tools needs no configuration", async () => {
  const folder = folderWith({
    "tools.mjs":
      'export const hello = { name: "hello", description: "Greets.", inputSchema: { type: "object" }, execute: () => "hi" };',
  });
  const {
    exitCode: code,
    stdout,
    stderr,
  } = await nestcall(["mcp", "--tools", "tools.mjs", "--dry-run", "--json"], {
    cwd: folder,
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    tools: [{ name: "hello" }],
    shown: [{ name: "codemode" }, { name: "tool_search" }],
  });
  expect((await nestcall(["mcp", "--tools", "tools.mjs", "--config", "none.json"], { cwd: folder })).exitCode).toBe(2);
  expect(await nestcall(["mcp"], { cwd: folderWith({}) })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("There is no configuration"),
  });
});
