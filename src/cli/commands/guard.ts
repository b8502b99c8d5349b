// `nestcall guard explain`: what the policy would do with a call, and why. Nothing is called.

import type { Gateway } from "../../hosts/mcp/gateway/create-gateway.js";
import { resolveHints } from "../../tools/annotations.js";
import { closestNames } from "../../tools/closest-names.js";
import { callArguments } from "../call-arguments.js";
import type { Cli } from "../cli.js";
import { EXIT, UsageError } from "../exit.js";
import { note, writeJson, writeOut } from "../output.js";
import { moreOf, parseOptions } from "../parse-options.js";
import { openWorkbench, WORKBENCH_OPTIONS, withServers } from "../workbench.js";

export async function guard(args: readonly string[], cli: Cli): Promise<number> {
  const { values, positionals } = parseOptions("guard", args, WORKBENCH_OPTIONS);
  const [verb, name, ...words] = positionals;
  if (verb !== "explain") throw new UsageError(`nestcall guard knows one thing: explain.\n${moreOf("guard")}`);
  if (name === undefined) throw new UsageError(`nestcall guard explain: name a tool.\n${moreOf("guard")}`);
  const toolArguments = callArguments(words);
  const gateway = await openWorkbench({ config: values.config, tools: values.tools }, cli);
  const explained = await withServers(gateway, cli.signal, () =>
    explain(gateway, name, words.length === 0 ? undefined : toolArguments),
  );
  if (explained === undefined) return EXIT.failed;
  if (values.json === true) writeJson(explained);
  else writeOut(textOf(explained));
  return EXIT.ok;
}

interface Explained {
  readonly tool: string;
  readonly server?: string;
  readonly exposure: string;
  readonly arguments?: unknown;
  readonly verdict: string;
  readonly basis: string;
  readonly rule?: string;
  readonly reason: string;
  readonly hints: Readonly<Record<string, boolean>>;
  /** Names of budgets that count calls of the tool. */
  readonly budgets: readonly string[];
}

function explain(
  { executor, connection, config, decide }: Gateway,
  name: string,
  args: unknown,
): Explained | undefined {
  const tool = executor.registry.get(name);
  if (tool === undefined) {
    const names = executor.registry.getAllTools().map((one) => one.name);
    const close = closestNames(name, names, 3);
    note(
      `There is no tool ${JSON.stringify(name)}.${close.length === 0 ? "" : ` Close names: ${close.join(", ")}.`} \`nestcall tools\` lists what there is.`,
    );
    return undefined;
  }
  const decision = decide(tool, args);
  const server = connection.originOf(name)?.server;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = resolveHints(tool.annotations);
  return {
    tool: name,
    ...(server === undefined ? {} : { server }),
    exposure: tool.exposure,
    ...(args === undefined ? {} : { arguments: args }),
    ...decision,
    hints: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
    budgets: config.budgets.filter(({ fits }) => fits(name)).map(({ pattern, maxCalls }) => `${pattern}: ${maxCalls}`),
  };
}

const MEANINGS: Readonly<Record<string, string>> = {
  allow: "it runs",
  ask: "a person is asked; where nobody can be asked it is refused",
  deny: "it is refused",
};

function textOf(explained: Explained): string {
  const { tool, server, exposure, verdict, reason, hints, budgets, basis } = explained;
  const claims = Object.entries(hints).map(([hint, value]) => `${hint} ${value}`);
  return [
    `${tool}${server === undefined ? "" : ` of the MCP server "${server}"`}: ${verdict}, ${MEANINGS[verdict]}.`,
    `  why       ${reason}`,
    `  claims    ${claims.join(", ")}${basis === "hint" ? " (nobody has verified them)" : ""}`,
    `  exposure  ${exposure}`,
    ...(budgets.length === 0 ? [] : [`  budgets   ${budgets.join(", ")} calls in one call of the client`]),
    ...(explained.arguments === undefined && verdict !== "deny"
      ? ["  Without arguments; rules with conditions on arguments were left out."]
      : []),
  ].join("\n");
}
