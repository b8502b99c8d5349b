// A tool in Pi's shape: five-argument `execute`, `label`, `parameters`. The names are Pi's, so that the documents' own
// examples compile with only the import changed.
import type {
  Exposure,
  ImageContent,
  ToolNamespace as Namespace,
  SchemaValue,
  TextContent,
  ToolAnnotations,
  ToolSchema,
} from "../../tools/tool.js";
import type { Component, Theme, ToolRenderContext, ToolRenderResultOptions } from "./component.js";
import type { ExtensionToolContext } from "./extension-context.js";

export type ToolExposure = Exposure;
export interface ToolNamespace extends Namespace {
  /** Other names for the namespace. They are kept for `getAllTools` and not looked up. */
  readonly aliases?: readonly string[];
}

export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];
export type JsonObject = { [key: string]: JsonValue };

/** Usage as Pi counts it: every field is a number. */
export type PiUsage = {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h?: number;
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
};

/** What a Pi tool gives. Every result, partial ones too, says what its `details` are. */
export interface AgentToolResult<Details = unknown> {
  /** What the model reads. */
  content: (TextContent | ImageContent)[];
  /** For the host; never shown to the model. */
  details: Details;
  /** Data for programs; must match `outputSchema` when the tool declares one. */
  structuredContent?: JsonValue;
  /** The tool's own usage, never that of the calls it made. */
  usage?: PiUsage;
  /** A failure that still carries data. */
  isError?: boolean;
  terminate?: boolean;
}
// biome-ignore lint/suspicious/noExplicitAny: as Pi has it; a progress callback takes the details of any tool
export type AgentToolUpdateCallback<Details = any> = (partialResult: AgentToolResult<Details>) => void;

/** What `ctx.executeTool` resolves to. It never rejects: look at `isError`. */
export interface AgentToolCallOutcome {
  readonly toolCall: {
    readonly type: "toolCall";
    readonly id: string;
    readonly name: string;
    /** As they ran: repaired, and patched by hooks. */
    readonly arguments: Record<string, unknown>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it; the details are those of whatever tool was called
  readonly result: AgentToolResult<any>;
  readonly isError: boolean;
  /** How long `execute` ran, in milliseconds; absent if it never ran. */
  readonly durationMs?: number;
}

/** A tool as other tools and loaders see it. */
export interface CallableTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: object;
  readonly outputSchema?: object;
}

/** The tools of a session, as `prepareLoadout` sees them. */
export interface ToolLoadout {
  /** What is declared to the model, in order. */
  readonly declared: readonly CallableTool[];
  /** What `ctx.executeTool` can reach. */
  readonly callable: readonly CallableTool[];
  readonly registered: readonly CallableTool[];
  getExposure(name: string): ToolExposure;
  getNamespace(name: string): ToolNamespace | undefined;
  getPromptGuidelines(name: string): readonly string[];
}
export interface ToolLoadoutChanges {
  /** Descriptions by the names of declared tools. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Names of declared tools that the model is not shown; they stay active and callable. */
  readonly hiddenDeclarations?: readonly string[];
}

/** The arguments that a tool gets; any for a tool of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: it asks whether the type is any
type Arguments<Params> = 0 extends 1 & Params ? any : SchemaValue<Params>;

/** What Pi's `registerTool` takes. */
// biome-ignore lint/suspicious/noExplicitAny: as Pi has it; renderers keep what they like in `context.state`
export interface ToolDefinition<Params extends ToolSchema = ToolSchema, Details = unknown, State = any> {
  name: string;
  /** For people. */
  label: string;
  description: string;
  promptSnippet?: string;
  promptGuidelines?: string[];
  /** TypeBox, any JSON Schema object, or a Standard Schema. */
  parameters: Params;
  /** Checked here, unlike in Pi. */
  outputSchema?: ToolSchema;
  exposure?: ToolExposure;
  namespace?: ToolNamespace;
  annotations?: ToolAnnotations;
  /** False keeps a `direct` or `model-only` tool out of the active set. Default true. */
  defaultActive?: boolean;
  executionMode?: "parallel" | "sequential";
  prepareArguments?: (args: unknown) => Arguments<Params>;
  prepareLoadout?: (loadout: ToolLoadout) => ToolLoadoutChanges | undefined;
  /** Kept for `getAllTools`. */
  reachesTools?: (input: Record<string, unknown>) => "all" | readonly string[];
  /** Of Pi's own screen; not used here. */
  renderShell?: "default" | "self";
  /** Of Pi's providers; not used here. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever Pi's present version takes
  constrainedSampling?: any;
  execute(
    toolCallId: string,
    params: Arguments<Params>,
    signal: AbortSignal | undefined,
    onUpdate: AgentToolUpdateCallback<Details> | undefined,
    ctx: ExtensionToolContext,
  ): Promise<AgentToolResult<Details>>;
  renderCall?: (
    args: Arguments<Params>,
    theme: Theme,
    context: ToolRenderContext<State, Arguments<Params>>,
  ) => Component;
  renderResult?: (
    result: AgentToolResult<Details>,
    options: ToolRenderResultOptions,
    theme: Theme,
    context: ToolRenderContext<State, Arguments<Params>>,
  ) => Component;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every kind
export type AnyToolDefinition = ToolDefinition<any, any, any>;

/** Gives the definition back, with its types. It is checked when it is registered, or by `fromPiTool`. */
// biome-ignore lint/suspicious/noExplicitAny: as Pi has it
export function defineTool<const Params extends ToolSchema, Details = unknown, State = any>(
  tool: ToolDefinition<Params, Details, State>,
): ToolDefinition<Params, Details, State> & AnyToolDefinition {
  return tool as ToolDefinition<Params, Details, State> & AnyToolDefinition; // the same object, for lists of any kind
}
