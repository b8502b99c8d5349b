// A tool of a server as a tool of ours: with its schemas and hints, and a call that goes to the server.
import type { Progress } from "@modelcontextprotocol/client";
import { NestcallError } from "../../errors/nestcall-error.js";
import { defineTool } from "../../tools/define-tool.js";
import { brokenSchemaRule } from "../../tools/schema-rules.js";
import type { Exposure, StandardSchema, Tool, ToolAnnotations, ToolContext, ToolReturn } from "../../tools/tool.js";
import type { ServerLink } from "./server-link.js";
import type { McpListedTool } from "./tool-snapshot.js";

export interface ToolOfServerOptions {
  readonly name: string;
  readonly exposure: Exposure;
  readonly link: ServerLink;
  /** What the server says of itself. */
  readonly instructions: string | undefined;
  /** Whether the server still lists the tool. */
  readonly isOffered: () => boolean;
  readonly onNote: (note: string) => void;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** @throws NestcallError `INVALID_TOOL` for a tool that cannot be one of ours. */
export function toolOfServer(listed: McpListedTool, options: ToolOfServerOptions): Tool {
  const { inputSchema, outputSchema } = listed;
  try {
    return define(listed, options, inputSchema, outputSchema);
  } catch (error) {
    if (!(error instanceof NestcallError)) throw error;
    return define(listed, options, usableInput(listed, options), usableOutput(listed, options));
  }
}

function define(listed: McpListedTool, options: ToolOfServerOptions, inputSchema: object, outputSchema?: object): Tool {
  const { name, exposure, link, instructions } = options;
  const server = link.entry.name;
  const annotations = annotationsOf(listed);
  const title = textOf(listed.title) ?? textOf(annotations.title);
  const tool = defineTool({
    name,
    ...(title === undefined ? {} : { title }),
    description: textOf(listed.description) ?? title ?? `The tool ${listed.name} of the MCP server ${server}.`,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations,
    exposure,
    namespace: {
      name: server,
      description: `Tools of the MCP server "${server}".`,
      ...(instructions === undefined ? {} : { instructions }),
    },
    strict: false,
    idleTimeoutMs: link.entry.timeoutMs, // progress is an update, which starts it anew
    execute: (args: unknown, ctx: ToolContext) => callServer(listed, options, args, ctx),
  });
  return tool as unknown as Tool; // the schemas come from the server, so nothing is known of the types
}

async function callServer(
  tool: McpListedTool,
  { name, link, isOffered }: ToolOfServerOptions,
  args: unknown,
  ctx: ToolContext,
): Promise<ToolReturn> {
  const server = link.entry.name;
  const isThere = link.open !== undefined;
  const connected = link.connected();
  if (!isThere) ctx.onUpdate(noteOf(`Starting the MCP server "${server}".`));
  const open = await untilAborted(connected, ctx.signal);
  if (!isThere) ctx.onUpdate(noteOf(`The MCP server "${server}" has started.`));
  if (!isOffered()) {
    return {
      ...noteOf(`The MCP server "${server}" no longer has the tool "${tool.name}", known here as ${name}.`),
      isError: true,
    };
  }
  const result = await link.call(open, {
    tool,
    args: args as Record<string, unknown>, // an object schema has accepted it
    signal: ctx.signal,
    ctx,
    onProgress: (progress) => ctx.onUpdate({ ...noteOf(progressText(progress)), details: { progress } }),
  });
  if (result === null || typeof result !== "object") return result;
  return resultOf(result);
}

function resultOf(result: object): ToolReturn {
  const { content, structuredContent, isError, _meta } = result as {
    readonly content?: readonly unknown[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly _meta?: unknown;
  };
  const hasText = content !== undefined && (content.length > 0 || structuredContent === undefined);
  return {
    ...(hasText ? { content: content as [] } : {}), // the engine looks at each block
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    ...(_meta === undefined ? {} : { details: { _meta } }),
  };
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function progressText({ progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? amount : `${amount} ${message}`;
}

function noteOf(text: string) {
  return { content: [{ type: "text", text } as const] };
}

/** Our check cannot read the schema: it is shown as it is, and the server checks the arguments, as it does anyway. */
function usableInput({ inputSchema, name }: McpListedTool, { onNote }: ToolOfServerOptions): object {
  const broken = brokenSchemaRule(inputSchema, { place: "inputSchema", isStrict: false });
  if (broken === undefined) return inputSchema;
  onNote(`the arguments of its tool "${name}" are checked by the server alone: ${broken}`);
  const unchecked: StandardSchema = {
    "~standard": {
      version: 1,
      vendor: "nestcall",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => inputSchema as Record<string, unknown> },
    },
  };
  return unchecked;
}

function usableOutput({ outputSchema, name }: McpListedTool, { onNote }: ToolOfServerOptions): object | undefined {
  const broken =
    outputSchema === undefined ? undefined : brokenSchemaRule(outputSchema, { place: "outputSchema", isStrict: false });
  if (broken === undefined) return outputSchema;
  onNote(`the results of its tool "${name}" are not checked: ${broken}`);
  return undefined;
}

/** MCP's hints and nothing else: what is of the wrong type claims nothing. */
function annotationsOf({ annotations = {} }: McpListedTool): ToolAnnotations {
  const hints = HINTS.flatMap((hint) => (typeof annotations[hint] === "boolean" ? [[hint, annotations[hint]]] : []));
  const { title } = annotations;
  return { ...(typeof title === "string" ? { title } : {}), ...Object.fromEntries(hints) } as ToolAnnotations;
}

function textOf(text: unknown): string | undefined {
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}
