// Which property of `tools`, and of a namespace object, calls which tool (DESIGN 7.1). Exact names come first; an
// alias is given only when nothing else claims it, so that no tool ever answers for another.
import { shortenText } from "../../errors/text.js";
import type { DeclaredTool, ScriptMember, ScriptNames, ScriptNamespace } from "./declared-tool.js";
import { isTakenGlobal } from "./taken-globals.js";

/** `await tools` and `JSON.stringify(tools)` would call them, so they are never properties. */
const NEVER_PROPERTIES: ReadonlySet<string> = new Set(["then", "toJSON"]);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The names of a script for these tools; of two tools with one name the first counts. */
export function scriptNames(tools: readonly DeclaredTool[]): ScriptNames {
  const warnings: string[] = [];
  const own = membersOf([...new Set(tools.map(({ name }) => name))], warnings);
  const byTool = new Map<string, string[]>();
  for (const [property, toolName] of own) byTool.set(toolName, [...(byTool.get(toolName) ?? []), property]);
  const grouped = new Map<string, Set<string>>();
  for (const { name, namespace } of tools) {
    if (namespace === undefined) continue;
    grouped.set(namespace.name, (grouped.get(namespace.name) ?? new Set()).add(name));
  }
  const globals = aliasesOf([...grouped.keys()], isTakenGlobal, "namespaces", warnings);
  const namespaces: ScriptNamespace[] = [];
  for (const [name, toolNames] of grouped) {
    const members = namespaceMembers(name, [...toolNames], byTool);
    const global = IDENTIFIER.test(name) && !isTakenGlobal(name) ? name : globals.get(name);
    namespaces.push({ name, ...(global === undefined ? {} : { global }), members });
  }
  return { members: own, namespaces, warnings };
}

/** The name as an identifier: other characters become `_`. Undefined when it is one already. */
function identifierAlias(name: string): string | undefined {
  if (NEVER_PROPERTIES.has(name)) return `${name}_`;
  if (IDENTIFIER.test(name) || name === "") return undefined;
  const replaced = name.replace(/[^\p{ID_Continue}$]/gu, "_");
  return IDENTIFIER.test(replaced) ? replaced : `_${replaced}`;
}

function membersOf(names: readonly string[], warnings: string[]): ScriptMember[] {
  const reachable = names.filter((name) => !NEVER_PROPERTIES.has(name));
  const exact = new Set(reachable);
  const members: ScriptMember[] = reachable.map((name) => [name, name]);
  const isTaken = (alias: string) => exact.has(alias) || NEVER_PROPERTIES.has(alias) || alias === "__proto__";
  for (const name of names.filter((own) => NEVER_PROPERTIES.has(own))) {
    // Their alias is the only way to them, so it goes before those of tools that also have an exact name.
    const alias = `${name}_`;
    if (exact.has(alias))
      warnings.push(`The tool "${name}" cannot be called: its name in scripts, ${alias}, is that of another tool.`);
    else members.push([alias, name]);
    exact.add(alias);
  }
  const aliases = aliasesOf(reachable, isTaken, "tools", warnings);
  return [...members, ...[...aliases].map(([name, alias]): ScriptMember => [alias, name])];
}

/** An alias for each name that needs one and whose alias nobody else claims. */
function aliasesOf(
  names: readonly string[],
  isTaken: (alias: string) => boolean,
  kind: string,
  warnings: string[],
): Map<string, string> {
  const claims = new Map<string, string[]>();
  for (const name of names) {
    const alias = identifierAlias(name);
    if (alias !== undefined) claims.set(alias, [...(claims.get(alias) ?? []), name]);
  }
  const aliases = new Map<string, string>();
  const all = new Set(names);
  for (const [alias, claimants] of claims) {
    const [first] = claimants;
    if (isTaken(alias) || all.has(alias)) continue;
    if (claimants.length === 1)
      aliases.set(first as string, alias); // the list has one name
    else warnings.push(contested(alias, claimants, kind));
  }
  return aliases;
}

function contested(alias: string, claimants: readonly string[], kind: string): string {
  const shown = claimants.slice(0, 5).map((name) => JSON.stringify(shortenText(name, 80)));
  const more = claimants.length > 5 ? ` and ${claimants.length - 5} more` : "";
  const way = kind === "tools" ? ' Use tools["exact-name"].' : "";
  return `The ${kind} ${shown.join(", ")}${more} would all be ${shortenText(alias, 80)} in scripts, so none is.${way}`;
}

function namespaceMembers(name: string, toolNames: readonly string[], byTool: ReadonlyMap<string, string[]>) {
  const members: ScriptMember[] = [];
  const claimed = new Set<string>();
  for (const toolName of toolNames) {
    for (const property of byTool.get(toolName) ?? []) {
      members.push([property, toolName]);
      claimed.add(property);
    }
  }
  const short = new Map<string, string[]>();
  for (const toolName of toolNames) {
    const form = shortForm(name, toolName);
    if (form !== undefined) short.set(form, [...(short.get(form) ?? []), toolName]);
  }
  for (const [form, claimants] of short) {
    const [only] = claimants;
    if (claimants.length === 1 && !claimed.has(form)) members.push([form, only as string]); // the list has one name
  }
  return members;
}

/** `github.list_issues` for `github_list_issues` and `mcp__github__list_issues`; undefined when there is no prefix. */
function shortForm(namespace: string, toolName: string): string | undefined {
  const bare = namespace.replace(/^mcp__/, "");
  for (const prefix of [`mcp__${bare}__`, `${bare}__`, `${bare}_`, `${bare}-`, `${bare}.`]) {
    if (!toolName.toLowerCase().startsWith(prefix.toLowerCase())) continue;
    const rest = toolName.slice(prefix.length);
    const form = identifierAlias(rest) ?? rest;
    return form === "" || form === "__proto__" || NEVER_PROPERTIES.has(form) ? undefined : form;
  }
  return undefined;
}
