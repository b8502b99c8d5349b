// What serveMcp takes and gives.
import type { Transport } from "@modelcontextprotocol/server";
import type { ToolSession } from "../../../tools/tool-session.js";
import type { McpTracing } from "../mcp-tracing.js";
import type { McpApprovals } from "./mcp-approvals.js";

export interface McpHttpOptions {
  /** Default 0: any free one, to be found in `url`. */
  readonly port?: number;
  /** The address to listen on. Default `127.0.0.1`; any other than one of this machine alone needs a `token`. */
  readonly host?: string;
  /** Asked of every request as `Authorization: Bearer <token>`; at least 16 characters. */
  readonly token?: string;
  /** Where the server is, on that address. Default `/mcp`. */
  readonly path?: string;
  /** Names, without ports, that clients may call this server by, besides its own address. */
  readonly allowedHosts?: readonly string[];
  /**
   * Host names of web pages that may call this server. Pages of this machine are not refused either, but only for those that
   * stand here is a browser told that they may.
   */
  readonly allowedOrigins?: readonly string[];
  /** False for a program that has a server of its own and hands requests to `fetch`. Default true. */
  readonly listen?: boolean;
  /** How long a client of the older protocol may be silent before its session is forgotten. Default 30 minutes. */
  readonly sessionIdleMs?: number;
}

/** One of `stdio`, `transport` and `http` says how clients come. */
export interface ServeMcpOptions {
  /** Over stdin and stdout of this process. What anybody else writes to stdout meanwhile goes to stderr. */
  readonly stdio?: boolean;
  /** One client over a transport of the SDK, in memory or over a socket; it is started here. */
  readonly transport?: Transport;
  /** Many clients over HTTP. */
  readonly http?: boolean | McpHttpOptions;
  /** Whose tools are shown and called. Default: `registry.session`. */
  readonly session?: ToolSession;
  /** What the guards of this executor ask by; without it no client is asked. */
  readonly approvals?: McpApprovals;
  /** How this server calls itself. Default: nestcall and its version. */
  readonly serverInfo?: { readonly name: string; readonly version: string; readonly title?: string };
  /** Told to the client when it connects. */
  readonly instructions?: string;
  /** Awaited before tools are listed for a client; what it throws is logged, and the list is given as it is. */
  readonly beforeList?: () => unknown;
  /** Ties requests to a tracer; see `mcpTracing` of nestcall/otel. Default: none. */
  readonly tracing?: McpTracing;
  /** Hears, in one line each, what went wrong and was got over. Default: nobody. */
  readonly log?: (line: string) => void;
}

export interface McpServing {
  /** Where clients find a server that listens. */
  readonly url: string | undefined;
  /** With `http`: answers one request, with all checks. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** Resolves when nothing is served any more, because stdin has ended or after `close`, and every call has settled. */
  readonly closed: Promise<void>;
  /** Aborts the calls of all clients, waits for them, and lets the clients go. */
  close(): Promise<void>;
}
