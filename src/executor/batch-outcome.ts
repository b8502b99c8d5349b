// What root calls and batches resolve to (DESIGN 4.2).
import type { NestedCalls } from "../records/nested-call-recorder.js";
import type { Usage } from "../records/usage.js";
import type { ContentBlock, ToolCallOutcome } from "../tools/tool.js";

export interface RootCallOutcome<Structured = unknown> extends ToolCallOutcome<Structured> {
  /** What was called below, at every depth; absent when nothing was. */
  readonly nestedCalls?: NestedCalls;
}

/** A result as a transcript keeps it. */
export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ContentBlock[];
  readonly details?: unknown;
  readonly structuredContent?: unknown;
  /** The total: the tool's own and that of every call below it. */
  readonly usage?: Usage;
  readonly nestedCalls?: NestedCalls;
  readonly isError: boolean;
  /** How long `execute` ran, in milliseconds. */
  readonly durationMs?: number;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
}

export interface BatchOutcome {
  /** In the order of the calls, one for each. */
  readonly messages: readonly ToolResultMessage[];
  readonly outcomes: readonly RootCallOutcome[];
  /** Every result asked to skip the automatic follow-up (B4). */
  readonly terminate: boolean;
}

/** B4: whether a batch of results agrees to terminate: there is one, and each has `terminate === true`. */
export function batchTerminates(results: readonly { readonly terminate?: unknown }[]): boolean {
  return Array.isArray(results) && results.length > 0 && results.every((result) => result?.terminate === true);
}

export function messageOf(outcome: RootCallOutcome, timestamp: number): ToolResultMessage {
  const { toolCall, result, usage, nestedCalls, isError, durationMs } = outcome;
  const { content, details, structuredContent } = result;
  return {
    role: "toolResult",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    content,
    ...(details === undefined ? {} : { details }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(usage === undefined ? {} : { usage }),
    ...(nestedCalls === undefined ? {} : { nestedCalls }),
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
    timestamp,
  };
}
