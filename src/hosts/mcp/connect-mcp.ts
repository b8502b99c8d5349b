// The tools of other MCP servers in an executor of ours (DESIGN 8, 8.1).
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText } from "../../errors/text.js";
import type { Exposure } from "../../tools/tool.js";
import { admitTools } from "./list-tools.js";
import type { McpConfig } from "./mcp-config.js";
import type { ConnectMcpOptions, McpConnection, McpServerState, McpToolOrigin } from "./mcp-connection.js";
import { checkTracing } from "./mcp-tracing.js";
import { ownInfo } from "./own-info.js";
import { isMcpConfig, readMcpConfig } from "./read-config.js";
import { ServerLink } from "./server-link.js";
import { readSnapshot } from "./tool-snapshot.js";
import { ToolTable } from "./tool-table.js";

/**
 * Registers the tools of the servers of a configuration. Nothing is started here: a server starts with `ready`, `connect`,
 * or the first call of one of its tools that a snapshot knew.
 *
 * @param config - What `readMcpConfig` gave, or an object of its form: `{ mcpServers: { name: { command … } } }`.
 * @throws NestcallError `INVALID_ARGUMENTS` for a configuration or an option that is none.
 */
export function connectMcp(config: McpConfig | object, options: ConnectMcpOptions): McpConnection {
  return new Connection(isMcpConfig(config) ? config : readMcpConfig(config), options);
}

class Connection implements McpConnection {
  readonly #config: McpConfig;
  readonly #options: ConnectMcpOptions;
  readonly #table: ToolTable;
  readonly #links = new Map<string, ServerLink>();

  constructor(config: McpConfig, options: ConnectMcpOptions) {
    this.#config = config;
    this.#options = checkOptions(options);
    const { executor, exposure = "direct", log = () => {}, clientInfo = ownInfo() } = options;
    const exposureOf = typeof exposure === "function" ? exposure : () => exposure;
    this.#table = new ToolTable({ registry: executor.registry, exposureOf, log });
    for (const entry of config.servers) {
      const link: ServerLink = new ServerLink(entry, {
        clientInfo,
        log,
        tracing: options.tracing,
        onChange: () => this.#tellOf(link),
        onListed: (list) => {
          this.#table.set(link, list, { instructions: link.open?.client.getInstructions(), isRestored: false });
        },
      });
      this.#links.set(entry.name, link);
    }
    if (options.snapshot !== undefined) this.#restore(options.snapshot);
  }

  get servers(): readonly McpServerState[] {
    const skipped = this.#config.problems.map(
      ({ server, message }): McpServerState => ({
        name: server,
        status: "skipped",
        error: message,
        tools: [],
        leftOut: [],
      }),
    );
    return [...[...this.#links.values()].map((link) => this.#stateOf(link)), ...skipped];
  }

  async ready({ signal }: { readonly signal?: AbortSignal } = {}): Promise<readonly McpServerState[]> {
    const links = [...this.#links.values()].filter(({ status }) => status !== "disabled");
    await settled(Promise.allSettled(links.map((link) => link.connected())), signal);
    return this.servers;
  }

  async connect(server: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<McpServerState> {
    const link = this.#linkOf("connect", server);
    if (link.status !== "disabled") await settled(Promise.allSettled([link.connected()]), signal);
    return this.#stateOf(link);
  }

  stderrOf(server: string): string {
    return this.#linkOf("stderrOf", server).stderr.text;
  }

  originOf(name: string): McpToolOrigin | undefined {
    return this.#table.originOf(name);
  }

  snapshot() {
    const servers = [...this.#links.keys()].flatMap((server) => {
      const snapshot = this.#table.snapshotOf(server);
      return snapshot === undefined ? [] : [[server, snapshot] as const];
    });
    return { version: 1, servers: Object.fromEntries(servers) } as const;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    this.#table.clear();
  }

  #restore(snapshot: unknown): void {
    const { servers } = readSnapshot(snapshot);
    for (const [server, { tools, instructions }] of Object.entries(servers)) {
      const link = this.#links.get(server);
      if (link === undefined || link.status === "disabled") continue;
      this.#table.set(link, admitTools(tools), { instructions, isRestored: true });
    }
  }

  #stateOf(link: ServerLink): McpServerState {
    const { entry, status, error, startMs, open } = link;
    const serverInfo = open?.client.getServerVersion();
    const protocolVersion = open?.client.getNegotiatedProtocolVersion();
    const instructions = open?.client.getInstructions();
    return Object.freeze({
      name: entry.name,
      transport: entry.transport,
      status,
      ...(error === undefined ? {} : { error }),
      tools: this.#table.toolsOf(entry.name),
      leftOut: this.#table.leftOutOf(entry.name),
      ...(serverInfo === undefined ? {} : { serverInfo: { name: serverInfo.name, version: serverInfo.version } }),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      ...(instructions === undefined ? {} : { instructions }),
      ...(startMs === undefined ? {} : { startMs }),
      ...(open?.pid === undefined ? {} : { pid: open.pid }),
    });
  }

  /** An observer: what it throws changes nothing. */
  #tellOf(link: ServerLink): void {
    try {
      this.#options.onChange?.(this.#stateOf(link));
    } catch (error) {
      this.#options.executor.registry.report(error, this.#options.onChange ?? this);
    }
  }

  #linkOf(method: string, server: string): ServerLink {
    const link = this.#links.get(server);
    if (link !== undefined) return link;
    const known = [...this.#links.keys()].slice(0, 20).join(", ");
    throw wrong(
      `connection.${method}: there is no server "${shortenText(server, 80)}" that can be used; there are: ${known}.`,
    );
  }
}

const EXPOSURES: readonly Exposure[] = ["direct", "model-only", "codemode", "deferred", "hidden"];

function checkOptions(options: unknown): ConnectMcpOptions {
  if (typeof options !== "object" || options === null) {
    throw wrong(`connectMcp takes an options object with the executor; it got ${describeValue(options)}.`);
  }
  const { executor, exposure = "direct" } = options as Partial<ConnectMcpOptions>;
  if (typeof executor?.registry?.register !== "function") {
    throw wrong(`connectMcp: options.executor must be an executor; it is ${describeValue(executor)}.`);
  }
  if (typeof exposure !== "function" && !EXPOSURES.includes(exposure)) {
    throw wrong(
      `connectMcp: options.exposure must be a function or one of ${EXPOSURES.join(", ")}; it is ${describeValue(exposure)}.`,
    );
  }
  checkTracing("connectMcp", (options as Partial<ConnectMcpOptions>).tracing);
  return options as ConnectMcpOptions; // the parts that would fail later have been looked at
}

/** Resolves when the work has; rejects with the signal's reason, and leaves the work alone. */
async function settled(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await work;
    return;
  }
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
