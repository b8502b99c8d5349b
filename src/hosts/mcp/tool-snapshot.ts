// The tools of the servers as plain JSON, so that they can be there before any server has started (E18).

/** A tool as its server listed it. */
export interface McpListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface McpServerSnapshot {
  readonly instructions?: string;
  readonly tools: readonly McpListedTool[];
}

export interface McpToolSnapshot {
  readonly version: 1;
  readonly servers: Readonly<Record<string, McpServerSnapshot>>;
}
