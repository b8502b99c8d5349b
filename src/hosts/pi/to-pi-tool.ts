// One of our tools inside Pi. Where Pi lets a tool call others, those calls go through Pi, so that its guards see them
// and its record has them; everything else about the call (check, time limits, leases, output) is our engine's.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import { createExecutor } from "../../executor/create-executor.js";
import type { NestedCalls } from "../../records/nested-call-recorder.js";
import { defineTool, withFields } from "../../tools/define-tool.js";
import { schemaCheckOf } from "../../tools/schema-check.js";
import type { Tool, ToolResult } from "../../tools/tool.js";
import { checkOptions } from "./check-options.js";
import type { ExtensionToolContext } from "./extension-context.js";
import { type HostCall, runInsideHost } from "./inside-host.js";
import { piRenderers, type TextClass } from "./renderers.js";
import { piResult } from "./results.js";
import type { AgentToolResult, ToolDefinition } from "./tool-definition.js";

export interface ToPiToolOptions {
  /**
   * Where the tool runs when Pi's `ctx` has no `executeTool`. The tool must be registered there, and not hidden. Default:
   * an executor of its own, so that it can call nothing.
   */
  readonly executor?: Executor;
  /** `Text` of `@earendil-works/pi-tui`. Without it Pi draws the tool in its own way. */
  readonly Text?: TextClass;
}

/** A result with the record of our engine, when it was ours that ran the nested calls. */
export type RecordedPiResult = AgentToolResult & { nestedCalls?: NestedCalls };

/**
 * Makes a tool for Pi's `registerTool` or `customTools`. Audio and resources become texts, usage the fields that Pi
 * counts. Pi coerces arguments before we check them (it makes 1 of 1.5), and its file queue is not ours: a tool that
 * changes files beside Pi's own `edit` and `write` should call those.
 *
 * @throws NestcallError `INVALID_TOOL` for what is no tool, `INVALID_ARGUMENTS` for bad options.
 */
// biome-ignore lint/suspicious/noExplicitAny: tools of every input and output
export function toPiTool(given: Tool<any, any>, options: ToPiToolOptions = {}): ToolDefinition<object> {
  checkOptions("toPiTool", options, TO_PI_TOOL_OPTIONS);
  checkPiToolOptions("toPiTool", options);
  return piToolOf(given, options);
}

export const TO_PI_TOOL_OPTIONS: readonly string[] = ["executor", "Text"] satisfies (keyof ToPiToolOptions)[];

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function checkPiToolOptions(where: string, { executor, Text }: ToPiToolOptions): void {
  const isExecutor = typeof (executor as Partial<Executor> | null | undefined)?.executeTool === "function";
  if (executor !== undefined && !isExecutor) {
    throw wrong(`${where}: options.executor must be an executor, not ${describeValue(executor)}.`);
  }
  if (Text !== undefined && typeof Text !== "function") {
    throw wrong(`${where}: options.Text must be a class, not ${describeValue(Text)}.`);
  }
}

/** With options that were checked. */
// biome-ignore lint/suspicious/noExplicitAny: tools of every input and output
export function piToolOf(given: Tool<any, any>, options: ToPiToolOptions): ToolDefinition<object> {
  const tool = defineTool(given) as unknown as Tool; // a checked one comes back as it is
  const { name, title, snippet, guidelines, annotations, exposure, executionMode, namespace, outputSchema } = tool;
  const { Text } = options;
  let own: Executor | undefined;
  const executorOfOurs = () => {
    if (options.executor !== undefined) return options.executor;
    own ??= createExecutor({ tools: [ofTheModel(tool)] });
    return own;
  };
  return {
    name,
    label: title ?? annotations.title ?? name,
    description: tool.description,
    ...(snippet === undefined ? {} : { promptSnippet: snippet }),
    ...(guidelines === undefined ? {} : { promptGuidelines: [...guidelines] }),
    parameters: schemaCheckOf(tool.inputSchema).jsonSchema,
    // A schema is an object, as defineTool has seen.
    ...(outputSchema === undefined ? {} : { outputSchema: schemaCheckOf(outputSchema as object).jsonSchema }),
    annotations: hintsOf(annotations),
    exposure,
    executionMode,
    ...(namespace === undefined ? {} : { namespace }),
    ...(tool.prepareArguments === undefined ? {} : { prepareArguments: (raw) => tool.prepareArguments?.(raw) }),
    ...(Text === undefined ? {} : piRenderers(tool, name, Text)),
    execute: async (toolCallId, args, signal, onUpdate, ctx) => {
      const call: HostCall = {
        toolCallId,
        args,
        ...(signal === undefined ? {} : { signal }),
        ...(onUpdate === undefined ? {} : { onUpdate: (partial: Partial<ToolResult>) => onUpdate(piResult(partial)) }),
      };
      return canCall(ctx) ? runInsideHost(tool, call, ctx) : runInOurs(executorOfOurs(), tool, call);
    },
  };
}

/** In an executor of its own, where a hidden tool would not even be found: it is called by Pi then, and by no tool. */
function ofTheModel(tool: Tool): Tool {
  if (tool.exposure !== "hidden") return tool;
  return withFields(tool as Tool<never>, { exposure: "model-only" }) as unknown as Tool; // the same tool otherwise
}

/** A tool that is called directly, or by an older Pi, gets no `ctx`, or one without `executeTool`. */
function canCall(ctx: Partial<ExtensionToolContext> | undefined): ctx is ExtensionToolContext {
  return typeof ctx?.executeTool === "function";
}

async function runInOurs(
  executor: Executor,
  { name }: Tool,
  { args, ...options }: HostCall,
): Promise<RecordedPiResult> {
  const { result, usage, nestedCalls } = await executor.executeTool(name, args, options);
  // Pi counts what this result says, so it has to be the whole.
  const whole = piResult(usage === undefined ? result : { ...result, usage });
  return nestedCalls === undefined ? whole : { ...whole, nestedCalls };
}

/** Pi's annotations are the four hints. */
function hintsOf({ title: _, ...hints }: Tool["annotations"]): Tool["annotations"] {
  return hints;
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
