// Serving over HTTP: who may come, in which protocol, and when sessions end.
import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createExecutor, type Executor, type ToolContext } from "nestcall";
import { type McpServing, type ServeMcpOptions, serveMcp } from "nestcall/mcp";
import { createGate } from "nestcall/testing";
import { expect, onTestFinished, test } from "vitest";
import { at, tool, untilAborted } from "../../../helpers/engine.js";
import {
  type Answerer,
  answerText,
  type Called,
  conductor,
  ERAS,
  type Era,
  guarded,
  keep,
  newClient,
  yes,
} from "./served.js";

const TOKEN = "0123456789abcdef-secret";

function small(): Executor {
  const executor = createExecutor({ tools: [conductor(), tool("hello", () => "hello")] });
  onTestFinished(() => executor.close());
  return executor;
}
function serve(executor: Executor, options: Partial<ServeMcpOptions> = {}): Promise<McpServing> {
  return keep(serveMcp(executor, { http: true, ...options }));
}
async function connect(
  serving: McpServing,
  era: Era,
  onElicit?: Answerer,
  requestInit: RequestInit = {},
): Promise<Called> {
  const versionNegotiation = era === "modern" ? { mode: { pin: "2026-07-28" } } : { mode: "legacy" };
  const client = newClient(onElicit, { versionNegotiation } as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url ?? ""), { requestInit }));
  return client;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
/** A request of a client that need not be an honest one. */
async function raw(
  serving: McpServing,
  headers: object = {},
  body: unknown = INITIALIZE,
  more: RequestOptions = {},
): Promise<Reply> {
  const own = { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers };
  const sent = request(serving.url ?? "", { method: "POST", headers: own, ...more });
  sent.on("error", () => {}); // one before the answer rejects below; one after it is of a body that nobody wanted
  sent.end(typeof body === "string" ? body : JSON.stringify(body));
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of reply) text += chunk;
  return { status: reply.statusCode, headers: reply.headers, body: text };
}

test.each(ERAS)("8.1: %s: list, call, progress and approvals over a socket of this machine", async (era) => {
  const { executor, approvals } = guarded([conductor(), tool("wipe", () => "wiped", { effect: "destructive" })]);
  const serving = await serve(executor, { approvals });
  expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = await connect(serving, era, yes);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["conduct", "wipe"]);
  const lines: (string | undefined)[] = [];
  const onprogress = ({ message }: { readonly message?: string }) => lines.push(message);
  const calls = [["wipe"], ["wipe"]];
  expect(answerText(await client.call("conduct", { calls, together: true }, { onprogress }))).toBe(
    "ok: wiped\nok: wiped",
  );
  expect(lines).toContain("T/1 wipe …");
});

test("8.1: a name or a page of somebody else is refused, before anything is read", async () => {
  const serving = await serve(small(), { http: { allowedHosts: ["mcp.internal"], allowedOrigins: ["app.example"] } });
  const port = new URL(serving.url ?? "").port;
  const statusFor = async (headers: object) => (await raw(serving, headers)).status;
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "[::1]", "mcp.internal:1"]) {
    expect([host, await statusFor({ host })]).toEqual([host, 200]);
  }
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
  ]) {
    expect([host, await statusFor({ host })]).toEqual([host, 403]);
  }
  for (const origin of ["http://localhost:6274", "https://app.example", "http://127.0.0.1"]) {
    expect([origin, await statusFor({ origin })]).toEqual([origin, 200]);
  }
  for (const origin of [
    "https://evil.example",
    "null",
    "file://",
    "http://localhost.evil.example",
    "https://app.example.evil",
  ]) {
    expect([origin, await statusFor({ origin })]).toEqual([origin, 403]);
  }
  const { body } = await raw(serving, { origin: "https://evil.example" }, "no json at all");
  expect(JSON.parse(body)).toMatchObject({
    error: { message: "This server is not called by that Origin; the option http.allowedOrigins can name it." },
  });
});

test("8.1: a browser is told that pages of named origins may call, and of no others", async () => {
  const serving = await serve(small(), { http: { token: TOKEN, allowedOrigins: ["app.example"] } });
  const authorization = `Bearer ${TOKEN}`;
  const asks = (origin: string) =>
    raw(serving, { origin, "access-control-request-method": "POST" }, "", { method: "OPTIONS" });
  const named = await asks("https://app.example");
  expect(named).toMatchObject({
    status: 204,
    headers: {
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": expect.stringContaining("mcp-session-id"),
      vary: "Origin",
    },
  });
  const reply = await raw(serving, { origin: "https://app.example", authorization });
  expect(reply).toMatchObject({
    status: 200,
    headers: {
      "access-control-allow-origin": "https://app.example",
      "access-control-expose-headers": expect.stringContaining("mcp-session-id"),
    },
  });
  for (const [origin, status] of [
    ["http://localhost:8080", 405],
    ["https://evil.example", 403],
  ] as const) {
    const other = await asks(origin);
    expect([origin, other.status, other.headers["access-control-allow-origin"]]).toEqual([origin, status, undefined]);
  }
  const local = await raw(serving, { origin: "http://localhost:8080", authorization });
  expect([local.status, local.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
  // Only what a browser asks beforehand needs no token.
  expect((await raw(serving, {}, "", { method: "OPTIONS" })).status).toBe(405);
});

test("8.1: fetch makes the same checks", async () => {
  const serving = await serve(small(), { http: { listen: false, token: TOKEN } });
  expect(serving.url).toBeUndefined();
  const statusFor = async (url: string, headers: Record<string, string>) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" };
    return (await serving.fetch?.(new Request(url, init)))?.status;
  };
  const authorization = `Bearer ${TOKEN}`;
  expect(await statusFor("http://localhost/mcp", { authorization, origin: "https://evil.example" })).toBe(403);
  expect(await statusFor("http://evil.example/mcp", { authorization })).toBe(403);
  expect(await statusFor("http://localhost/mcp", {})).toBe(401);
  expect(await statusFor("http://localhost/elsewhere", { authorization })).toBe(404);
});

test.each(ERAS)("8.1: %s: a token is asked of everybody when there is one", async (era) => {
  const serving = await serve(small(), { http: { token: TOKEN } });
  for (const authorization of [
    undefined,
    "",
    TOKEN,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
  ]) {
    const reply = await raw(serving, authorization === undefined ? {} : { authorization });
    expect([authorization, reply.status, reply.headers["www-authenticate"]]).toEqual([authorization, 401, "Bearer"]);
  }
  // RFC 9110: the scheme's name is the same in lower case.
  const scheme = era === "modern" ? "bearer" : "Bearer";
  const client = await connect(serving, era, undefined, { headers: { authorization: `${scheme} ${TOKEN}` } });
  expect(answerText(await client.call("hello"))).toBe("hello");
});

test("8.1: on every address, with a token: addresses are fine, names are those that are allowed", async () => {
  const serving = await serve(small(), { http: { host: "0.0.0.0", token: TOKEN } });
  const local = { ...serving, url: (serving.url ?? "").replace("0.0.0.0", "127.0.0.1") };
  const authorization = `Bearer ${TOKEN}`;
  const statusFor = async (headers: object) => (await raw(local, { authorization, ...headers })).status;
  for (const host of ["192.168.1.5:80", "[fe80::1]", "localhost"])
    expect([host, await statusFor({ host })]).toEqual([host, 200]);
  for (const host of ["evil.example", "0.0.0.0.evil.example"])
    expect([host, await statusFor({ host })]).toEqual([host, 403]);
  expect(await statusFor({ origin: "http://192.168.1.5" })).toBe(403); // a page on some address is a page of somebody
});

test("8.1: what is no request of MCP is answered as such", async () => {
  const lines: string[] = [];
  const serving = await serve(small(), { log: (line) => lines.push(line) });
  expect((await raw(serving, {}, "{ not json")).status).toBe(400);
  expect((await raw(serving, { "content-type": "text/plain" })).status).toBe(415);
  expect((await raw(serving, {}, "", { method: "PUT" })).status).toBe(405);
  expect((await raw(serving, {}, "x".repeat(17 * 2 ** 20))).status).toBe(413);
  expect((await raw(serving, {}, { jsonrpc: "2.0", id: 1, method: "tools/list" })).status).toBe(400); // not initialized
  expect((await raw(serving, { "mcp-session-id": "made-up" })).status).toBe(404);
  const other = await raw({ ...serving, url: `${serving.url}/more` });
  expect([other.status, JSON.parse(other.body).error.message]).toEqual([
    404,
    "There is nothing here; the MCP server is at /mcp.",
  ]);
  expect(answerText(await (await connect(serving, "legacy")).call("hello"))).toBe("hello");
});

test("8.1: legacy: a session ends with DELETE and when it is idle, but not while something runs or listens", async () => {
  const running = createGate();
  const signals: AbortSignal[] = [];
  const executor = createExecutor({
    tools: [
      tool("hang", (_args, ctx: ToolContext) => {
        signals.push(ctx.signal);
        running.open();
        return untilAborted(ctx.signal);
      }),
    ],
  });
  onTestFinished(() => executor.close());
  const serving = await serve(executor, { http: { sessionIdleMs: 100 } });
  const busy = await connect(serving, "legacy");
  const session = (busy.transport as StreamableHTTPClientTransport).sessionId ?? "";
  const silent = String((await raw(serving)).headers["mcp-session-id"]);
  const call = busy.call("hang");
  call.catch(() => {});
  await running.promise;
  const ping = { jsonrpc: "2.0", id: 9, method: "ping" };
  await expect
    .poll(async () => (await raw(serving, { "mcp-session-id": silent }, ping)).status, { interval: 250 })
    .toBe(404);
  expect((await raw(serving, { "mcp-session-id": session }, ping)).status).toBe(200);
  const reply = await raw(serving, { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }, "", {
    method: "DELETE",
  });
  expect(reply.status).toBe(200);
  await expect(untilAborted(at(signals, 0))).rejects.toThrow("the client has ended the connection");
});

test.each(ERAS)(
  "8.1: %s: a client whose connection breaks ends its call, since it could not get the answer",
  async (era) => {
    const running = createGate();
    const ended = createGate<unknown>();
    const executor = createExecutor({
      tools: [
        tool("hang", (_args, ctx: ToolContext) => {
          running.open();
          return untilAborted(ctx.signal).catch((reason: unknown) => ended.open(reason));
        }),
      ],
    });
    onTestFinished(() => executor.close());
    const serving = await serve(executor);
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const params: Record<string, unknown> = { name: "hang", arguments: {} };
    if (era === "legacy") headers["mcp-session-id"] = String((await raw(serving)).headers["mcp-session-id"]);
    else {
      Object.assign(headers, { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "hang" });
      params._meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      };
    }
    const sent = request(serving.url ?? "", { method: "POST", headers });
    sent.on("error", () => {});
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params }));
    await running.promise;
    sent.destroy();
    expect(await ended.promise).toBeDefined();
  },
);

test("8.1: legacy: a client that lost its stream of notices may open it again at once", async () => {
  const serving = await serve(small());
  const id = String((await raw(serving)).headers["mcp-session-id"]);
  const headers = { accept: "text/event-stream", "mcp-session-id": id };
  for (let n = 0; n < 3; n += 1) {
    const stream = request(serving.url ?? "", { headers });
    stream.on("error", () => {});
    stream.end();
    const [reply] = (await once(stream, "response")) as [IncomingMessage];
    expect(reply.statusCode).toBe(200);
    const closed = once(stream, "close");
    stream.destroy();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 50)); // the other end of the socket has to hear of it
  }
});

test("8.1: an address that is taken is told; after close nothing listens, and closing twice is fine", async () => {
  const serving = await serve(small());
  const port = Number(new URL(serving.url ?? "").port);
  await expect(serveMcp(small(), { http: { port } })).rejects.toMatchObject({
    code: "INVALID_ARGUMENTS",
    message: expect.stringContaining(`serveMcp: cannot listen on 127.0.0.1, port ${port}: listen EADDRINUSE`),
  });
  await connect(serving, "legacy"); // its stream of notices is open
  await Promise.all([serving.close(), serving.close()]);
  await serving.closed;
  await expect(raw(serving)).rejects.toThrow("ECONNREFUSED");
});
