// `nestcall doctor`: what this machine and the configuration are like.

import { safeLine } from "../../errors/safe-text.js";
import { thrownText } from "../../errors/text.js";
import type { Gateway } from "../../hosts/mcp/gateway/create-gateway.js";
import type { McpServerState } from "../../hosts/mcp/mcp-connection.js";
import type { Cli } from "../cli.js";
import { EXIT } from "../exit.js";
import { configPlaces, findConfig } from "../find-config.js";
import { writeJson, writeOut } from "../output.js";
import { parseOptions, wordsOf } from "../parse-options.js";
import { openWorkbench, WORKBENCH_OPTIONS, withServers } from "../workbench.js";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
}
interface ServerCheck {
  readonly name: string;
  readonly status: McpServerState["status"];
  readonly ok: boolean;
  readonly tools: number;
  readonly error?: string;
  /** The end of what it wrote there, of a server that failed. */
  readonly stderr?: string;
  readonly leftOut: McpServerState["leftOut"];
  readonly serverInfo?: McpServerState["serverInfo"];
  readonly protocolVersion?: string;
  readonly startMs?: number;
}

const WANTED = [20, 19] as const;
const STDERR_LINES = 8;

export async function doctor(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("doctor", args, WORKBENCH_OPTIONS);
  wordsOf("doctor", positionals, 0);
  const found = findConfig(values.config, cli.env);
  const checks = [nodeCheck(), { name: "nestcall", ok: true, text: cli.version }];
  let servers: readonly ServerCheck[] = [];
  try {
    const gateway = await openWorkbench({ config: values.config, tools: values.tools, isNeeded: false }, cli);
    servers = await withServers(gateway, cli.signal, () => serverChecks(gateway));
    checks.push(configCheck(found?.path, cli.env));
  } catch (error) {
    if (cli.signal.aborted) throw error;
    checks.push({ name: "configuration", ok: false, text: thrownText(error) });
  }
  if (values.json === true)
    writeJson({ node: process.version, nestcall: cli.version, config: found?.path ?? null, checks, servers });
  else writeOut(textOf(checks, servers));
  return [...checks, ...servers].every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1]);
  return {
    name: "node",
    ok,
    text: ok ? process.version : `${process.version}; nestcall needs ${WANTED.join(".")} or newer`,
  };
}

function configCheck(path: string | undefined, env: NodeJS.ProcessEnv): Check {
  const text = path ?? `none; looked for ${configPlaces(env).join(", ")}`;
  return { name: "configuration", ok: true, text };
}

function serverChecks({ connection }: Gateway): ServerCheck[] {
  return connection.servers.map((state) => {
    const { name, status, tools, leftOut, error, serverInfo, protocolVersion, startMs } = state;
    const ok = status === "connected" || status === "disabled";
    const said = ok || status === "skipped" ? "" : connection.stderrOf(name).trimEnd();
    const stderr = said.split("\n").slice(-STDERR_LINES).join("\n");
    return {
      name,
      status,
      ok,
      tools: tools.length,
      ...(error === undefined ? {} : { error }),
      ...(stderr === "" ? {} : { stderr }),
      leftOut,
      ...(serverInfo === undefined ? {} : { serverInfo }),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      ...(startMs === undefined ? {} : { startMs }),
    };
  });
}

function textOf(checks: readonly Check[], servers: readonly ServerCheck[]): string {
  const mark = (ok: boolean) => (ok ? "ok  " : "BAD ");
  const lines = checks.map(({ name, ok, text }) => `${mark(ok)} ${name}: ${text}`);
  for (const server of servers) {
    lines.push(`${mark(server.ok)} server ${server.name}: ${server.error ?? stateText(server)}`);
    for (const { tool, reason } of server.leftOut) lines.push(`       left out ${tool}: ${reason}`);
    for (const line of server.stderr?.split("\n") ?? []) lines.push(`       stderr | ${line}`);
  }
  return lines.map(safeLine).join("\n");
}

function stateText({ status, tools, serverInfo, protocolVersion, startMs }: ServerCheck): string {
  if (status !== "connected") return status;
  const who = serverInfo === undefined ? "" : `, ${serverInfo.name} ${serverInfo.version}`;
  return `${tools} tools${who}, protocol ${protocolVersion ?? "unknown"}, started in ${startMs ?? 0} ms`;
}
