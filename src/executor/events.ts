// The events of a call, in the form that observers get. Nothing is built when nobody listens.

import type { WaitInfo } from "../mutation-queue/lease-request.js";
import type { ToolCallOutcome, ToolResult } from "../tools/tool.js";
import type { CallScope } from "./call-scope.js";
import { redactValue } from "./redaction.js";
import type { ToolExecutionWaitEvent } from "./tool-execution-event.js";

export function emitStart(
  scope: CallScope,
  shown: { readonly frozen: unknown; readonly bytes: number | undefined },
): void {
  const { observers, clock } = scope.engine;
  if (!observers.isHeard) return;
  const { id: toolCallId, shownName: toolName, depth, ordinal, parent, root } = scope;
  const rootOrdinal = root.ordinal;
  const timestamp = clock.now();
  const { frozen, bytes: argumentsBytes } = shown;
  const type = "tool_execution_start";
  if (parent === undefined) {
    observers.emit({
      type,
      toolCallId,
      toolName,
      depth,
      ordinal,
      rootOrdinal,
      timestamp,
      arguments: frozen,
      argumentsBytes,
    });
  } else {
    const parentToolCallId = parent.id;
    observers.emit({
      type,
      toolCallId,
      parentToolCallId,
      toolName,
      depth,
      ordinal,
      rootOrdinal,
      timestamp,
      arguments: frozen,
      argumentsBytes,
    });
  }
}

export function emitUpdate(scope: CallScope, partial: Partial<ToolResult>): void {
  const { observers } = scope.engine;
  if (!observers.isHeard) return;
  const partialResult = redactValue(scope, partial);
  observers.emit({ type: "tool_execution_update", ...baseOf(scope), partialResult });
}

export function emitEnd(scope: CallScope, outcome: ToolCallOutcome): void {
  const { observers, clock, redact } = scope.engine;
  if (!observers.isHeard) return;
  const { id: toolCallId, shownName: toolName, depth, ordinal, parent, root } = scope;
  const rootOrdinal = root.ordinal;
  const { status, isError, error, durationMs } = outcome;
  const result = redact === undefined ? outcome.result : redactResult(scope, outcome.result);
  const timestamp = clock.now();
  const type = "tool_execution_end";
  // The usual forms are written out: building them from parts costs as much as the rest of this function.
  if (durationMs !== undefined && error === undefined) {
    if (parent === undefined) {
      observers.emit({
        type,
        toolCallId,
        toolName,
        depth,
        ordinal,
        rootOrdinal,
        timestamp,
        result,
        status,
        isError,
        durationMs,
      });
      return;
    }
    const parentToolCallId = parent.id;
    observers.emit({
      type,
      toolCallId,
      parentToolCallId,
      toolName,
      depth,
      ordinal,
      rootOrdinal,
      timestamp,
      result,
      status,
      isError,
      durationMs,
    });
    return;
  }
  const event = {
    type,
    toolCallId,
    toolName,
    depth,
    ordinal,
    rootOrdinal,
    timestamp,
    result,
    status,
    isError,
  } as const;
  observers.emit({
    ...event,
    ...(parent === undefined ? {} : { parentToolCallId: parent.id }),
    ...(error === undefined ? {} : { code: error.code }),
    ...(durationMs === undefined ? {} : { durationMs }),
  });
}

export function emitWait(scope: CallScope, wait: Pick<ToolExecutionWaitEvent, "reason" | "paths" | "heldBy">): void {
  const { observers } = scope.engine;
  if (observers.isWaitHeard) observers.emitWait({ type: "tool_execution_wait", ...baseOf(scope), ...wait });
}

export function emitLeaseWait(scope: CallScope, { reason, paths, holders }: WaitInfo): void {
  const heldBy = holders.find((lease) => lease.owner !== undefined)?.owner;
  const shownPaths = redactValue(scope, paths);
  emitWait(scope, {
    reason,
    ...(paths.length === 0 ? {} : { paths: shownPaths }),
    ...(heldBy === undefined ? {} : { heldBy }),
  });
}

function baseOf(scope: CallScope) {
  return {
    toolCallId: scope.id,
    ...(scope.parent === undefined ? {} : { parentToolCallId: scope.parent.id }),
    toolName: scope.shownName,
    depth: scope.depth,
    ordinal: scope.ordinal,
    rootOrdinal: scope.root.ordinal,
    timestamp: scope.engine.clock.now(),
  };
}

/** Each part on its own, so that details without a JSON form do not hide the content. */
function redactResult(scope: CallScope, result: ToolResult): ToolResult {
  const redacted: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(result)) redacted[field] = redactValue(scope, value);
  return redacted as unknown as ToolResult; // the same fields; texts stay texts
}
