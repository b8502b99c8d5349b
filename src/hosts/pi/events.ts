// The events that a Pi extension can listen to here, and what its handlers may answer.
import type { ImageContent, TextContent } from "../../tools/tool.js";
import type { ExtensionContext } from "./extension-context.js";
import type { JsonValue, PiUsage } from "./tool-definition.js";

interface CallEventBase {
  /** `<parent id>/<n>` for a call of another tool. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** Only there when another tool made the call. */
  readonly parentToolCallId?: string;
}

/** Before a tool runs. */
export interface ToolCallEvent extends CallEventBase {
  readonly type: "tool_call";
  /** May be changed in place, or replaced. The arguments are checked again afterwards, unlike in Pi. */
  input: Record<string, unknown>;
}
export interface ToolCallEventResult {
  block?: boolean;
  /** Told to the caller. */
  reason?: string;
  terminate?: boolean;
}

/** After a tool has run. Blocked, unknown, invalid, timed-out and aborted calls do not come here. */
export interface ToolResultEvent extends CallEventBase {
  readonly type: "tool_result";
  /** As the tool got them; frozen. */
  readonly input: Record<string, unknown>;
  /** May be changed in place; that counts as returning it. */
  content: (TextContent | ImageContent)[];
  details: unknown;
  structuredContent?: JsonValue;
  isError: boolean;
  /** The tool's own. */
  usage?: PiUsage;
}
/** Fields that are left out stay, except that new content without `structuredContent` drops the structured content. */
export interface ToolResultEventResult {
  content?: (TextContent | ImageContent)[];
  details?: unknown;
  structuredContent?: JsonValue;
  isError?: boolean;
  usage?: PiUsage;
}

export interface ToolExecutionStartEvent extends CallEventBase {
  readonly type: "tool_execution_start";
  /** As called; frozen. */
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
  readonly args: any;
}
export interface ToolExecutionUpdateEvent extends CallEventBase {
  readonly type: "tool_execution_update";
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
  readonly args: any;
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
  readonly partialResult: any;
}
export interface ToolExecutionEndEvent extends CallEventBase {
  readonly type: "tool_execution_end";
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
  readonly result: any;
  readonly isError: boolean;
  /** How long `execute` ran, in milliseconds; absent if it never ran. */
  readonly durationMs?: number;
}

/** When the host calls `start`. */
export interface SessionStartEvent {
  readonly type: "session_start";
  readonly reason: "startup" | "reload" | "new" | "resume" | "fork";
}
/** When the host is closed. */
export interface SessionShutdownEvent {
  readonly type: "session_shutdown";
  readonly reason: "quit" | "reload" | "new" | "resume" | "fork";
}

/** Each event with what its handlers may answer. */
export interface ExtensionEvents {
  readonly tool_call: [ToolCallEvent, ToolCallEventResult];
  readonly tool_result: [ToolResultEvent, ToolResultEventResult];
  readonly tool_execution_start: [ToolExecutionStartEvent, undefined];
  readonly tool_execution_update: [ToolExecutionUpdateEvent, undefined];
  readonly tool_execution_end: [ToolExecutionEndEvent, undefined];
  readonly session_start: [SessionStartEvent, undefined];
  readonly session_shutdown: [SessionShutdownEvent, undefined];
}
export type ExtensionEventType = keyof ExtensionEvents;

export type ExtensionHandler<Event, Answer = undefined> = (
  event: Event,
  ctx: ExtensionContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
) => Promise<Answer | void> | Answer | void;
export type HandlerOf<Type extends ExtensionEventType> = ExtensionHandler<
  ExtensionEvents[Type][0],
  ExtensionEvents[Type][1]
>;

/** Narrows the event of a tool whose arguments are known. */
export function isToolCallEventType<Name extends string, Input extends object>(
  toolName: Name,
  event: ToolCallEvent,
): event is ToolCallEvent & { toolName: Name; input: Input & Record<string, unknown> } {
  return event.toolName === toolName;
}
