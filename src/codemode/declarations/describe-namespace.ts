// `describeNamespace` in scripts: the only place where a namespace's instructions are shown.
import type { DeclaredTool, NamespaceDescription } from "./declared-tool.js";

/** What belongs to a namespace, with the first description and instructions given; `undefined` for an unknown one. */
export function describeNamespace(tools: readonly DeclaredTool[], name: string): NamespaceDescription | undefined {
  const members = tools.filter((tool) => tool.namespace?.name === name);
  if (members.length === 0) return undefined;
  const description = firstText(members, "description");
  const instructions = firstText(members, "instructions");
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    tools: members.map((tool) => tool.name),
  };
}

function firstText(members: readonly DeclaredTool[], field: "description" | "instructions"): string | undefined {
  for (const { namespace } of members) {
    const text = namespace?.[field];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
