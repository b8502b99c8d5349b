// Clients of the older protocol over HTTP: each has a session, because answers to what the server asks, and cancellations, come
// by requests of their own.
import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { MCP_LIMITS } from "../../limits.js";
import type { ClientConnection } from "../client-connection.js";
import { makeServer } from "../make-server.js";
import type { McpService } from "../mcp-service.js";
import { jsonRpcError } from "./json-rpc-error.js";

interface HttpSession {
  readonly server: Server;
  readonly connection: ClientConnection;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that have not been answered in full, the stream for notices among them. */
  open: number;
  lastSeenAt: number;
}

const MAX_SESSIONS = 1_000;
const LOOK_EVERY_MS = 60_000;

export class HttpSessions {
  readonly #service: McpService;
  readonly #idleMs: number;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #timer: NodeJS.Timeout;

  constructor(service: McpService, idleMs: number) {
    this.#service = service;
    this.#idleMs = idleMs;
    this.#timer = setInterval(() => this.#endIdle(), Math.min(idleMs, LOOK_EVERY_MS)).unref();
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request);
    const session = this.#sessions.get(id);
    if (session === undefined)
      return jsonRpcError(404, -32_001, "There is no such session any more; initialize again.");
    session.lastSeenAt = performance.now();
    session.open += 1;
    const done = () => {
      session.open -= 1;
      session.lastSeenAt = performance.now();
    };
    try {
      return whenRead(await session.transport.handleRequest(request), request.signal, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  async #begin(request: Request): Promise<Response> {
    if (!this.#hasRoom()) return jsonRpcError(503, -32_000, "Too many clients are connected; try again later.");
    const { server, connection } = makeServer(this.#service, { era: "legacy", isLasting: true });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MCP_LIMITS.messageBytes,
      onsessioninitialized: (id) => {
        const session = { server, connection, transport, open: 0, lastSeenAt: performance.now() };
        this.#sessions.set(id, session);
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close(); // it was something else than `initialize`
    return response;
  }

  #hasRoom(): boolean {
    if (this.#sessions.size < MAX_SESSIONS) return true;
    let oldest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (isIdle(session) && (oldest === undefined || session.lastSeenAt < oldest.lastSeenAt)) oldest = session;
    }
    void oldest?.server.close();
    return oldest !== undefined;
  }

  #endIdle(): void {
    const since = performance.now() - this.#idleMs;
    for (const session of this.#sessions.values()) {
      if (isIdle(session) && session.lastSeenAt <= since) void session.server.close();
    }
  }
}

function isIdle({ open, connection }: HttpSession): boolean {
  return open === 0 && connection.calls.size === 0;
}

/** The same response; `done` is called once it has been read to its end, or nobody reads it any more. */
function whenRead(response: Response, signal: AbortSignal, done: () => void): Response {
  const { body } = response;
  if (body === null) {
    done();
    return response;
  }
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    signal.removeEventListener("abort", once);
    done();
  };
  signal.addEventListener("abort", once, { once: true });
  const counted = body.pipeThrough(new TransformStream({ flush: once }));
  return new Response(counted, response);
}
