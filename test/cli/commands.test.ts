// `nestcall run`, `call`, `tools`, `guard explain`, `trace` and `doctor`, as a user starts them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { raw } from "../hosts/mcp/connect.js";
import { folderWith, MAIN, nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const TOOLS = `
import { defineTool, Type } from "nestcall";
import { needsApproval } from "nestcall/guards";
const closed = { additionalProperties: false };
type Sum = { a: number; b: number };
export const add = defineTool({
  name: "add", description: "Adds two numbers.", effect: "read",
  inputSchema: Type.Object({ a: Type.Number(), b: Type.Number() }, closed),
  execute: ({ a, b }: Sum) => String(a + b),
});
export const notATool = 7;
export default [
  defineTool({ name: "wipe", description: "Wipes.", effect: "destructive", inputSchema: Type.Object({}), execute: () => "wiped" }),
  defineTool({ name: "asks", description: "Says whether add asks.", effect: "read", inputSchema: Type.Object({}), execute: () => String(needsApproval(add)) }),
  defineTool({
    name: "hang", description: "Hangs until it is aborted.", effect: "read", inputSchema: Type.Object({}),
    execute: (_args, ctx) => new Promise((resolve) => {
      process.stderr.write("hanging\\n");
      const keep = setInterval(() => {}, 1000);
      ctx.signal.addEventListener("abort", () => { clearInterval(keep); resolve("stopped"); });
    }),
  }),
];
`;
const world = (files: object = {}) => folderWith({ "tools.ts": TOOLS, ...files });
const withTools = ["--tools", "tools.ts"];

test("8.1: run executes a TypeScript script: its value and texts on stdout, the calls and the console on stderr", async () => {
  const script = `
const two: number = 2;
console.log("noted");
text("shown");
const sums = await Promise.all([tools.add({ a: two, b: 3 }), tools.add({ a: 5, b: 5 })]);
return { sums };`;
  const cwd = world({ "s.ts": script });
  const { exitCode, stdout, stderr } = await nestcall(["run", "s.ts", ...withTools], { cwd });
  expect([exitCode, stdout]).toEqual([0, 'shown\n{\n  "sums": [\n    "5",\n    "10"\n  ]\n}\n']);
  expect(stderr).toMatch(/^T\/1 add … ok \d+ ms\nT\/2 add … ok \d+ ms\nT codemode … ok \d+ ms\nnoted\n$/);
});

test("8: --json of run, and the record that trace draws", async () => {
  const cwd = world({
    "s.js": "await tools.wipe({}).catch(() => {}); return (await tools.add({ a: 1, b: 1 })).length;",
  });
  const ran = await nestcall(["run", "s.js", ...withTools, "--json", "--quiet", "--record", "r.json"], { cwd });
  const json = JSON.parse(ran.stdout) as Record<string, unknown>;
  expect(Object.keys(json)).toEqual([
    ...["status", "value", "output", "console", "warnings", "calls", "nestedCalls", "durationMs"],
  ]);
  expect(json.value).toBe(1);
  const record = JSON.parse(readFileSync(join(cwd, "r.json"), "utf8")) as Record<string, object>;
  expect(Object.keys(record)).toEqual(["toolCall", "status", "durationMs", "nestedCalls"]);
  const traced = await nestcall(["trace", "r.json"], { cwd });
  expect(traced.stdout).toMatch(/^✓ codemode .*\n├─ ✗ wipe {2}BLOCKED\n[\s\S]*└─ ✓ add a: 1, b: 1 {2}ok/);
  const tree = JSON.parse((await nestcall(["trace", "r.json", "--json"], { cwd })).stdout) as {
    root: { children: unknown[] };
  };
  expect(tree.root.children).toHaveLength(2);
});

test("8: a script that fails is exit code 1, with its line and what to read", async () => {
  const cwd = world({ "s.js": 'const x = 1;\nthrow new TypeError("no good");' });
  const { exitCode, stdout, stderr } = await nestcall(["run", "s.js", ...withTools], { cwd });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("s.js:2: TypeError: no good");
});

test("8.1: call takes JSON or key=value, and the schema says what a number is", async () => {
  const cwd = world();
  for (const args of [['{"a":1,"b":2}'], ["a=1", "b=2"]]) {
    const { exitCode, stdout } = await nestcall(["call", "add", ...args, ...withTools], { cwd });
    expect([exitCode, stdout]).toEqual([0, "3\n"]);
  }
  const { stdout } = await nestcall(["call", "add", "a=1", "b=2", ...withTools, "--json"], { cwd });
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["toolCall", "status", "isError", "result", "durationMs"]);
});

test.each<[string, string[], string]>([
  ["an unknown tool", ["call", "ad"], 'There is no tool "ad" that can be called here. Close names: add.'],
  ["bad arguments", ["call", "add", "a=x", "b=1"], 'a: must be a number, got the string "x"'],
  ["an unknown tool", ["guard", "explain", "ad"], 'There is no tool "ad". Close names: add.'],
])("8.1: %s is exit code 1, its text on stderr, nothing on stdout: %j", async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await nestcall([...args, ...withTools], { cwd: world() });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
});

test.each<[string[], number, string]>([
  [["wipe"], 1, "nobody can be asked here"],
  [["wipe", "--approve", "none"], 1, "--approve all allows what the policy would ask for"],
  [["wipe", "--approve", "read-only"], 1, "nobody can be asked here"],
  [["wipe", "--approve", "all"], 0, ""],
  [["add", "a=1", "b=1", "--approve", "read-only"], 0, ""],
])("8.1: without a terminal, call %j is exit code %i", async (args, code, message) => {
  const { exitCode, stderr } = await nestcall(["call", ...args, ...withTools], { cwd: world() });
  expect(exitCode, stderr).toBe(code);
  expect(stderr).toContain(message);
});

test("8.1: --approve read-only refuses what the policy allows and claims to write; all allows nothing that is denied", async () => {
  const policy = { mcpServers: {}, policy: { allow: ["wipe"], deny: ["add"] } };
  const cwd = world({ "mcp.json": policy });
  const call = (...args: string[]) => nestcall(["call", ...args, ...withTools], { cwd });
  expect(await call("wipe")).toMatchObject({ exitCode: 0, stdout: "wiped\n" });
  expect(await call("wipe", "--approve", "read-only")).toMatchObject({ exitCode: 1 });
  const denied = await call("add", "a=1", "b=1", "--approve", "all");
  expect(denied.exitCode).toBe(1);
  expect(denied.stderr).toContain('There is no tool "add"');
});

test("8.1: a tool file finds this very nestcall and its entries, installed or not", async () => {
  expect(await nestcall(["call", "asks", ...withTools], { cwd: world() })).toMatchObject({
    exitCode: 0,
    stdout: "false\n",
  });
});

test.each<[string, unknown, string]>([
  ["that does not load", "export const = 1;", "tools.ts cannot be loaded"],
  ["without a tool", "export const a = 1;", "tools.ts exports no tool"],
  ["with a broken tool", 'export const t = { name: "t", execute() {}, inputSchema: 5 };', 'Tool "t"'],
])("8.1: a tool file %s is exit code 2", async (_what, text, message) => {
  const { exitCode, stdout, stderr } = await nestcall(["tools", ...withTools], { cwd: world({ "tools.ts": text }) });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("8: tools lists what can be called, finds by words, and --cost says what it saves", async () => {
  const listed = Array.from({ length: 12 }, (_, index) => ({
    name: `tool_${index}`,
    description:
      index === 3
        ? "Creates an issue in a tracker."
        : "Does something else entirely with a very long description. ".repeat(9),
    inputSchema: { type: "object" },
  }));
  const cwd = world({
    "mcp.json": { mcpServers: { s: raw({ tools: listed }) }, policy: { deny: ["mcp__s__tool_1"] } },
  });
  const all = await nestcall(["tools", "--cost"], { cwd });
  expect(all.exitCode).toBe(0);
  expect(all.stdout).toMatch(/^TOOL +EXPOSURE +POLICY +TOKENS +DESCRIPTION\nmcp__s__tool_0 +deferred +ask +\d+ +Does/);
  expect(all.stdout).not.toMatch(/mcp__s__tool_1 /);
  expect(all.stdout).toMatch(/That saves about [\d,]+ tokens, [\d.]+ %\.\n$/);
  const { tools } = JSON.parse((await nestcall(["tools", "create issue", "--json"], { cwd })).stdout) as {
    tools: { name: string }[];
  };
  expect(tools[0]?.name).toBe("mcp__s__tool_3");
});

test("8: guard explain names the rule and the hints, with arguments for rules with conditions; it calls nothing", async () => {
  const deny = [{ tool: "add", when: { a: "6*" } }];
  const cwd = world({ "mcp.json": { mcpServers: {}, policy: { deny } } });
  const explain = (...args: string[]) => nestcall(["guard", "explain", "add", ...args, ...withTools], { cwd });
  const allowed = await explain();
  expect(allowed.exitCode).toBe(0);
  expect(allowed.stdout).toMatch(
    /^add: allow, it runs\.\n {2}why +no rule fits, and the tool claims to be read-only\n/,
  );
  const denied = JSON.parse((await explain('{"a":66,"b":1}', "--json")).stdout) as object;
  expect(denied).toMatchObject({
    tool: "add",
    verdict: "deny",
    basis: "rule",
    rule: expect.stringContaining("deny[0]"),
  });
});

test("8: doctor tells of node, the configuration and each server, with the end of a failed one's stderr", async () => {
  const broken = {
    command: process.execPath,
    args: ["-e", "console.error('first'); console.error('no luck'); process.exit(3)"],
  };
  const cwd = world({ "mcp.json": { mcpServers: { good: raw(), broken, odd: { comand: "x" } } } });
  const { exitCode, stdout } = await nestcall(["doctor"], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`ok   node: ${process.version}\n`);
  expect(stdout).toMatch(/ok {3}server good: 0 tools|ok {3}server good: \d+ tools/);
  expect(stdout).toMatch(/BAD {2}server broken: .*exit code 3.*\n {7}stderr \| first\n {7}stderr \| no luck/);
  expect(stdout).toMatch(/BAD {2}server odd: .*did you mean "command"\?/);
  const json = JSON.parse((await nestcall(["doctor", "--json"], { cwd })).stdout) as object;
  expect(Object.keys(json)).toEqual(["node", "nestcall", "config", "checks", "servers"]);
  const empty = await nestcall(["doctor"]);
  expect([empty.exitCode, empty.stdout]).toEqual([0, expect.stringContaining("configuration: none; looked for")]);
  const wrong = await nestcall(["doctor"], { cwd: world({ "mcp.json": "{" }) });
  expect([wrong.exitCode, wrong.stdout]).toEqual([
    1,
    expect.stringContaining("BAD  configuration: mcp.json is no JSON"),
  ]);
});

test.each(["SIGINT", "SIGTERM"] as const)("8: %s aborts the tree, reports it, and ends with 130", async (signal) => {
  const cwd = world({ "s.js": "return await tools.hang({})" });
  const child = spawn(process.execPath, [MAIN, "run", "s.js", ...withTools, "--record", "r.json"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    if (line === "hanging") child.kill(signal);
  });
  expect(await once(child, "close")).toEqual([130, null]);
  expect(lines).toContain("Interrupted: stopping what runs.");
  expect(lines.join("\n")).toMatch(/T\/1 hang … aborted/);
  expect(readFileSync(join(cwd, "r.json"), "utf8")).toContain('"status": "aborted"');
});

test("8: a reader that has had enough is no failure", async () => {
  const child = spawn(process.execPath, [MAIN, "tools", ...withTools], {
    cwd: world(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  expect([await once(child, "close"), stderr]).toEqual([[0, null], ""]);
});
