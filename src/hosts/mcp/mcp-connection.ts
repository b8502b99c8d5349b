// The types of connectMcp: what it takes, and what the gateway, `doctor` and `--dry-run` are built on.
import type { Executor } from "../../executor/create-executor.js";
import type { Exposure } from "../../tools/tool.js";
import type { McpTracing } from "./mcp-tracing.js";
import type { McpToolSnapshot } from "./tool-snapshot.js";

export interface McpToolOrigin {
  /** The server's name in the configuration; also the owner of the tool in the registry. */
  readonly server: string;
  /** The tool's name at the server. */
  readonly tool: string;
}

export interface ConnectMcpOptions {
  /** The tools are registered here. */
  readonly executor: Pick<Executor, "registry">;
  /** How each tool is reached; `hidden` for one that nobody may use. Default `direct`. */
  readonly exposure?: Exposure | ((origin: McpToolOrigin, name: string) => Exposure);
  /** What servers said they had at an earlier time: these tools are there before any server has started (E18). */
  readonly snapshot?: McpToolSnapshot;
  /** Hears, in one line each, what went wrong and was got over. Default: nobody. */
  readonly log?: (line: string) => void;
  /** Hears of each change of a server's state or tools. */
  readonly onChange?: (state: McpServerState) => void;
  /** Ties requests to a tracer; see `mcpTracing` of nestcall/otel. Default: none. */
  readonly tracing?: McpTracing;
  /** How this client calls itself at the servers. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
}

/** A tool of a server as it is registered. */
export interface McpToolState extends McpToolOrigin {
  /** `mcp__<server>__<tool>`, or with a hash. */
  readonly name: string;
  /** The server has not confirmed it yet: it is known from a snapshot. */
  readonly isRestored: boolean;
}

export interface McpLeftOutTool {
  /** As far as there is a name. */
  readonly tool: string;
  readonly reason: string;
}

/**
 * `skipped`: the entry is invalid; `disabled`: the entry says so; `idle`: not started yet; `failed`: the last start failed or the
 * server died, the next call tries again.
 */
export type McpServerStatus = "skipped" | "disabled" | "idle" | "connecting" | "connected" | "failed" | "closed";

/** What is known of a server at one moment. */
export interface McpServerState {
  readonly name: string;
  /** Absent for a skipped entry. */
  readonly transport?: "stdio" | "http";
  readonly status: McpServerStatus;
  /** Why it is skipped or failed: one line, what to do included. */
  readonly error?: string;
  readonly tools: readonly McpToolState[];
  /** What the server offers and cannot be used, with the reason. */
  readonly leftOut: readonly McpLeftOutTool[];
  /** As the server calls itself. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** The protocol's version, such as `2025-11-25`. */
  readonly protocolVersion?: string;
  readonly instructions?: string;
  /** Milliseconds that the last start took, first list included. */
  readonly startMs?: number;
  /** The process of a stdio server that runs. */
  readonly pid?: number;
}

export interface McpConnection {
  /** Every entry of the configuration, skipped ones too, in its order; a new list at each read. */
  readonly servers: readonly McpServerState[];
  /**
   * Starts every server that is idle or failed, and lists its tools. Resolves when each has answered or failed: what a server
   * does is in its state, never a rejection.
   */
  ready(options?: { readonly signal?: AbortSignal }): Promise<readonly McpServerState[]>;
  /** As `ready`, for one server. @throws NestcallError `INVALID_ARGUMENTS` for a name that is not in the configuration. */
  connect(server: string, options?: { readonly signal?: AbortSignal }): Promise<McpServerState>;
  /** The last 64 KiB that a stdio server wrote to its stderr, of its latest process. */
  stderrOf(server: string): string;
  /** Whose tool a registered name is. */
  originOf(name: string): McpToolOrigin | undefined;
  /** What all servers are known to have now, as JSON to keep for the next start. */
  snapshot(): McpToolSnapshot;
  /** Ends every server with its process group and withdraws the tools. Calls that run fail. */
  close(): Promise<void>;
}
