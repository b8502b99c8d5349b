// What the model reads of the tool `codemode`: how scripts are written, and what they can call, as it stands now.
import type { Registry } from "../../registry/registry.js";
import type { RegistrySession } from "../../registry/registry-session.js";
import { sessionKeyOf } from "../../registry/session-key.js";
import type { ToolInfo } from "../../tools/tool.js";
import type { ToolSession } from "../../tools/tool-session.js";
import type { DeclaredTool } from "../declarations/declared-tool.js";
import { renderDeclarations } from "../declarations/render-declarations.js";

export interface DescriptionBudget {
  readonly budgetTokens: number;
  readonly toolBudgetTokens: number;
}

const INTRODUCTION = `Runs a script in JavaScript or TypeScript that calls tools. Use it for several calls that belong together, for loops over results, and to keep large results out of the conversation: filter them in the script and return what is needed.

Write the body of an async function, and return a value. Call a tool with \`await tools.name(arguments)\` (\`tools["exact-name"]\` always works). A call gives the tool's data as declared below, else its text; a failed call throws an Error with message, code and details. Run calls side by side with \`Promise.all\` or \`parallel(items, fn, limit)\`. Await every call.

Also there: text(value) and image(dataUrlOrBlock) show something, console.log notes something, store(key, value) and load(key) keep JSON between scripts, exit() ends the script, searchTools(query), describeTool(name), describeNamespace(name) and ALL_TOOLS tell about tools. There are no imports, timers, files or network: tools are the only way out. Each script starts afresh.`;

interface Rendered {
  readonly tools: readonly ToolInfo[];
  readonly text: string;
}

/** Renders again only when what scripts can reach has changed. */
export class ToolDescription {
  readonly #registry: Registry;
  readonly #budget: DescriptionBudget;
  /** By session: what one can reach another need not. */
  readonly #rendered = new WeakMap<object, Rendered>();

  constructor(registry: Registry, budget: DescriptionBudget) {
    this.#registry = registry;
    this.#budget = budget;
  }

  /** For calls without a session. */
  get text(): string {
    return this.#textOf(this.#registry.session);
  }

  /** What the scripts of this session can reach, as it stands now. */
  textFor(session: ToolSession): string {
    const { reachableByTools } = session as Partial<RegistrySession>; // listings give the registry's own
    return reachableByTools === undefined ? this.text : this.#textOf(session as RegistrySession);
  }

  #textOf(session: RegistrySession): string {
    const tools = session.reachableByTools();
    const key = sessionKeyOf(session);
    const known = this.#rendered.get(key);
    if (known !== undefined && isSameList(known.tools, tools)) return known.text;
    const text = this.#render(tools);
    this.#rendered.set(key, { tools, text });
    return text;
  }

  #render(tools: readonly ToolInfo[]): string {
    const all = scriptToolsOf(tools);
    const unlisted = all.filter(({ listed }) => listed === false).length;
    const parts = [INTRODUCTION];
    if (unlisted < all.length) parts.push(`\`\`\`ts\n${renderDeclarations(all, this.#budget).trimEnd()}\n\`\`\``);
    if (unlisted > 0) {
      const [count, are, them] =
        unlisted === 1 ? ["1 more tool", "is", "it"] : [`${unlisted} more tools`, "are", "them"];
      parts.push(
        `${count} ${are} not listed here: find ${them} with searchTools(query), read describeTool(name), then call.`,
      );
    } else if (all.length === 0) parts.push("There are no tools to call at present.");
    return parts.join("\n\n");
  }
}

/** A session with a policy makes its list anew each time, of the same tools more often than not. */
function isSameList(one: readonly ToolInfo[], other: readonly ToolInfo[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((tool, index) => isSameTool(tool, other[index]));
}

const SHOWN = ["name", "title", "description", "inputSchema", "outputSchema", "namespace", "exposure"] as const;

function isSameTool(one: ToolInfo, other: ToolInfo | undefined): boolean {
  return other !== undefined && SHOWN.every((field) => one[field] === other[field]);
}

/** Of a list that has not changed the runtime need not read the tools again, so it is given the same one. */
const scriptTools = new WeakMap<readonly ToolInfo[], DeclaredTool[]>();

/** The tools of a script. Deferred ones can be called and are found by search, but are not declared. */
export function scriptToolsOf(tools: readonly ToolInfo[]): readonly DeclaredTool[] {
  let made = scriptTools.get(tools);
  if (made === undefined) {
    made = tools.map(scriptToolOf);
    scriptTools.set(tools, made);
  }
  return made;
}

function scriptToolOf(tool: ToolInfo): DeclaredTool {
  const { name, title, description, inputSchema, outputSchema, namespace, exposure } = tool;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(exposure === "deferred" ? { listed: false } : {}),
  };
}
