// `nestcall mcp`: the gateway for MCP clients, and what it would be (`--dry-run`).
import type { Gateway } from "../../hosts/mcp/gateway/create-gateway.js";
import type { McpHttpOptions, McpServing } from "../../hosts/mcp/serve/serve-options.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { needConfig } from "../find-config.js";
import { note, outWidth, writeJson, writeOut } from "../output.js";
import { parseOptions, wordsOf } from "../parse-options.js";
import { dryRunText } from "../report-text.js";
import { WATCH_OPTIONS, type WatchOptions, watchCalls } from "../watch-calls.js";
import { openWorkbench, withServers } from "../workbench.js";

const OPTIONS = {
  config: { type: "string" },
  tools: { type: "string", multiple: true },
  http: { type: "string" },
  host: { type: "string" },
  "token-env": { type: "string" },
  ...WATCH_OPTIONS,
  inspect: { type: "string" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

export async function mcp(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("mcp", args, OPTIONS);
  wordsOf("mcp", positionals, 0);
  const http = httpOptions(values, cli.env);
  if (values.json === true && values["dry-run"] !== true)
    throw new UsageError("nestcall mcp: --json is for --dry-run.");
  const { config, tools = [] } = values;
  if (tools.length === 0) needConfig(config, cli.env);
  const watched = watchOptions(values);
  const gateway = await openWorkbench({ config, tools }, cli);
  if (values["dry-run"] === true) return dryRun(gateway, cli.signal, values.json === true);
  const watch = await watchCalls(watched, gateway.executor);
  return watch.during(() => serve(gateway, cli.signal, http));
}

async function dryRun(gateway: Gateway, signal: AbortSignal, isJson: boolean): Promise<number> {
  const report = await withServers(gateway, signal, () => gateway.report());
  if (isJson) writeJson(report);
  else writeOut(dryRunText(report, outWidth()));
  return report.servers.some(({ status }) => status === "failed" || status === "skipped") ? EXIT.failed : EXIT.ok;
}

async function serve(gateway: Gateway, signal: AbortSignal, http: McpHttpOptions | undefined): Promise<number> {
  let serving: McpServing;
  try {
    serving = await gateway.serve(http === undefined ? { stdio: true, log: note } : { http, log: note });
  } catch (error) {
    await gateway.close();
    throw error;
  }
  if (serving.url !== undefined) note(`Serving MCP at ${serving.url}`);
  const stop = () => void serving.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await serving.closed;
  await gateway.close();
  return EXIT.ok;
}

interface WatchValues {
  readonly html?: string | undefined;
  readonly trace?: string | undefined;
  readonly inspect?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
}

interface HttpValues {
  readonly http?: string | undefined;
  readonly host?: string | undefined;
  readonly "token-env"?: string | undefined;
}

function httpOptions(values: HttpValues, env: NodeJS.ProcessEnv): McpHttpOptions | undefined {
  const { http, host, "token-env": name } = values;
  if (http === undefined) {
    if (host === undefined && name === undefined) return undefined;
    throw new UsageError("nestcall mcp: --host and --token-env are for --http PORT.");
  }
  const port = portOf("--http", http);
  const token = name === undefined ? undefined : env[name];
  if (name !== undefined && (token === undefined || token === "")) {
    throw new UsageError(`nestcall mcp: the environment variable ${name} of --token-env is not set.`);
  }
  if (host !== undefined && token === undefined && !/^(127(\.\d{1,3}){3}|::1|localhost)$/.test(host)) {
    throw new UsageError(
      `nestcall mcp: ${JSON.stringify(host)} can be reached from other machines; clients need a token then: put one of at least 16 characters into an environment variable and name it with --token-env NAME.`,
    );
  }
  return {
    port,
    ...(host === undefined ? {} : { host }),
    ...(token === undefined ? {} : { token }),
  };
}

/** @throws UsageError for what a dry run, which makes no calls, cannot do. */
function watchOptions(values: WatchValues): WatchOptions {
  const { html, trace, inspect } = values;
  const named = Object.entries({ html, trace, inspect }).find(([, value]) => value !== undefined);
  if (values["dry-run"] === true && named !== undefined)
    throw new UsageError(`nestcall mcp: --${named[0]} shows calls, and --dry-run makes none.`);
  return { html, trace, inspect: inspect === undefined ? undefined : portOf("--inspect", inspect) };
}

function portOf(option: string, value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`nestcall mcp: ${option} takes a port from 0 to 65535; it is ${JSON.stringify(value)}.`);
}
