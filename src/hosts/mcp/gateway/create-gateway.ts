// The gateway: many servers behind `codemode` and `tool_search`, every call of which is guarded and recorded (DESIGN 8, 8.1).
import type { CodemodeRuntime } from "../../../codemode/create-codemode-runtime.js";
import { ErrorCode } from "../../../errors/error-code.js";
import { NestcallError } from "../../../errors/nestcall-error.js";
import { createExecutor, type Executor } from "../../../executor/create-executor.js";
import type { Policy } from "../../../guards/policy.js";
import { type PolicyGuardOptions, policyGuard } from "../../../guards/policy-guard.js";
import { defineTool, isDefinedTool, withFields } from "../../../tools/define-tool.js";
import type { Tool } from "../../../tools/tool.js";
import { connectMcp } from "../connect-mcp.js";
import type { McpConnection } from "../mcp-connection.js";
import type { McpTracing } from "../mcp-tracing.js";
import { type McpApprovals, mcpApprovals } from "../serve/mcp-approvals.js";
import { serveMcp } from "../serve/serve-mcp.js";
import type { McpServing, ServeMcpOptions } from "../serve/serve-options.js";
import type { McpToolSnapshot } from "../tool-snapshot.js";
import { addBudgetGate } from "./budget-gate.js";
import { ClientStores } from "./client-stores.js";
import type { GatewayConfig } from "./gateway-config.js";
import { type GatewayReport, reportOf } from "./gateway-report.js";
import { createGatewaySearch, SEARCH_NAME } from "./gateway-search.js";
import { SpokenNames } from "./spoken-names.js";
import { unusedRules } from "./unused-rules.js";

export interface GatewayOptions {
  /** Tools of this program, beside those of the servers. Those that are `direct`, as all are that say nothing, are reached as the configuration says. */
  // biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input and output
  readonly tools?: readonly Tool<any, any>[];
  /** Who is asked what the policy asks for. Default: the client whose call it is. */
  readonly confirm?: PolicyGuardOptions["confirm"];
  /** Where scripts run. Default: one of its own, closed with the gateway. */
  readonly runtime?: CodemodeRuntime;
  /** Tools that servers are known to have, from `connection.snapshot()` of an earlier time. */
  readonly snapshot?: McpToolSnapshot;
  /** Ties requests of clients and to servers to a tracer; see `mcpTracing` of nestcall/otel. Default: none. */
  readonly tracing?: McpTracing;
  /** Hears, in one line each, what went wrong and was got over. Default: nobody. */
  readonly log?: (line: string) => void;
}

/** The rest is the gateway's own. */
export type GatewayServeOptions = Omit<ServeMcpOptions, "approvals" | "session" | "beforeList" | "tracing">;

export interface Gateway {
  readonly config: GatewayConfig;
  readonly executor: Executor;
  readonly connection: McpConnection;
  /** Starts the servers, once, and waits for each to have answered or failed, but no longer than `waitMs`. Default: as long as it takes. */
  ready(options?: { readonly waitMs?: number }): Promise<void>;
  /** What the policy says of a call, or without arguments of the tool as such. What a tool is called at its server counts too. */
  readonly decide: Policy["decide"];
  /** Servers, tools, what the policy says of them, and tokens with and without the gateway, as they stand now. */
  report(): GatewayReport;
  /** Shows the gateway to MCP clients. Servers start with the first list or call of a client. */
  serve(options: GatewayServeOptions): Promise<McpServing>;
  /** Aborts all calls, and ends the servers and the runtime. */
  close(): Promise<void>;
}

const CODEMODE_NAME = "codemode";
/** How long a client waits for servers that are slow to start; what they have is there when they have started. */
const START_WAIT_MS = 10_000;
/** Of codemode's declarations: only tools that the configuration takes out of `deferred` are declared there. */
const DECLARATION_TOKENS = 600;

/** @throws NestcallError `INVALID_ARGUMENTS` for a tool whose name is the gateway's own, or that two tools have. */
export async function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  // The sandbox is not loaded with the entry: who only connects to servers does not need it.
  const { createCodemodeRuntime, createCodemodeTool } = await import("../../../codemode/index.js");
  const { tools = [], log, tracing } = options;
  const executor = createExecutor({ limits: config.limits.engine });
  const approvals = mcpApprovals({
    originOf: (name) => connection.originOf(name),
    ...(config.limits.approvalMs === undefined ? {} : { answerWithinMs: config.limits.approvalMs }),
  });
  const ownRuntime = options.runtime === undefined ? createCodemodeRuntime() : undefined;
  const runtime = options.runtime ?? (ownRuntime as CodemodeRuntime); // one of the two is there
  const stores = new ClientStores();
  const { script } = config.limits;
  const codemode = createCodemodeTool({
    runtime,
    executor,
    name: CODEMODE_NAME,
    limits: script,
    budgetTokens: DECLARATION_TOKENS,
    store: ({ toolCallId }) => stores.of(toolCallId),
  });
  executor.registry.register(codemode);
  executor.registry.register(createGatewaySearch(config.servers.servers.map(({ name }) => name)));
  const names = new SpokenNames();
  const connection = connectMcp(config.servers, {
    executor,
    exposure: (origin, name) => {
      names.learn(name, origin);
      return config.policy.hides(name, names.of(name)) ? "hidden" : config.exposure.ofAny([name, ...names.of(name)]);
    },
    ...(log === undefined ? {} : { log }),
    ...(tracing === undefined ? {} : { tracing }),
    ...(options.snapshot === undefined ? {} : { snapshot: options.snapshot }),
  });
  registerOwn(executor, config, tools);
  const closing = () => ownRuntime?.close();
  const gateway = new OpenGateway({
    config,
    executor,
    connection,
    approvals,
    names,
    log: log ?? (() => {}),
    tracing,
    closing,
  });
  addBefore(gateway);
  addBudgetGate(executor, config.budgets, names);
  guard(gateway, options.confirm ?? approvals.confirm);
  return gateway;
}

function isGatewayTool(name: string): boolean {
  return name === CODEMODE_NAME || name === SEARCH_NAME;
}

function registerOwn(executor: Executor, config: GatewayConfig, tools: readonly Tool[]): void {
  const seen = new Set<string>();
  for (const tool of tools) {
    const { name } = tool;
    if (isGatewayTool(name) || seen.has(name)) {
      const whose = isGatewayTool(name) ? "the gateway's own tool" : "another of these tools";
      throw new NestcallError(
        ErrorCode.INVALID_ARGUMENTS,
        `A tool cannot be called "${name}": ${whose} has that name.`,
      );
    }
    seen.add(name);
    executor.registry.register(withFields(definedTool(tool), { exposure: exposureOf(config, tool) }) as Tool);
  }
}

function definedTool(tool: Tool): Tool<never, unknown> {
  const defined: unknown = isDefinedTool(tool) ? tool : defineTool(tool);
  return defined as Tool<never, unknown>; // checked by defineTool
}

function exposureOf({ policy, exposure }: GatewayConfig, tool: Tool): Tool["exposure"] {
  if (policy.hides(tool.name)) return "hidden";
  return tool.exposure === "direct" ? exposure.of(tool.name) : tool.exposure;
}

/** The order of the hooks counts: servers first, since what is called may be known only then. */
function addBefore(gateway: OpenGateway): void {
  gateway.executor.on("tool_call", async ({ toolName, depth }) => {
    if (depth === 0 && isGatewayTool(toolName)) await gateway.ready({ waitMs: START_WAIT_MS });
  });
}

/** Last, so that nobody is asked in vain. */
function guard(gateway: OpenGateway, confirm: PolicyGuardOptions["confirm"]): void {
  const decide = policyGuard(gateway, { confirm });
  gateway.executor.on("tool_call", (event) => {
    // They do nothing themselves: each call of a script is decided about. Only a rule says otherwise.
    const isFree = isGatewayTool(event.toolName) && gateway.decide(event.tool, event.input).basis === "hint";
    return isFree ? undefined : decide(event);
  });
}

interface GatewayParts {
  readonly config: GatewayConfig;
  readonly executor: Executor;
  readonly connection: McpConnection;
  readonly approvals: McpApprovals;
  readonly names: SpokenNames;
  readonly log: (line: string) => void;
  readonly tracing: McpTracing | undefined;
  readonly closing: () => Promise<void> | undefined;
}

class OpenGateway implements Gateway {
  readonly config: GatewayConfig;
  readonly executor: Executor;
  readonly connection: McpConnection;
  readonly #parts: GatewayParts;
  #starting: Promise<unknown> | undefined;
  #hasStarted = false;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.config = parts.config;
    this.executor = parts.executor;
    this.connection = parts.connection;
  }

  async ready({ waitMs }: { readonly waitMs?: number } = {}): Promise<void> {
    if (this.#hasStarted) return;
    this.#starting ??= this.connection.ready().finally(() => {
      this.#hasStarted = true;
      for (const line of unusedRules(this, this.#parts.names)) this.#parts.log(line);
    });
    if (waitMs === undefined) await this.#starting;
    else await within(this.#starting, waitMs);
  }

  readonly decide: Policy["decide"] = (tool, args) => {
    return this.config.policy.decide({ ...tool, otherNames: this.#parts.names.of(tool.name) }, args);
  };

  report(): GatewayReport {
    return reportOf(this);
  }

  serve(options: GatewayServeOptions): Promise<McpServing> {
    const { approvals, tracing } = this.#parts;
    const beforeList = () => this.#beforeList();
    const own = { approvals, beforeList, ...(tracing === undefined ? {} : { tracing }) };
    return serveMcp(this.executor, { ...options, ...own });
  }

  async close(): Promise<void> {
    await this.executor.close();
    await Promise.all([this.connection.close(), this.#parts.closing()]);
  }

  /** Only a client that will be shown tools of the servers themselves has to wait for them. */
  async #beforeList(): Promise<void> {
    const ready = this.ready({ waitMs: START_WAIT_MS });
    if (this.config.exposure.showsTools) await ready;
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
