// Progress of a running call (H6, T4).
import { describeValue } from "../errors/text.js";
import type { ToolResult } from "../tools/tool.js";
import type { CallScope } from "./call-scope.js";
import { emitUpdate } from "./events.js";
import { redactValue } from "./redaction.js";

/** Hands an update on; one that comes after the call has settled is ignored. */
export function reportUpdate(scope: CallScope, partial: unknown): void {
  if (scope.phase !== "running") return;
  scope.restartIdleTimer?.();
  const { observers } = scope.engine;
  const update = updateOf(partial);
  if (update === undefined) {
    const error = new TypeError(
      `onUpdate takes a partial result; tool "${scope.name}" gave ${describeValue(partial)}.`,
    );
    observers.report({ error, source: "update", toolCallId: scope.id }, scope.entry?.tool ?? scope);
    return;
  }
  emitUpdate(scope, update);
  if (scope.onUpdate !== undefined) observers.call(scope.onUpdate, redactValue(scope, update), "update", scope.id);
}

function updateOf(partial: unknown): Partial<ToolResult> | undefined {
  try {
    return readUpdate(partial);
  } catch {
    return undefined; // a proxy that cannot be looked at
  }
}

function readUpdate(partial: unknown): Partial<ToolResult> | undefined {
  if (typeof partial === "string") return { content: [{ type: "text", text: partial }] };
  return typeof partial === "object" && partial !== null && !Array.isArray(partial) ? partial : undefined;
}
