// The types of a tool: what an author writes, what a call gets, what it gives back (DESIGN 4.1).

import type { ErrorCode } from "../errors/error-code.js";
import type { Usage } from "../records/usage.js";
import type { Access, AccessRestriction, Identity } from "./access.js";
import type { Drawing, DrawingView } from "./drawing.js";
import type { ToolSession } from "./tool-session.js";
import type { Static } from "./typebox.js";

/** A schema that can check a value and describe itself as JSON Schema: zod 4, valibot (with its converter), arktype. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
      | undefined;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a definition may give as a schema: TypeBox, any JSON Schema object (draft 7 to 2020-12), or a Standard Schema. */
export type ToolSchema = object;

/** The type of the values that a schema accepts, as `execute` gets them. */
export type SchemaValue<S> =
  S extends StandardSchema<unknown, infer Output> ? Output : S extends object ? Static<S> : unknown;

/** The type of the values that a caller gives: what goes into a Standard Schema, before its defaults and transforms. */
export type SchemaInput<S> = S extends StandardSchema<infer Input> ? Input : SchemaValue<S>;

/** MCP's hints. They are claims of the author, not enforced; a missing hint has MCP's default. */
export interface ToolAnnotations {
  readonly title?: string;
  /** Default false. */
  readonly readOnlyHint?: boolean;
  /** Default true; means something only for a tool that is not read-only. */
  readonly destructiveHint?: boolean;
  /** Default false. */
  readonly idempotentHint?: boolean;
  /** Default true. */
  readonly openWorldHint?: boolean;
}

/** How the model or another tool can reach a tool (DESIGN 4.4). */
export type Exposure = "direct" | "model-only" | "codemode" | "deferred" | "hidden";

export interface ToolNamespace {
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string;
}

export interface TextContent {
  readonly type: "text";
  readonly text: string;
}
export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}
export interface AudioContent {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}
export interface ResourceContent {
  readonly type: "resource";
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
}
export interface ResourceLinkContent {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}
/** One piece of a result, in MCP's words. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceContent | ResourceLinkContent;

/** What a call gave. Results are not copied: the caller owns the one in its outcome, everyone else may only read it. */
export interface ToolResult {
  /** What the model reads. */
  readonly content: readonly ContentBlock[];
  /** For the host; never shown to the model. */
  readonly details?: unknown;
  /** Data for programs; must match `outputSchema` when the tool declares one. */
  readonly structuredContent?: unknown;
  /** The tool's own usage, never that of the calls it made. */
  readonly usage?: Usage;
  /** A failure that still carries data. */
  readonly isError?: boolean;
  /** The agent may skip its automatic follow-up. */
  readonly terminate?: boolean;
}

/** What `execute` may return: a text, a result (without `content` it shows its `structuredContent`), or nothing. */
export type ToolReturn =
  | string
  | (Omit<ToolResult, "content"> & { readonly content?: readonly ContentBlock[] })
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: so that a function without a return statement fits
  | void;

/** Whatever the host gave to `createExecutor({ host })`. Augment this interface to give it a type. */
// biome-ignore lint/suspicious/noEmptyInterface: it exists to be augmented by the host
export interface Host {}

/** What another tool can see of a tool. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: ToolAnnotations;
  readonly exposure: Exposure;
  readonly namespace?: ToolNamespace;
}

/** The text and the code of a failure. */
export interface ToolCallError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a call resolves to. It never rejects: look at `isError`. */
export interface ToolCallOutcome<Structured = unknown> {
  /** The arguments are those that ran: repaired, and patched by hooks. */
  readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: unknown };
  readonly status: "ok" | "error" | "aborted";
  /** `status !== "ok"`. */
  readonly isError: boolean;
  readonly error?: ToolCallError;
  readonly result: ToolResult & { readonly structuredContent?: Structured };
  /** How long `execute` ran, in milliseconds; absent if it never ran. */
  readonly durationMs?: number;
  /** The call's own usage and that of every call below it. */
  readonly usage?: Usage;
}

/** Gets progress. What it throws, and how long it takes, changes no outcome. */
export type UpdateCallback = (partialResult: Partial<ToolResult>) => unknown;

export interface NestedCallOptions {
  /** Aborts this call and what it calls, nothing above it. */
  readonly signal?: AbortSignal;
  readonly onUpdate?: UpdateCallback;
  /** Milliseconds from the call on, waits included. */
  readonly timeoutMs?: number;
  /** The longest silence between two updates while the tool runs, in milliseconds. */
  readonly idleTimeoutMs?: number;
  /** Takes away from what this call and all below it may do. What would widen it is ignored, and the record says so. */
  readonly access?: AccessRestriction;
}

/** What a running tool can do. Read members from it; copies by spread lose them. */
export interface ToolContext {
  readonly toolCallId: string;
  readonly parentToolCallId: string | undefined;
  /** 0 for a root call. */
  readonly depth: number;
  readonly signal: AbortSignal;
  /** What `executeTool` can reach now. */
  readonly tools: readonly ToolInfo[];
  readonly host: Host;
  /** Whose call it is: what is in scope, and what is active there. */
  readonly session: ToolSession;
  /**
   * What may be done at this moment. Ask again before each thing you do, and after each wait: it may have been taken away.
   *
   * @throws NestcallError `CALLER_FINISHED` once the call has ended.
   */
  access(): Access;
  /** Who acts at this moment; as `access`. */
  identity(): Identity;
  /** Calls another tool; resolves to an outcome, whatever happens. A tool object stands for its name. */
  executeTool<Input extends ToolSchema, Output>(
    tool: Tool<Input, Output>,
    args: SchemaInput<Input>,
    options?: NestedCallOptions,
  ): Promise<ToolCallOutcome<Output extends object ? SchemaValue<Output> : unknown>>;
  executeTool(name: string, args?: unknown, options?: NestedCallOptions): Promise<ToolCallOutcome>;
  /** Reports progress; ignored after the call has settled. */
  onUpdate(partialResult: Partial<ToolResult>): void;
  /** Runs `fn` while nobody else changes these files; see `withFileMutationQueue`. Leaves the queue when the call is aborted. */
  withFileMutationQueue<T>(path: string | readonly string[], fn: () => T | Promise<T>): Promise<T>;
}

/** What `defineTool` takes. */
export interface ToolDefinition<Input extends ToolSchema = ToolSchema, Output = unknown> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$` */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  /** For the model: the whole instruction. */
  readonly description: string;
  /** One line for a host's list of tools; advice only. Hosts without such a list leave it out. */
  readonly snippet?: string;
  /** Sentences for a host's guidelines; advice only. */
  readonly guidelines?: readonly string[];
  readonly inputSchema: Input;
  readonly outputSchema?: Output;
  readonly annotations?: ToolAnnotations;
  /** The short form of `annotations`; giving both is an error. */
  readonly effect?: "read" | "write" | "destructive";
  /** With `effect`; default `effect === "read"`. */
  readonly idempotent?: boolean;
  /** With `effect`; default false. */
  readonly openWorld?: boolean;
  /** Default `direct`. */
  readonly exposure?: Exposure;
  readonly namespace?: ToolNamespace;
  /** Default `parallel`; a sequential tool waits for the executor's lane. */
  readonly executionMode?: "parallel" | "sequential";
  /** The files that this call will change, absolute or relative to the executor's `cwd`. */
  mutates?(args: SchemaValue<Input>): string | readonly string[];
  /** Milliseconds that `execute` may take in all. */
  readonly timeoutMs?: number;
  /** The longest silence between two updates, in milliseconds. */
  readonly idleTimeoutMs?: number;
  /** Turns old shapes of the arguments into the present one, before the check. */
  prepareArguments?(raw: unknown): unknown;
  /** Default true; false lifts the two style rules: open objects and unions of literals. */
  readonly strict?: boolean;
  /** How a call is drawn: data, for whatever host draws it. */
  renderCall?(args: SchemaValue<Input>, view: DrawingView): Drawing;
  /** How a result is drawn. */
  renderResult?(result: Partial<ToolResult>, view: DrawingView): Drawing;
  execute(args: SchemaValue<Input>, ctx: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** A checked definition, as `defineTool` returns it: frozen, the short forms written out. */
export interface Tool<Input extends ToolSchema = ToolSchema, Output = unknown> extends ToolDefinition<Input, Output> {
  readonly annotations: ToolAnnotations;
  readonly exposure: Exposure;
  readonly executionMode: "parallel" | "sequential";
}
