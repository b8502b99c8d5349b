// Calls that do not run: unknown, beyond a limit, made too late, or failed by the engine itself (A5, S3, S5).
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import { quotedText } from "../tools/place-text.js";
import type { ToolCallOutcome } from "../tools/tool.js";
import type { CallScope } from "./call-scope.js";
import { type Ending, failure } from "./ending.js";

/** S5: a refused call says which limit it was and what raises it. */
export function beyondLimit(scope: CallScope): Ending | undefined {
  const { maxDepth, maxCallsPerRoot } = scope.engine.limits;
  const name = shownName(scope.name);
  if (scope.depth > maxDepth) {
    const text = `Tool ${name} was called at depth ${scope.depth}; the limit is ${maxDepth} (limits.maxDepth raises it).`;
    return failure(ErrorCode.DEPTH_EXCEEDED, text);
  }
  if (scope.parent !== undefined && scope.root.calls > maxCallsPerRoot) {
    const text = `Tool ${name} was not run: one root call may make ${maxCallsPerRoot} nested calls (limits.maxCallsPerRoot raises it).`;
    return failure(ErrorCode.CALLS_EXCEEDED, text);
  }
  return undefined;
}

/** A5: hidden, inactive and unknown names read the same; a second text would tell which hidden names exist. */
export function unknownTool(scope: CallScope): Ending {
  const close = scope.session.closeCallableNames(scope.name, scope.reach, 3);
  const hint = close.length === 0 ? "" : ` Close names: ${close.join(", ")}.`;
  return failure(ErrorCode.UNKNOWN_TOOL, `There is no tool ${shownName(scope.name)} that can be called here.${hint}`);
}

export function unnamedTool(scope: CallScope, target: unknown): Ending | undefined {
  if (typeof target === "string" || !scope.name.startsWith("(")) return undefined;
  const text = `There is no tool for ${describeValue(target)}; give the name of a tool, or a tool made by defineTool.`;
  return failure(ErrorCode.UNKNOWN_TOOL, text);
}

export function callerFinished(parent: CallScope, id: string, name: string): ToolCallOutcome {
  const text = `Tool ${shownName(name)} was not called: its caller ${shownName(parent.name)} has finished. Await every call before returning.`;
  return refusedRoot(id, name, ErrorCode.CALLER_FINISHED, text);
}

/** Whether the call may go on with the tool that it found: in scope, in plan mode, by the grants, in this order (E49). */
export function accessRefusal(scope: CallScope): Ending | undefined {
  const { entry, reach, session } = scope;
  if (entry === undefined || !session.canReach(entry, reach)) return unknownTool(scope);
  const refusal = session.refusalOf(entry);
  return refusal === undefined ? undefined : failure(ErrorCode.BLOCKED, refusal);
}

/** Gates fail closed: a session that cannot say what is allowed allows nothing. Why it cannot is told to the host alone. */
export function unreadableAccess(scope: CallScope, error: unknown): Ending {
  const { engine, id, session } = scope;
  const cause = error instanceof NestcallError ? error.cause : error;
  engine.observers.report({ error: cause ?? error, source: "listener", toolCallId: id }, session);
  const text = error instanceof NestcallError ? error.message : "The session cannot say what is allowed.";
  return failure(ErrorCode.HOOK_FAILED, `Tool ${shownName(scope.name)} was not run. ${text}`);
}

export function internalFailure(scope: CallScope, error: unknown): Ending {
  return failure(
    ErrorCode.TOOL_FAILED,
    `The call of tool ${shownName(scope.name)} failed inside the engine: ${thrownText(error)}`,
  );
}

/** The name that a target stands for; a text of its own for what has none. */
export function nameOf(target: unknown): string {
  if (typeof target === "string") return target;
  try {
    const name: unknown = (target as { readonly name?: unknown } | null | undefined)?.name;
    if (typeof target === "object" && typeof name === "string") return name;
  } catch {
    // a getter that throws: the value has no name
  }
  return `(${describeValue(target)})`;
}

/** A name from outside, in quotes and on one line (A30). */
export function shownName(name: string): string {
  return quotedText(name, 128);
}

/** The outcome of a call that never began: no events, no record. */
export function refusedRoot(id: string, name: string, code: ErrorCode, text: string): ToolCallOutcome {
  const { result } = failure(code, text);
  const toolCall = { id, name, arguments: undefined };
  return { toolCall, status: "error", isError: true, error: { code, message: text }, result };
}

export function closedOutcome(id: string, name: string): ToolCallOutcome {
  const text = `Tool ${shownName(name)} was not called: the executor is closed.`;
  return refusedRoot(id, name, ErrorCode.CLOSED, text);
}
