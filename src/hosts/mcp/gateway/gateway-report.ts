// What a gateway is made of, for `--dry-run`, `tools`, `guard explain` and `doctor`. Everything in it is JSON.

import type { PolicyVerdict } from "../../../guards/policy.js";
import { estimateTokens } from "../../../registry/limits.js";
import { resolveHints } from "../../../tools/annotations.js";
import type { Exposure, Tool } from "../../../tools/tool.js";
import type { McpLeftOutTool, McpServerStatus } from "../mcp-connection.js";
import type { Gateway } from "./create-gateway.js";

export interface GatewayServerReport {
  readonly name: string;
  readonly transport?: "stdio" | "http";
  readonly status: McpServerStatus;
  readonly error?: string;
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
  readonly startMs?: number;
  readonly tools: number;
  /** About what its definitions cost when a client lists them all. */
  readonly tokens: number;
  readonly leftOut: readonly McpLeftOutTool[];
}

export interface GatewayToolReport {
  readonly name: string;
  /** Absent for a tool of this program. */
  readonly server?: string;
  readonly title?: string;
  readonly description: string;
  /** `hidden` for what the policy denies. */
  readonly exposure: Exposure;
  /** What the policy says of the tool as such; rules with conditions on arguments are not among the reasons. */
  readonly verdict: PolicyVerdict;
  readonly reason: string;
  readonly rule?: string;
  readonly readOnly: boolean;
  /** About what its definition costs when a client lists it. */
  readonly tokens: number;
}

export interface GatewayReport {
  readonly source: string;
  readonly servers: readonly GatewayServerReport[];
  readonly tools: readonly GatewayToolReport[];
  /** What a client is shown. */
  readonly shown: readonly { readonly name: string; readonly tokens: number }[];
  readonly tokens: {
    /** Of what is shown. */
    readonly gateway: number;
    /** Of all tools of all servers, listed without a gateway. */
    readonly direct: number;
  };
}

export function reportOf(gateway: Gateway): GatewayReport {
  const { connection, config, executor } = gateway;
  const { registry } = executor;
  const shown = registry.declarations().map(({ name, tokens }) => ({ name, tokens }));
  const own = new Set(["codemode", "tool_search"]);
  const tools = registry.getAllTools().flatMap(({ name }) => {
    const tool = registry.get(name);
    const isGone = registry.getMetadata(name)?.owner !== undefined && connection.originOf(name) === undefined;
    return tool === undefined || own.has(name) || isGone ? [] : [toolReport(gateway, tool)];
  });
  const servers = connection.servers.map(({ tools: offered, instructions: _, pid: __, ...state }) => {
    const tokens = sum(tools.filter(({ server }) => server === state.name).map((tool) => tool.tokens));
    return { ...state, tools: offered.length, tokens };
  });
  const tokens = { gateway: sum(shown.map((one) => one.tokens)), direct: sum(tools.map((tool) => tool.tokens)) };
  return { source: config.source, servers, tools, shown, tokens };
}

function toolReport({ connection, decide }: Gateway, tool: Tool): GatewayToolReport {
  const { name, title, description, exposure, annotations } = tool;
  const { verdict, reason, rule } = decide(tool);
  const server = connection.originOf(name)?.server;
  return {
    name,
    ...(server === undefined ? {} : { server }),
    ...(title === undefined ? {} : { title }),
    description,
    exposure,
    verdict,
    reason,
    ...(rule === undefined ? {} : { rule }),
    readOnly: resolveHints(annotations).readOnlyHint,
    tokens: tokensOf(tool),
  };
}

/** As a client without a gateway pays for it: whole, since only a gateway shortens it. */
function tokensOf({ name, description, inputSchema }: Tool): number {
  return estimateTokens(Buffer.byteLength(JSON.stringify({ name, description, inputSchema })));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
