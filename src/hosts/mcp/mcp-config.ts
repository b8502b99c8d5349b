// What a configuration file says of MCP servers, once it has been read and checked (DESIGN 8.1).

/** Which protocol a connection speaks: the handshake of 2025, the stateless one of 2026, or whichever the server knows. */
export type McpProtocol = "legacy" | "modern" | "auto";

interface McpEntryBase {
  /** As it stands in the configuration. */
  readonly name: string;
  /** Milliseconds that a request may take without progress. Default 60,000. */
  readonly timeoutMs: number;
  /** Default: `legacy` for stdio, `auto` for HTTP. */
  readonly protocol: McpProtocol;
  /** Written as `disabled: true` or `enabled: false`: known, shown, never started. */
  readonly isDisabled: boolean;
}

/** A server that is a program: it is started, and spoken to over its stdin and stdout. */
export interface McpStdioEntry extends McpEntryBase {
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** The entry's own variables, `${NAME}` filled in; PATH and HOME come besides. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

/** A server that runs elsewhere: streamable HTTP. */
export interface McpHttpEntry extends McpEntryBase {
  readonly transport: "http";
  readonly url: string;
  /** `${NAME}` filled in. Never shown. */
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerEntry = McpStdioEntry | McpHttpEntry;

/** Why an entry is not used. */
export interface McpConfigProblem {
  readonly server: string;
  /** One sentence: the place, what is wrong, what is wanted. */
  readonly message: string;
}

export interface McpConfig {
  /** Where it was read from, for messages. */
  readonly source: string;
  readonly servers: readonly McpServerEntry[];
  /** Entries that were skipped; the others work. */
  readonly problems: readonly McpConfigProblem[];
}
