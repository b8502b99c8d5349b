// Rules of the policy that no tool fits, most of which are misspelt.
import { safeLine } from "../../../errors/safe-text.js";
import { spokenNames } from "../tool-names.js";
import type { Gateway } from "./create-gateway.js";
import type { SpokenNames } from "./spoken-names.js";

/** One line for each rule. One that is perhaps for a server that has not said what it has is left out. */
export function unusedRules(
  gateway: Pick<Gateway, "config" | "connection" | "executor">,
  names: SpokenNames,
): string[] {
  const { config, connection, executor } = gateway;
  const tools = executor.registry.getAllTools().map(({ name }) => ({ name, otherNames: names.of(name) }));
  const silent = connection.servers
    .filter(({ status }) => status !== "connected")
    .flatMap(({ name }) => spokenNames({ server: name, tool: "" }));
  return config.policy.unused(tools).flatMap(({ text, tool }) => {
    const [start = ""] = tool.split("*", 1);
    const isPerhaps = silent.some((prefix) => start.startsWith(prefix) || prefix.startsWith(start));
    return isPerhaps
      ? []
      : [safeLine(`${config.source}: the rule ${text} fits no tool; \`nestcall tools\` lists their names.`)];
  });
}
