// Pi's handlers as hooks and listeners of the executor. What they answer means what it means there; where DESIGN is
// stricter than Pi, it holds: patched arguments are checked again (H2), a `tool_result` handler that throws hides the
// result (H3).
import { isDeepStrictEqual } from "node:util";
import { isThenable } from "../../errors/thenable.js";
import type { Executor } from "../../executor/create-executor.js";
import type { ToolCallHook, ToolCallHookEvent, ToolResultHookEvent, ToolResultPatch } from "../../executor/hook.js";
import type { ContentBlock } from "../../tools/tool.js";
import type { ExtensionEventType, HandlerOf, ToolCallEvent, ToolResultEvent, ToolResultEventResult } from "./events.js";
import { type ContextSource, HandlerContext } from "./handler-context.js";
import { piUsage } from "./results.js";
import type { JsonValue } from "./tool-definition.js";

/** The events that come from the executor; the others are the host's own. */
export type CallEventType = Exclude<ExtensionEventType, "session_start" | "session_shutdown">;

/** Adds a handler to the executor; returns a function that takes it away. */
export function addCallHandler<Type extends CallEventType>(
  executor: Executor,
  source: ContextSource,
  type: Type,
  handler: HandlerOf<Type>,
): () => void {
  const add = ADDERS[type] as (executor: Executor, source: ContextSource, handler: HandlerOf<Type>) => () => void;
  return add(executor, source, handler);
}

const ADDERS: { readonly [Type in CallEventType]: (e: Executor, s: ContextSource, h: HandlerOf<Type>) => () => void } =
  {
    tool_call: (executor, source, handler) =>
      executor.on("tool_call", (call) => {
        // Block, reason and terminate have the same names and meaning on both sides.
        return handler(toolCallEvent(call), new HandlerContext(source, call)) as ReturnType<ToolCallHook>;
      }),
    tool_result: (executor, source, handler) =>
      executor.on("tool_result", (call) => {
        const event = toolResultEvent(call);
        const answer = handler(event, new HandlerContext(source, call));
        const patch = (given: unknown) => patchOf(given, event, call);
        return isThenable(answer) ? Promise.resolve(answer).then(patch) : patch(answer);
      }),
    tool_execution_start: (executor, source, handler) =>
      executor.on("tool_execution_start", ({ toolCallId, toolName, parentToolCallId, arguments: args, type }) =>
        handler({ type, toolCallId, toolName, args, ...parentPart(parentToolCallId) }, new HandlerContext(source)),
      ),
    tool_execution_update: addUpdateHandler,
    tool_execution_end: (executor, source, handler) =>
      executor.on(
        "tool_execution_end",
        ({ type, toolCallId, toolName, parentToolCallId, result, isError, durationMs }) => {
          const duration = durationMs === undefined ? {} : { durationMs };
          const event = { type, toolCallId, toolName, result, isError, ...duration, ...parentPart(parentToolCallId) };
          return handler(event, new HandlerContext(source));
        },
      ),
  };

function parentPart(parentToolCallId: string | undefined) {
  return parentToolCallId === undefined ? {} : { parentToolCallId };
}

function toolCallEvent(call: ToolCallHookEvent): ToolCallEvent {
  const { toolCallId, toolName, parentToolCallId } = call;
  return {
    type: "tool_call",
    toolCallId,
    toolName,
    ...parentPart(parentToolCallId),
    // Read when it is asked for: arguments that no handler looks at need not be compared.
    get input() {
      return call.input as Record<string, unknown>; // arguments are objects; only an open schema takes others
    },
    set input(value) {
      call.input = value;
    },
  };
}

function toolResultEvent(call: ToolResultHookEvent): ToolResultEvent {
  const { toolCallId, toolName, parentToolCallId, input, result } = call;
  const { content, details, isError = false } = result;
  const structuredContent = result.structuredContent as JsonValue | undefined; // as the tool gave it
  const usage = piUsage(result.usage);
  return {
    type: "tool_result",
    toolCallId,
    toolName,
    ...parentPart(parentToolCallId),
    input: input as Record<string, unknown>,
    content: content.map((block) => ({ ...block })) as ToolResultEvent["content"], // other kinds of blocks pass through unseen
    details,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError,
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A handler that edits `event.content` in place has replaced it, with all that follows from that (H4). */
function patchOf(given: unknown, event: ToolResultEvent, { result }: ToolResultHookEvent): ToolResultPatch | undefined {
  const answer = typeof given === "object" && given !== null ? (given as ToolResultEventResult) : {};
  const isEdited = answer.content === undefined && !isDeepStrictEqual(event.content, result.content);
  const content: readonly ContentBlock[] | undefined = isEdited ? event.content : answer.content;
  const { details, structuredContent, isError, usage } = answer;
  return {
    ...(content === undefined ? {} : { content }),
    ...(details === undefined ? {} : { details }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    ...(usage === undefined || usage === null ? {} : { usage }),
  };
}

/**
 * Pi repeats the arguments with each update, so they are kept from the start to the end of a call. Of calls that run at once
 * under one id and name, the first to start counts as the first to end: nothing in the events tells them apart.
 */
function addUpdateHandler(executor: Executor, source: ContextSource, handler: HandlerOf<"tool_execution_update">) {
  const argsOf = new Map<string, readonly unknown[]>();
  return executor.subscribe((event) => {
    const { toolCallId, toolName, parentToolCallId } = event;
    const key = JSON.stringify([toolCallId, toolName]);
    const running = argsOf.get(key) ?? [];
    if (event.type === "tool_execution_start") argsOf.set(key, [...running, event.arguments]);
    if (event.type === "tool_execution_end") {
      if (running.length > 1) argsOf.set(key, running.slice(1));
      else argsOf.delete(key);
    }
    if (event.type !== "tool_execution_update") return undefined;
    const { type, partialResult } = event;
    const [args] = running;
    return handler(
      { type, toolCallId, toolName, args, partialResult, ...parentPart(parentToolCallId) },
      new HandlerContext(source),
    );
  });
}
