// MCP servers over HTTP, in this process: the official one in both eras, and one in plain HTTP that may misbehave.
import { randomUUID } from "node:crypto";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

export interface HttpWorld {
  readonly url: string;
  readonly server: HttpServer;
  /** Ends the server and breaks every connection. */
  kill(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function serveHttp(handler: Handler, port = 0): Promise<HttpWorld> {
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const kill = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(kill);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server, kill };
}

export interface Plan {
  readonly tools: { name: string; description?: string; inputSchema: object; outputSchema?: object }[];
  readonly calls: string[];
  /** What was heard of calls that were cancelled. */
  readonly cancelled: string[];
}

export function planOf(...names: string[]): Plan {
  return { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })), calls: [], cancelled: [] };
}

/** A server of the official package that has the tools of the plan. */
function officialServer(plan: Plan): Server {
  const server = new Server(
    { name: "http", version: "2.0.0" },
    { capabilities: { tools: { listChanged: true } }, instructions: "Over HTTP." },
  );
  server.setRequestHandler("tools/list", () => ({ tools: plan.tools as never[] }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    plan.calls.push(params.name);
    const { progressToken } = (ctx.mcpReq._meta ?? {}) as { progressToken?: string | number };
    if (params.name === "progress" && progressToken !== undefined) {
      for (const progress of [1, 2]) {
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 2 } });
      }
    }
    if (params.name === "hang") {
      await new Promise<void>((resolve) => {
        const stop = () => {
          plan.cancelled.push(String(ctx.mcpReq.signal.reason));
          resolve();
        };
        if (ctx.mcpReq.signal.aborted) stop();
        ctx.mcpReq.signal.addEventListener("abort", stop);
      });
    }
    const { arguments: args = {} } = params;
    return { content: [{ type: "text", text: `${params.name} ${JSON.stringify(args)}` }], structuredContent: { args } };
  });
  return server;
}

/** Speaks the newer protocol, and the older one unless `legacy` is `reject`. */
export function bothEras(plan: Plan, legacy: "stateless" | "reject" = "stateless") {
  const handler = createMcpHandler(() => officialServer(plan), { legacy });
  const node = toNodeHandler(handler);
  onTestFinished(() => handler.close());
  return {
    handle: ((request, response) => node(request as never, response)) satisfies Handler,
    notify: handler.notify,
  };
}

/** Speaks the older protocol, with sessions. */
export function withSessions(plan: Plan) {
  const sessions = new Map<string, { transport: NodeStreamableHTTPServerTransport; server: Server }>();
  const handle: Handler = async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end("Session not found");
      return;
    }
    if (known !== undefined) {
      await known.transport.handleRequest(request, response);
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, { transport, server }),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    const server = officialServer(plan);
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
  const changed = () => Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
  return { handle, sessions, changed };
}

/** Reads a request's JSON-RPC message. */
async function messageOf(
  request: IncomingMessage,
): Promise<{ id?: number; method?: string; params?: { name?: string } }> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as object);
}

/** The older protocol in plain HTTP with one tool, whose call is answered by `call`. */
export function plainHttp(call: (id: number, response: ServerResponse) => unknown): Handler {
  return async (request, response) => {
    const { id, method } = await messageOf(request);
    const answer = (result: object) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (request.method !== "POST") return response.writeHead(405).end();
    switch (method) {
      case "initialize":
        return answer({
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "plain", version: "1" },
        });
      case "tools/list":
        return answer({ tools: [{ name: "go", inputSchema: { type: "object" } }] });
      case "tools/call":
        return call(id ?? 0, response);
      case "server/discover":
        response.writeHead(200, { "content-type": "application/json" });
        return response.end(
          JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }),
        );
      default:
        return response.writeHead(202).end();
    }
  };
}
