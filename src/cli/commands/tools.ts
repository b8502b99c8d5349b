// `nestcall tools`: what can be called, how it is reached, what it costs.
import type { Gateway } from "../../hosts/mcp/gateway/create-gateway.js";
import type { GatewayReport, GatewayToolReport } from "../../hosts/mcp/gateway/gateway-report.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { note, outWidth, writeJson, writeOut } from "../output.js";
import { parseOptions } from "../parse-options.js";
import { costText } from "../report-text.js";
import { textTable } from "../text-table.js";
import { openWorkbench, WORKBENCH_OPTIONS, withServers } from "../workbench.js";

const OPTIONS = { ...WORKBENCH_OPTIONS, cost: { type: "boolean" }, limit: { type: "string" } } as const;

export async function tools(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("tools", args, OPTIONS);
  const limit = values.limit ?? "20";
  if (!/^[1-9]\d{0,4}$/.test(limit))
    throw new UsageError(`nestcall tools: --limit takes a number from 1; it is ${JSON.stringify(limit)}.`);
  const query = positionals.join(" ").trim();
  const gateway = await openWorkbench({ config: values.config, tools: values.tools }, cli);
  const report = await withServers(gateway, cli.signal, () => found(gateway, query, Number(limit)));
  const hasCost = values.cost === true;
  if (values.json === true) writeJson(asJson(report, hasCost));
  else show(report, query, hasCost);
  return report.servers.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

/** The report with those tools only that are listed, in their order. */
function found(
  gateway: Gateway,
  query: string,
  limit: number,
): GatewayReport & { readonly listed: readonly GatewayToolReport[] } {
  const report = gateway.report();
  const visible = report.tools.filter(({ exposure }) => exposure !== "hidden");
  if (query === "") return { ...report, listed: visible };
  const names = new Set(visible.map(({ name }) => name));
  const matches = gateway.executor.registry.session.searchTools(query, {
    limit,
    filter: ({ name }) => names.has(name),
  });
  const listed = matches.flatMap(({ name }) => visible.filter((tool) => tool.name === name));
  return { ...report, listed };
}

function asJson({ listed, tokens }: ReturnType<typeof found>, hasCost: boolean): object {
  if (hasCost) return { tools: listed, tokens };
  return { tools: listed.map(({ tokens: _tokens, ...tool }) => tool) };
}

function show(report: ReturnType<typeof found>, query: string, hasCost: boolean): void {
  const { listed } = report;
  if (listed.length === 0) {
    note(query === "" ? "There are no tools." : `No tool fits ${JSON.stringify(query)}; without it all are listed.`);
  } else {
    const head = ["TOOL", "EXPOSURE", "POLICY", ...(hasCost ? ["TOKENS"] : []), "DESCRIPTION"];
    const rows = listed.map(({ name, exposure, verdict, tokens, description }) => {
      return [
        name,
        exposure,
        verdict,
        ...(hasCost ? [String(tokens)] : []),
        description.trim().split("\n", 1)[0] ?? "",
      ];
    });
    writeOut(textTable([head, ...rows], Math.min(outWidth(), 240)));
  }
  if (hasCost) writeOut(`\n${costText(report)}`);
}
