// Many clients over HTTP. A request of the newer protocol stands for itself; one of the older belongs to a session.
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { ErrorCode } from "../../../../errors/error-code.js";
import { NestcallError } from "../../../../errors/nestcall-error.js";
import { thrownText } from "../../../../errors/text.js";
import { MCP_LIMITS } from "../../limits.js";
import { makeServer } from "../make-server.js";
import type { McpService } from "../mcp-service.js";
import type { McpServing } from "../serve-options.js";
import { Cors } from "./cors.js";
import { httpGuard } from "./http-guard.js";
import type { HttpSettings } from "./http-options.js";
import { HttpSessions } from "./http-sessions.js";
import { jsonRpcError } from "./json-rpc-error.js";
import { nodeListener } from "./node-listener.js";
import { refused } from "./refused.js";

export async function serveHttp(service: McpService, settings: HttpSettings): Promise<McpServing> {
  const guard = httpGuard(settings);
  const face = new HttpFace(service, settings);
  const answer = (request: Request) => face.answer(request);
  const listener = nodeListener({ guard, answer, log: (line) => service.log(line) });
  const server = settings.listen ? createServer((incoming, outgoing) => void listener(incoming, outgoing)) : undefined;
  const url = server === undefined ? undefined : await listen(server, settings);
  let end = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    url,
    closed,
    fetch: async (request) => {
      const { method, headers } = request;
      const host = headers.get("host") ?? new URL(request.url).host;
      const refusal = guard({
        method,
        host,
        origin: headers.get("origin"),
        authorization: headers.get("authorization"),
      });
      return refusal === undefined ? face.answer(request) : refused(refusal);
    },
    close: async () => {
      await face.close();
      if (server !== undefined) await closeServer(server);
      end();
    },
  };
}

/** What is behind the checks. */
class HttpFace {
  readonly #service: McpService;
  readonly #path: string;
  readonly #cors: Cors;
  readonly #sessions: HttpSessions;
  readonly #modern: ReturnType<typeof createMcpHandler>;
  #isClosing = false;

  constructor(service: McpService, settings: HttpSettings) {
    const { path, sessionIdleMs } = settings;
    this.#service = service;
    this.#path = path;
    this.#cors = new Cors(settings);
    this.#sessions = new HttpSessions(service, sessionIdleMs);
    this.#modern = createMcpHandler(() => makeServer(service, { era: "modern", isLasting: false }).server, {
      legacy: "reject",
      maxRequestBodySize: MCP_LIMITS.messageBytes,
      onerror: (error) => service.log(`MCP: ${error.message}`),
    });
    service.onToolsChanged(() => this.#modern.notify.toolsChanged());
  }

  async answer(request: Request): Promise<Response> {
    if (request.method === "OPTIONS") {
      return this.#cors.preflight(request) ?? jsonRpcError(405, -32_000, "Method not allowed.");
    }
    return this.#cors.mark(request, await this.#route(request));
  }

  async #route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== this.#path)
      return jsonRpcError(404, -32_000, `There is nothing here; the MCP server is at ${this.#path}.`);
    if (this.#isClosing) return jsonRpcError(503, -32_000, "This server is being closed.");
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: MCP_LIMITS.messageBytes });
    return isLegacy ? this.#sessions.answer(request) : this.#modern.fetch(request);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#service.close(); // the calls that run are answered first
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
  }
}

function listen(server: HttpServer, { port, host, path }: HttpSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const message = `serveMcp: cannot listen on ${host}, port ${port}: ${thrownText(error)}. Give another http.port or http.host.`;
      reject(new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, { cause: error }));
    });
    server.listen(port, host, () => {
      const { port: own } = server.address() as AddressInfo; // it listens on a port
      resolve(`http://${isIP(host) === 6 ? `[${host}]` : host}:${own}${path}`);
    });
  });
}

function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
