// Serving over stdin and stdout: to the clients of the SDK's first and second version, in both protocols, and that a process
// keeps its stdout clean and ends when its stdin does.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Answer, answerText, type Called, newClient, yes } from "./served.js";

vi.setConfig({ testTimeout: 30_000 }); // processes are slow to start where others work too

const fixture = fileURLToPath(new URL("fixtures/stdio-server.mjs", import.meta.url));
const command = { command: process.execPath, args: [fixture], stderr: "pipe" as const };

type AnyClient = Pick<Called, "call" | "close"> & { listTools(): Promise<{ tools: { name: string }[] }> };
interface Connected {
  readonly client: AnyClient;
  readonly stderr: Lines;
}

async function firstVersion(): Promise<Connected> {
  const client = new FirstClient({ name: "first", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => yes());
  const transport = new FirstTransport(command);
  const stderr = linesOf(transport.stderr as Readable);
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}, options: object = {}) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, options)) as Answer;
  return { client: Object.assign(client, { call }) as AnyClient, stderr };
}

async function secondVersion(mode: unknown): Promise<Connected> {
  const client = newClient(yes, { versionNegotiation: { mode } } as never);
  const transport = new StdioClientTransport(command);
  const stderr = linesOf(transport.stderr as Readable);
  await client.connect(transport);
  return { client, stderr };
}

class Lines {
  readonly all: string[] = [];
  async until(line: string): Promise<void> {
    await vi.waitFor(() => expect(this.all).toContain(line), { timeout: 10_000 });
  }
}
function linesOf(stream: Readable): Lines {
  const lines = new Lines();
  createInterface({ input: stream }).on("line", (line) => lines.all.push(line));
  return lines;
}

const CLIENTS = {
  "the first SDK": firstVersion,
  "the second SDK, older protocol": () => secondVersion("legacy"),
  "the second SDK, newer protocol": () => secondVersion({ pin: "2026-07-28" }),
  "the second SDK, which finds out": () => secondVersion("auto"),
};

test.each(Object.entries(CLIENTS))(
  "8: %s: list, call, progress, approval, structured output, bad arguments, cancel",
  async (_name, connect) => {
    const { client, stderr } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["conduct", "add", "wipe", "chat", "hang"]);
    expect(await client.call("add", { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
    expect(await client.call("add", { a: "two" })).toMatchObject({ isError: true });
    await expect(client.call("nowhere")).rejects.toMatchObject({ code: -32602 });

    const lines: (string | undefined)[] = [];
    const onprogress = ({ message }: { readonly message?: string }) => lines.push(message);
    const answer = await client.call(
      "conduct",
      { calls: [["add", { a: 1, b: 1 }], ["wipe"], ["chat"]] },
      { onprogress },
    );
    expect(answerText(answer)).toBe('ok: {"sum":2}\nok: wiped\nok: chatted');
    expect(answer._meta?.["dev.nestcall/record"]).toMatchObject({ complete: true, calls: [{}, {}, {}] });
    // What comes in one piece with the result, these clients let fall.
    expect(lines[0]).toBe("T/1 add …");
    expect(lines[1]).toMatch(/^T\/1 add … ok \d+ ms$/);

    const cancel = new AbortController();
    const hanging = client.call("conduct", { calls: [["hang"]] }, { signal: cancel.signal });
    hanging.catch(() => {});
    await stderr.until("hanging");
    cancel.abort();
    await expect(hanging).rejects.toThrow();
    await stderr.until("hang was aborted");
    expect(stderr.all).toContain("console.log of a tool");
    expect(stderr.all.filter((line) => line.startsWith("log:"))).toEqual([]);
  },
);

interface Started {
  readonly child: ChildProcess;
  readonly stdout: Lines;
  readonly stderr: Lines;
  send(message: object | string): void;
}
function start(): Started {
  const child = spawn(process.execPath, [fixture], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const send = (message: object | string) =>
    void child.stdin.write(
      `${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`,
    );
  return { child, stdout: linesOf(child.stdout), stderr: linesOf(child.stderr), send };
}
const CLIENT_INFO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };

test("8.1: stdout has nothing but messages, until it is the program's own again", async () => {
  const { child, stdout, stderr, send } = start();
  send({ id: 1, method: "initialize", params: CLIENT_INFO });
  send({ method: "notifications/initialized" });
  send("this is no message");
  send({ id: 2, method: "tools/call", params: { name: "chat", arguments: {} } });
  await vi.waitFor(() => expect(stdout.all).toHaveLength(2), { timeout: 10_000 });
  child.stdin?.end();
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(0);
  expect(stdout.all.slice(0, 2).map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  expect(stdout.all.slice(2)).toEqual(["printed after all"]);
  expect(stderr.all).toContain("the program goes on");
  expect(stderr.all).toContain("stdout of a tool");
});

test("8.1: the end of stdin aborts what runs and ends the process with 0", async () => {
  const { child, stderr, send } = start();
  send({ id: 1, method: "initialize", params: CLIENT_INFO });
  send({ id: 2, method: "tools/call", params: { name: "conduct", arguments: { calls: [["hang"]] } } });
  await stderr.until("hanging");
  child.stdin?.end();
  const [exitCode] = await once(child, "close");
  expect([exitCode, stderr.all.slice(-2)]).toEqual([0, ["hang was aborted", "closed"]]);
});

test("8.1: a client that dies with a call under way ends the process, without a crash", async () => {
  const { child, stderr, send } = start();
  send({ id: 1, method: "initialize", params: CLIENT_INFO });
  send({ id: 2, method: "tools/call", params: { name: "conduct", arguments: { calls: [["hang"]] } } });
  await stderr.until("hanging");
  child.stdout?.destroy();
  child.stdin?.destroy();
  const [exitCode, signal] = await once(child, "exit");
  expect([exitCode, signal]).toEqual([0, null]);
  await stderr.until("closed");
});
