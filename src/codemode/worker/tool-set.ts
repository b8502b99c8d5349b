// The tools of scripts as a worker knows them: names for the sandbox, and answers to what scripts ask about them.

import { closestNames } from "../../tools/closest-names.js";
import type { DeclaredTool, ScriptNames } from "../declarations/declared-tool.js";
import { scriptNames } from "../declarations/script-names.js";
import { discovery } from "./discovery.js";

export class ToolSet {
  readonly tools: readonly DeclaredTool[];
  readonly #names: ScriptNames;
  readonly #indexes = new Map<string, number>();

  constructor(tools: readonly DeclaredTool[]) {
    this.tools = tools;
    this.#names = scriptNames(tools);
    tools.forEach(({ name }, index) => {
      if (!this.#indexes.has(name)) this.#indexes.set(name, index);
    });
  }

  /** What the prelude installs: properties, each with the index and the name of its tool. */
  get installed(): { readonly members: unknown; readonly namespaces: unknown } {
    const withIndex = (members: ScriptNames["members"]) =>
      members.map(([property, name]) => [property, this.#indexes.get(name), name]);
    const { members, namespaces } = this.#names;
    return {
      members: withIndex(members),
      namespaces: namespaces.flatMap(({ global, members: own }) =>
        global === undefined ? [] : [[global, withIndex(own)]],
      ),
    };
  }

  nameOf(index: number): string {
    return this.tools[index]?.name ?? "";
  }

  /** The answer to a script's question, as JSON. */
  answer(what: string, values: readonly unknown[]): string | undefined {
    const [first, second] = values;
    switch (what) {
      case "all":
        return JSON.stringify(
          this.tools.map(({ name, description, namespace }) => ({ name, description, namespace: namespace?.name })),
        );
      case "search":
        return JSON.stringify(discovery().searchTools(this.tools, String(first), searchOptions(second)));
      case "tool": {
        const tool = this.tools[this.#indexes.get(this.#exactName(String(first))) ?? -1];
        return JSON.stringify(tool === undefined ? this.missing(String(first)) : discovery().describeTool(tool));
      }
      case "namespace":
        return JSON.stringify(discovery().describeNamespace(this.tools, String(first)));
      default:
        return undefined;
    }
  }

  /** What a script is told that uses a tool which is not there. */
  missing(name: string): string {
    const shown = name.slice(0, 80);
    const known = this.#names.members.map(([property]) => property);
    const close = closestNames(name, new Set(known), 3);
    const hint = close.length === 0 ? ' searchTools("…") finds tools.' : ` Close names: ${close.join(", ")}.`;
    return `There is no tool "${shown}" that can be called here.${hint}`;
  }

  #exactName(name: string): string {
    if (this.#indexes.has(name)) return name;
    return this.#names.members.find(([property]) => property === name)?.[1] ?? name;
  }
}

function searchOptions(given: unknown): { limit?: number; namespace?: string } {
  if (typeof given === "number") return { limit: given };
  if (typeof given !== "object" || given === null) return {};
  const { limit, namespace } = given as { readonly limit?: unknown; readonly namespace?: unknown };
  return {
    ...(typeof limit === "number" ? { limit } : {}),
    ...(typeof namespace === "string" ? { namespace } : {}),
  };
}
