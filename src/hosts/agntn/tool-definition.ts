// A tool as the documents of @agntn/tools write it: `input`, `effect`, and an `execute` that gets its signal in an object.
// The names are theirs, so that their examples compile with only the import changed.
import type { ImageContent, SchemaValue, TextContent, Tool } from "../../tools/tool.js";
import type { Static, TSchema } from "../../tools/typebox.js";

/** `read` changes nothing, `write` changes or adds, `destructive` may lose what was there. */
export type ToolEffect = "read" | "write" | "destructive";

export interface ExecuteOptions {
  /** Aborted when the call is: stop then, and throw its reason. */
  readonly signal: AbortSignal;
}

export interface ToolResult<Details = unknown> {
  /** What the model reads. */
  readonly content: readonly (TextContent | ImageContent)[];
  /** The same facts as data, for programs and hosts; never shown to the model. */
  readonly details: Details;
  /** A failure, but not a crash: the model can act on the text. */
  readonly isError?: boolean;
}

/** What `defineTool` takes. */
export interface ToolDefinition<Input extends TSchema = TSchema> {
  /** Lowercase letters, digits and `_`, a letter first, at most 64; `<package>_<operation>` reads best. */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  /** The whole instruction: an MCP client sees nothing else. */
  readonly description: string;
  /** One line for the tool list of hosts that have one; advice only. */
  readonly snippet?: string;
  /** Sentences for the guidelines of hosts that have them; advice only. */
  readonly guidelines?: readonly string[];
  readonly effect: ToolEffect;
  /** Whether a second call with the same input adds nothing. Default `effect === "read"`. */
  readonly idempotent?: boolean;
  /** Whether it reaches beyond this machine's own data. Default false. */
  readonly openWorld?: boolean;
  /** An object schema made with `Type` of this package. Every object with keys says `additionalProperties: false`. */
  readonly input: Input;
  execute(input: Static<Input>, options: ExecuteOptions): ToolResult | Promise<ToolResult>;
}

/** A checked definition: frozen, its defaults written out, and a tool that an executor takes. */
export interface AgntnTool<Input extends TSchema = TSchema> extends Tool<Input, undefined> {
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly input: Input;
  execute(input: SchemaValue<Input>, options: ExecuteOptions): ToolResult | Promise<ToolResult>;
}
