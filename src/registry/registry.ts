// DESIGN 4.4: what is there, what the model is shown, and what a caller can reach. Owns the entries and the active set.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { closestNames } from "../tools/closest-names.js";
import { defineTool, isDefinedTool } from "../tools/define-tool.js";
import { type SchemaCheck, schemaCheckOf } from "../tools/schema-check.js";
import type { Tool, ToolDefinition, ToolInfo } from "../tools/tool.js";

/** Who asks: the host's own call, a call of the model, or a call of a running tool or script. */
export type Reach = "host" | "model" | "tool";

export interface RegisterOptions {
  /** False keeps a `direct` or `model-only` tool out of the active set. Default true. */
  readonly defaultActive?: boolean;
}
export interface NamespaceInfo {
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly tools: readonly string[];
}

/** A registered tool and what the engine keeps beside it. */
export interface RegistryEntry {
  readonly tool: Tool;
  readonly input: SchemaCheck;
  readonly output: SchemaCheck | undefined;
  isActive: boolean;
}

export class Registry {
  readonly #entries = new Map<string, RegistryEntry>();
  #reachable: readonly ToolInfo[] | undefined;

  /**
   * Adds a tool, or replaces the one of this name. A `direct` or `model-only` tool becomes active.
   * There is no way to unregister: register the name again with exposure `hidden`.
   *
   * @throws NestcallError `INVALID_TOOL` for a bad definition, `INVALID_ARGUMENTS` for a bad option.
   */
  register(tool: Tool | ToolDefinition, options: RegisterOptions = {}): void {
    const defined = isDefinedTool(tool) ? tool : (defineTool(tool) as unknown as Tool); // checked by defineTool
    const defaultActive = checkOptions(defined.name, options);
    const startsActive = defined.exposure === "direct" || defined.exposure === "model-only";
    const wasActive = this.#entries.get(defined.name)?.isActive === true;
    this.#entries.set(defined.name, {
      tool: defined,
      input: schemaCheckOf(defined.inputSchema),
      output:
        typeof defined.outputSchema === "object" && defined.outputSchema !== null
          ? schemaCheckOf(defined.outputSchema)
          : undefined,
      isActive: defined.exposure !== "hidden" && ((startsActive && defaultActive) || (wasActive && defaultActive)),
    });
    this.#reachable = undefined;
  }

  /** The tool of this name, hidden ones too. */
  get(name: string): Tool | undefined {
    return this.#entries.get(name)?.tool;
  }

  /** Everything that is registered, in the order of registration. For the host: it contains hidden tools. */
  getAllTools(): ToolInfo[] {
    return [...this.#entries.values()].map(infoOf);
  }

  /** The names that the model is shown, in the order of registration. */
  getActiveTools(): string[] {
    return [...this.#entries.values()].filter(({ isActive }) => isActive).map(({ tool }) => tool.name);
  }

  /**
   * Makes exactly these tools active. Unknown and hidden names are ignored and given back.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `names` is no list.
   */
  setActiveTools(names: readonly string[]): { readonly ignored: readonly string[] } {
    if (!Array.isArray(names)) {
      const message = `registry.setActiveTools takes a list of tool names; it got ${describeValue(names)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    const odd: unknown = names.find((name: unknown) => typeof name !== "string");
    if (odd !== undefined) {
      const message = `registry.setActiveTools takes a list of tool names; it contains ${describeValue(odd)}.`;
      throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
    }
    const wanted = new Set<string>(names);
    for (const [name, entry] of this.#entries) entry.isActive = entry.tool.exposure !== "hidden" && wanted.has(name);
    this.#reachable = undefined;
    return { ignored: [...wanted].filter((name) => this.#entries.get(name)?.isActive !== true) };
  }

  /** What belongs to a namespace, with the first description and instructions given; `undefined` for an unknown one. */
  describeNamespace(name: string): NamespaceInfo | undefined {
    const members = [...this.#entries.values()]
      .map(({ tool }) => tool)
      .filter((tool) => tool.namespace?.name === name && tool.exposure !== "hidden");
    if (members.length === 0) return undefined;
    const description = members.find((tool) => tool.namespace?.description !== undefined)?.namespace?.description;
    const instructions = members.find((tool) => tool.namespace?.instructions !== undefined)?.namespace?.instructions;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      ...(instructions === undefined ? {} : { instructions }),
      tools: members.map((tool) => tool.name),
    };
  }

  /** The entry that this caller can reach; hidden, inactive and unknown names look the same. */
  findCallable(name: string, reach: Reach): RegistryEntry | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && isReachable(entry, reach) ? entry : undefined;
  }

  /** Names that resemble this one, among those that this caller can reach. */
  closeCallableNames(name: string, reach: Reach, max: number): string[] {
    const candidates = [...this.#entries].filter(([, entry]) => isReachable(entry, reach)).map(([own]) => own);
    return closestNames(name, candidates, max);
  }

  /** What a running tool can call now. */
  reachableByTools(): readonly ToolInfo[] {
    this.#reachable ??= Object.freeze(
      [...this.#entries.values()].filter((entry) => isReachable(entry, "tool")).map(infoOf),
    );
    return this.#reachable;
  }
}

function isReachable({ tool, isActive }: RegistryEntry, reach: Reach): boolean {
  if (reach === "host") return tool.exposure !== "hidden";
  if (reach === "model") return isActive;
  return tool.exposure === "direct" ? isActive : tool.exposure === "codemode" || tool.exposure === "deferred";
}

function infoOf({ tool, input, output }: RegistryEntry): ToolInfo {
  const { name, title, description, annotations, exposure, namespace } = tool;
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: input.jsonSchema,
    ...(output === undefined ? {} : { outputSchema: output.jsonSchema }),
    annotations,
    exposure,
    ...(namespace === undefined ? {} : { namespace }),
  });
}

function checkOptions(name: string, options: unknown): boolean {
  if (typeof options !== "object" || options === null) {
    const message = `registry.register("${name}") takes an options object; it got ${describeValue(options)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const unknown = Object.keys(options).find((option) => option !== "defaultActive");
  if (unknown !== undefined) {
    const message = `registry.register("${name}") has no option "${shortenText(unknown, 60)}"; known is "defaultActive".`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const { defaultActive } = options as { readonly defaultActive?: unknown };
  if (defaultActive !== undefined && typeof defaultActive !== "boolean") {
    const message = `registry.register("${name}"): options.defaultActive must be true or false, not ${describeValue(defaultActive)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  return defaultActive ?? true;
}
