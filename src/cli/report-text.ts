// A gateway's report for people.
import type { GatewayReport, GatewayServerReport, GatewayToolReport } from "../hosts/mcp/gateway/gateway-report.js";
import { textTable, tokensText } from "./text-table.js";

export function dryRunText(report: GatewayReport, width: number): string {
  const { servers, tools } = report;
  const parts = [textTable([["SERVER", "STATE", "TOOLS", "TOKENS", ""], ...servers.map(serverRow)], width)];
  const leftOut = servers.flatMap(({ name, leftOut: out }) =>
    out.map(({ tool, reason }) => `${name}: ${tool}: ${reason}`),
  );
  if (leftOut.length > 0) parts.push(["Left out:", ...leftOut.map((line) => `  ${line}`)].join("\n"));
  if (tools.length > 0)
    parts.push(textTable([["TOOL", "EXPOSURE", "POLICY", "TOKENS", "WHY"], ...tools.map(toolRow)], width));
  parts.push(costText(report));
  return parts.join("\n\n");
}

function serverRow({ name, status, tools, tokens, error, serverInfo, startMs }: GatewayServerReport): string[] {
  const info =
    serverInfo === undefined ? "" : `${serverInfo.name} ${serverInfo.version}, started in ${startMs ?? 0} ms`;
  return [name, status, String(tools), String(tokens), error ?? info];
}

function toolRow({ name, exposure, verdict, tokens, reason }: GatewayToolReport): string[] {
  return [name, exposure, verdict, String(tokens), reason];
}

export function costText({ shown, tokens, tools }: GatewayReport): string {
  const names = shown.map((one) => `${one.name} ${one.tokens}`).join(", ");
  const lines = [
    `Without the gateway a client lists ${tools.length} tools: about ${tokensText(tokens.direct)} in each request.`,
    `With it the client lists ${shown.length}: about ${tokensText(tokens.gateway)} (${names}).`,
  ];
  if (tokens.direct > tokens.gateway) {
    const percent = Math.floor((1 - tokens.gateway / tokens.direct) * 1_000) / 10;
    lines.push(`That saves about ${tokensText(tokens.direct - tokens.gateway)}, ${percent} %.`);
  }
  return lines.join("\n");
}
