// A tool as a plugin writes it: `label`, `parameters`, and an `execute` that gets the id of its call first. The names are
// those of the documents, so that their examples compile with only the import changed.
import type { Usage } from "../../records/usage.js";
import type {
  Exposure,
  ImageContent,
  SchemaValue,
  TextContent,
  ToolAnnotations,
  ToolContext,
  ToolNamespace,
  ToolSchema,
} from "../../tools/tool.js";
import { toTool } from "./to-tool.js";

/** What a plugin's tool gives. */
export interface PluginToolResult<Details = unknown> {
  /** What the model reads. */
  readonly content: readonly (TextContent | ImageContent)[];
  /** For the host; never shown to the model. */
  readonly details: Details;
  /** Data for programs; must match `outputSchema` when the tool declares one. */
  readonly structuredContent?: unknown;
  /** The tool's own usage, never that of the calls it made. */
  readonly usage?: Usage;
  /** A failure that still carries data. */
  readonly isError?: boolean;
  readonly terminate?: boolean;
}

export interface ToolDefinition<Params extends ToolSchema = ToolSchema, Details = unknown> {
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** For the model: the whole instruction. */
  readonly description: string;
  /** TypeBox, any JSON Schema object, or a Standard Schema; the root is an object. */
  readonly parameters: Params;
  readonly outputSchema?: ToolSchema;
  readonly annotations?: ToolAnnotations;
  /** Default `direct`; the manifest's `deferLoading` comes first. */
  readonly exposure?: Exposure;
  readonly namespace?: ToolNamespace;
  readonly executionMode?: "parallel" | "sequential";
  readonly promptSnippet?: string;
  readonly promptGuidelines?: readonly string[];
  /** Turns old shapes of the arguments into the present one, before the check. */
  prepareArguments?(raw: unknown): unknown;
  /**
   * Throw what the model cannot mend (network, DNS, sockets, an origin's 5xx, a dead server), marked by
   * `markTransportFailure`; give back as text what it can (a bad argument, a missing resource, a refusal).
   *
   * @param ctx - To call other tools, for instance.
   */
  execute(
    callId: string,
    params: SchemaValue<Params>,
    signal: AbortSignal,
    onUpdate: (partialResult: Partial<PluginToolResult<Details>>) => void,
    ctx: ToolContext,
  ): PluginToolResult<Details> | Promise<PluginToolResult<Details>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a plugin registers tools of every kind
export type AnyToolDefinition = ToolDefinition<any, any>;

/**
 * Checks a definition and gives it back, with its types.
 *
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place.
 */
export function defineTool<const Params extends ToolSchema, Details = unknown>(
  definition: ToolDefinition<Params, Details>,
): ToolDefinition<Params, Details> {
  toTool(definition as AnyToolDefinition);
  return definition;
}
