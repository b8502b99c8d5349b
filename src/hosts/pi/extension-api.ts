// What a Pi extension gets as `pi`: the part of Pi's API that has a meaning without an agent loop and a screen.
import type { ToolAnnotations, ToolSchema } from "../../tools/tool.js";
import type { ToolRendererResolver } from "./component.js";
import type { EventBus } from "./event-bus.js";
import type { ExtensionEventType, HandlerOf } from "./events.js";
import type { ExtensionCommandContext } from "./extension-context.js";
import type { ExecOptions, ExecResult } from "./run-program.js";
import type { ToolDefinition, ToolExposure, ToolNamespace } from "./tool-definition.js";

/** Where a tool came from. */
export interface SourceInfo {
  /** `<extension:NAME>`, or `<host>`. */
  readonly path: string;
  readonly source: "extension" | "host";
  readonly scope: "temporary";
  readonly origin: "top-level";
}

export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: object;
  readonly promptGuidelines?: string[];
  readonly exposure: ToolExposure;
  readonly namespace?: ToolNamespace;
  readonly annotations?: ToolAnnotations;
  readonly reachesTools?: (input: Record<string, unknown>) => "all" | readonly string[];
  readonly sourceInfo: SourceInfo;
}

export interface RegisteredCommand {
  readonly description?: string;
  readonly handler: (args: string, ctx: ExtensionCommandContext) => Promise<void> | void;
}

/**
 * What an extension's default export takes. Other members of Pi's API throw a `NestcallError` that names them when they
 * are used, unless the host has a handler for what is missing.
 */
export interface ExtensionAPI {
  /** Adds a handler; returns a function that takes it away. */
  on<Type extends ExtensionEventType>(event: Type, handler: HandlerOf<Type>): () => void;
  /**
   * Adds a tool, at any time. The first owner of a name keeps it; the same extension may replace its own.
   *
   * @throws NestcallError `INVALID_TOOL` for a bad definition.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
  registerTool<const Params extends ToolSchema = ToolSchema, Details = unknown, State = any>(
    tool: ToolDefinition<Params, Details, State>,
  ): void;
  /** Adds a command, which the host runs by its name. */
  registerCommand(name: string, options: RegisteredCommand): void;
  /** Says how tools are drawn, those too that are not registered. Resolvers are asked in the order of registration. */
  registerToolRenderer(resolver: ToolRendererResolver): void;
  /** What is there, without hidden tools. */
  getAllTools(): ToolInfo[];
  /** The names that the model is shown. */
  getActiveTools(): string[];
  /** Makes exactly these tools active. Unknown and hidden names are ignored. */
  setActiveTools(toolNames: string[]): void;
  /** Runs a program, without a shell. Resolves whatever comes of it. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  /** How extensions of one host talk to each other. */
  readonly events: EventBus;
}

/** An extension: the default export of its file. */
export type ExtensionFactory = (pi: ExtensionAPI) => void | Promise<void>;
