// Which tools are declared, under which property, in which group.
import { isConflictingGlobal } from "./conflicting-globals.js";
import { DeclaredNames } from "./declared-names.js";
import type { DeclaredTool } from "./declared-tool.js";
import { describeNamespace } from "./describe-namespace.js";
import { scriptNames } from "./script-names.js";
import { ToolDeclaration } from "./tool-text.js";

/** With more tools than these that give a text, one remark is shorter than a note beside each. */
const MAX_TEXT_NOTES = 3;

export interface DeclarationGroup {
  /** Absent for tools without one. */
  readonly namespace?: { readonly name: string; readonly description: string };
  /** The variable that holds the namespace's object; absent when it cannot be declared. */
  readonly global?: string;
  readonly items: readonly ToolDeclaration[];
}

export interface Declarations {
  readonly items: readonly ToolDeclaration[];
  /** Those without a namespace first: under a heading they would be read as part of it. */
  readonly groups: readonly DeclarationGroup[];
  readonly names: DeclaredNames;
  /** Whether each result that is a text says so; else one remark says it for all. */
  readonly saysText: boolean;
}

export function collectDeclarations(tools: readonly DeclaredTool[]): Declarations {
  const names = new DeclaredNames();
  const { members, namespaces } = scriptNames(tools);
  const first = new Map<string, string>();
  for (const [property, toolName] of members) if (!first.has(toolName)) first.set(toolName, property);
  const listed = tools.filter((tool) => tool.listed !== false);
  const saysText = listed.filter(({ outputSchema }) => outputSchema === undefined).length <= MAX_TEXT_NOTES;
  const items: ToolDeclaration[] = [];
  for (const tool of tools) {
    const property = first.get(tool.name);
    first.delete(tool.name); // of two tools with one name the first counts
    if (property !== undefined && tool.listed !== false)
      items.push(new ToolDeclaration(tool, property, names, saysText));
  }
  const plain = items.filter(({ tool }) => tool.namespace === undefined);
  const groups: DeclarationGroup[] = plain.length === 0 ? [] : [{ items: plain }];
  for (const { name, global } of namespaces) {
    const own = items.filter(({ tool }) => tool.namespace?.name === name);
    if (own.length === 0) continue;
    const namespace = { name, description: describeNamespace(tools, name)?.description ?? "" };
    const isFree = global !== undefined && !isConflictingGlobal(global);
    groups.push({ namespace, ...(isFree ? { global } : {}), items: own });
  }
  return { items, groups, names, saysText };
}
