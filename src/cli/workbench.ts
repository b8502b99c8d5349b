// What `run`, `call`, `tools`, `guard` and `doctor` work with: the gateway of a configuration and of tool files, without a client.
import type { CodemodeRuntime } from "../codemode/create-codemode-runtime.js";
import type { PolicyGuardOptions } from "../guards/policy-guard.js";
import { createGateway, type Gateway } from "../hosts/mcp/gateway/create-gateway.js";
import { type GatewayConfig, readGatewayConfig, readGatewayConfigFile } from "../hosts/mcp/gateway/gateway-config.js";
import type { Cli } from "./cli.js";
import { UsageError } from "./exit.js";
import { findConfig } from "./find-config.js";
import { loadTools } from "./load-tools.js";
import { note } from "./output.js";

export const WORKBENCH_OPTIONS = {
  config: { type: "string" },
  tools: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

export interface WorkbenchOptions {
  readonly config?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly confirm?: PolicyGuardOptions["confirm"];
  readonly runtime?: CodemodeRuntime;
  /** Whether there must be servers or tools at all. Default true. */
  readonly isNeeded?: boolean;
}

/** Reads everything before any server starts. @throws UsageError, or NestcallError `INVALID_ARGUMENTS`. */
export async function openWorkbench(options: WorkbenchOptions, { env }: Pick<Cli, "env">): Promise<Gateway> {
  const found = findConfig(options.config, env);
  const paths = options.tools ?? [];
  if (found === undefined && paths.length === 0 && options.isNeeded !== false) {
    throw new UsageError(
      "There are no tools: name a configuration with --config FILE, or a file of tools with --tools FILE.",
    );
  }
  const config = await readConfig(found);
  const tools = await loadTools(paths);
  for (const { message } of config.servers.problems) note(`Skipped: ${message}`);
  const { confirm, runtime } = options;
  return createGateway(config, {
    tools,
    log: note,
    ...(confirm === undefined ? {} : { confirm }),
    ...(runtime === undefined ? {} : { runtime }),
  });
}

async function readConfig(found: ReturnType<typeof findConfig>): Promise<GatewayConfig> {
  if (found === undefined) return readGatewayConfig({ mcpServers: {} });
  if (!found.isNamed) note(`Using ${found.path}.`);
  return readGatewayConfigFile(found.path);
}

/** Runs `work` with a gateway whose servers have started, and ends all of it. */
export async function withServers<T>(gateway: Gateway, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  const stop = () => void gateway.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await gateway.ready();
    signal.throwIfAborted();
    return await work();
  } finally {
    signal.removeEventListener("abort", stop);
    await gateway.close();
  }
}
