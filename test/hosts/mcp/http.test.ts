// Servers over streamable HTTP, in both eras: what works, and what is told when the way to them breaks.
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { at, endOf, textOf } from "../../helpers/engine.js";
import { connect } from "./connect.js";
import { bothEras, plainHttp, planOf, serveHttp, withSessions } from "./http-server.js";

vi.setConfig({ testTimeout: 30_000 });

test.each([
  ["auto", "2026-07-28"],
  ["modern", "2026-07-28"],
  ["legacy", "2025-11-25"],
])("issue: a server of both eras, asked in the way %s, speaks %s", async (protocol, version) => {
  const plan = planOf("echo", "progress");
  const { url } = await serveHttp(bothEras(plan).handle);
  const { executor, connection, state } = connect({ s: { url, protocol } });
  await connection.ready();
  expect(state()).toMatchObject({
    status: "connected",
    protocolVersion: version,
    instructions: "Over HTTP.",
    transport: "http",
  });
  const outcome = await executor.executeTool("mcp__s__echo", { a: [1, "ü"] });
  expect(outcome.result).toMatchObject({
    content: [{ text: 'echo {"a":[1,"ü"]}' }],
    structuredContent: { args: { a: [1, "ü"] } },
  });
  const updates: string[] = [];
  await executor.executeTool(
    "mcp__s__progress",
    {},
    { onUpdate: (update) => updates.push(JSON.stringify(update.content)) },
  );
  expect(updates).toEqual(['[{"type":"text","text":"1/2"}]', '[{"type":"text","text":"2/2"}]']);
});

test("issue: a server of the older era with sessions is found by itself, and its session ended", async () => {
  const { handle, sessions } = withSessions(planOf("echo"));
  const { url } = await serveHttp(handle);
  const { executor, connection, state } = connect({ s: { url } });
  await connection.ready();
  expect([state().status, state().protocolVersion, sessions.size]).toEqual(["connected", "2025-11-25", 1]);
  expect(textOf(await executor.executeTool("mcp__s__echo"))).toBe("echo {}");
  await connection.close();
  expect(sessions.size).toBe(0);
});

test("8.1: a server of the newer era alone is refused to those who insist on the older", async () => {
  const { url } = await serveHttp(bothEras(planOf("echo"), "reject").handle);
  const { connection } = connect({ new: { url }, old: { url, protocol: "legacy" } });
  const [modern, legacy] = await connection.ready();
  expect(modern).toMatchObject({ status: "connected", protocolVersion: "2026-07-28" });
  expect(legacy?.status).toBe("failed");
  expect(legacy?.error).not.toContain("\n");
});

test.each(["modern", "legacy"])("8.1: an abort reaches the server: %s", async (protocol) => {
  const plan = planOf("hang");
  const { handle } = protocol === "modern" ? bothEras(plan) : withSessions(plan);
  const { url } = await serveHttp(handle);
  const { executor, connection } = connect({ s: { url, protocol } });
  await connection.ready();
  const controller = new AbortController();
  const call = executor.executeTool("mcp__s__hang", {}, { signal: controller.signal });
  await vi.waitFor(() => expect(plan.calls).toEqual(["hang"]));
  controller.abort(new Error("none of your business"));
  expect(endOf(await call)).toBe("ABORTED");
  await vi.waitFor(() => expect(plan.cancelled).toHaveLength(1));
  expect(plan.cancelled[0]).not.toContain("business");
});

test.each(["modern", "legacy"])("8.1: a changed list is heard of: %s", async (protocol) => {
  const plan = planOf("one");
  const era = protocol === "modern" ? bothEras(plan) : withSessions(plan);
  const { url } = await serveHttp(era.handle);
  const { connection, state } = connect({ s: { url, protocol } });
  await connection.ready();
  plan.tools.push({ name: "two", inputSchema: { type: "object" } });
  await vi.waitFor(async () => {
    if ("notify" in era) era.notify.toolsChanged();
    else await era.changed();
    expect(state().tools.map(({ name }) => name)).toEqual(["mcp__s__one", "mcp__s__two"]);
  });
});

test("E11: nobody at the address: the server has failed, and so does a call, with the network's own words", async () => {
  const gone = await serveHttp(() => {});
  await gone.kill();
  const snapshot = { version: 1, servers: { s: { tools: [{ name: "a", inputSchema: { type: "object" } }] } } } as const;
  const { executor, connection, state } = connect({ s: { url: gone.url } }, { snapshot });
  await connection.ready();
  expect(state()).toMatchObject({ status: "failed", error: expect.stringContaining("ECONNREFUSED") });
  const outcome = await executor.executeTool("mcp__s__a");
  expect([endOf(outcome), textOf(outcome)]).toEqual(["TRANSPORT_FAILED", expect.stringContaining("ECONNREFUSED")]);
});

test.each(["modern", "legacy"])(
  "E11: a server that dies in the middle of a call fails it within two seconds, and is found again: %s",
  async (protocol) => {
    const plan = planOf("hang", "echo");
    const era = () => (protocol === "modern" ? bothEras(plan).handle : withSessions(plan).handle);
    const world = await serveHttp(era());
    const { executor, connection } = connect({ s: { url: world.url, protocol } });
    await connection.ready();
    const call = executor.executeTool("mcp__s__hang");
    await vi.waitFor(() => expect(plan.calls).toEqual(["hang"]));
    const { port } = world.server.address() as AddressInfo;
    const diedAt = performance.now();
    await world.kill();
    const outcome = await call;
    expect(performance.now() - diedAt).toBeLessThan(2_000);
    expect([endOf(outcome), textOf(outcome)]).toEqual([
      "TRANSPORT_FAILED",
      expect.stringContaining("The call is not sent again."),
    ]);
    await serveHttp(era(), port);
    expect(textOf(await executor.executeTool("mcp__s__echo"))).toBe("echo {}");
    expect(plan.calls).toEqual(["hang", "echo"]);
  },
);

test("E11: a stream that ends without the answer fails the call, and no other", async () => {
  const handle = plainHttp((_id, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(': hello\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
  });
  const { url } = await serveHttp(handle);
  const { executor, connection } = connect({ s: { url } });
  await connection.ready();
  const outcome = await executor.executeTool("mcp__s__go");
  expect([endOf(outcome), textOf(outcome)]).toEqual([
    "TRANSPORT_FAILED",
    'The MCP server "s" cannot be used: the connection ended before the answer came. The call is not sent again.',
  ]);
});

test.each([
  [500, "TRANSPORT_FAILED", "HTTP 500"],
  [503, "TRANSPORT_FAILED", "HTTP 503"],
  [404, "TRANSPORT_FAILED", "HTTP 404"],
  [401, "TOOL_FAILED", "HTTP 401; it wants authorization: put it into the entry's headers"],
  [403, "TOOL_FAILED", "HTTP 403; it denies access"],
  [400, "TOOL_FAILED", "HTTP 400"],
])("E11, E12: a call that is answered with HTTP %i is %s, and is sent once", async (status, code, text) => {
  let calls = 0;
  const handle = plainHttp((_id, response) => {
    calls += 1;
    response.writeHead(status).end("no\nsecond line");
  });
  const { url } = await serveHttp(handle);
  const { executor, connection } = connect({ s: { url } });
  await connection.ready();
  const outcome = await executor.executeTool("mcp__s__go");
  expect([endOf(outcome), textOf(outcome), calls]).toEqual([code, expect.stringContaining(text), 1]);
  expect(textOf(outcome)).not.toContain("\n");
});

test("8.1: a session that the server has forgotten fails its call; one that runs beside comes to its end", async () => {
  const open: { readonly id: number; readonly response: ServerResponse }[] = [];
  const { url } = await serveHttp(
    plainHttp((id, response) => {
      if (open.length > 0) return response.writeHead(404).end();
      return open.push({ id, response });
    }),
  );
  const { executor, connection, state } = connect({ s: { url } });
  await connection.ready();
  const beside = executor.executeTool("mcp__s__go");
  await vi.waitFor(() => expect(open).toHaveLength(1));
  expect(endOf(await executor.executeTool("mcp__s__go"))).toBe("TRANSPORT_FAILED");
  expect(state().status).toBe("failed"); // the next call makes a new session
  const { id, response } = at(open, 0);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } }));
  expect(textOf(await beside)).toBe("late");
});

test("8.1: a connection that is refused for a while is tried again, twice; a call is not", async () => {
  const plan = planOf("echo");
  const good = bothEras(plan).handle;
  let requests = 0;
  const { url } = await serveHttp((request, response) => {
    requests += 1;
    return requests <= 2 ? response.writeHead(503).end() : good(request, response);
  });
  const { connection, state } = connect({ s: { url } });
  await connection.ready();
  expect([state().status, requests >= 3]).toEqual(["connected", true]);
});

test("8.1: 401 at the start says what is missing", async () => {
  const { url } = await serveHttp((_request, response) => response.writeHead(401).end());
  const { connection } = connect({ auto: { url }, old: { url, protocol: "legacy" } });
  for (const { status, error } of await connection.ready()) {
    expect([status, error]).toEqual(["failed", expect.stringMatching(/HTTP 401.*headers/)]);
  }
});

test("8: the headers of an entry are sent with every request", async () => {
  process.env.NESTCALL_TEST_TOKEN = "t0ken";
  const seen = new Set<unknown>();
  const good = withSessions(planOf("echo")).handle;
  const { url } = await serveHttp((request, response) => {
    seen.add(request.headers.authorization);
    return good(request, response);
  });
  const { executor, connection } = connect({
    s: { url, headers: { Authorization: `Bearer \${NESTCALL_TEST_TOKEN}` } },
  });
  delete process.env.NESTCALL_TEST_TOKEN;
  await connection.ready();
  await executor.executeTool("mcp__s__echo");
  await connection.close();
  expect([...seen]).toEqual(["Bearer t0ken"]);
});

test.each([
  [
    "application/json",
    (id: number) => [`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`, '"}]}}'],
  ],
  [
    "text/event-stream",
    (id: number) => [`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`, '"}]}}\n\n'],
  ],
])("issue: an answer of 100 MiB as %s is refused, in bounded memory", async (type, around) => {
  const handle = plainHttp(async (id, response) => {
    const [start, end] = around(id);
    response.writeHead(200, { "content-type": type });
    response.write(start);
    const piece = "x".repeat(1 << 20);
    for (let n = 0; n < 100 && !response.destroyed; n += 1) {
      await new Promise((resolve) => response.write(piece, resolve));
    }
    response.end(end);
  });
  const { url } = await serveHttp(handle);
  const { executor, connection } = connect({ s: { url } });
  await connection.ready();
  const outcome = await executor.executeTool("mcp__s__go");
  expect([outcome.isError, textOf(outcome)]).toEqual([true, expect.stringContaining("16 MiB")]);
});

test("8: what is no JSON-RPC over HTTP is an error of its call", async () => {
  const { url } = await serveHttp(
    plainHttp((_id, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>Welcome</h1>");
    }),
  );
  const { executor, connection } = connect({ s: { url } });
  await connection.ready();
  const outcome = await executor.executeTool("mcp__s__go");
  expect([endOf(outcome), textOf(outcome)]).toEqual(["TOOL_FAILED", expect.stringContaining("text/html")]);
  expect(at(connection.servers, 0).status).toBe("connected");
});
