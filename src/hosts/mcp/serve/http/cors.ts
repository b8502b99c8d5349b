// What a browser wants to hear before a page of an allowed origin may call. Only origins that the host has named get it: a
// page of this machine is let through as any program is, but no browser is told that it may read what comes.
import { validateOriginHeader } from "@modelcontextprotocol/server";
import type { HttpSettings } from "./http-options.js";

const METHODS = "GET, POST, DELETE";
const REQUEST_HEADERS =
  "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";
const RESPONSE_HEADERS = "mcp-protocol-version, mcp-session-id, www-authenticate";
const KEEP_SECONDS = "600";

export class Cors {
  readonly #origins: string[];

  constructor({ allowedOrigins }: Pick<HttpSettings, "allowedOrigins">) {
    this.#origins = [...allowedOrigins];
  }

  /** The answer to a browser that asks beforehand; `undefined` for any other request. */
  preflight(request: Request): Response | undefined {
    const isAsked = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    if (!isAsked || this.#originOf(request) === undefined) return undefined;
    const headers = {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": REQUEST_HEADERS,
      "access-control-max-age": KEEP_SECONDS,
    };
    return this.mark(request, new Response(null, { status: 204, headers }));
  }

  /** The same response, which the page that called may read. */
  mark(request: Request, response: Response): Response {
    const origin = this.#originOf(request);
    if (origin === undefined) return response;
    const headers = new Headers(response.headers);
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-expose-headers", RESPONSE_HEADERS);
    headers.append("vary", "Origin");
    const { status, statusText, body } = response;
    return new Response(body, { status, statusText, headers });
  }

  #originOf({ headers }: Request): string | undefined {
    const origin = headers.get("origin");
    return origin !== null && validateOriginHeader(origin, this.#origins).ok ? origin : undefined;
  }
}
