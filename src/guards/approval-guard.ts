// A person, or whoever speaks for one, is asked before a call that may do harm (MCP's hints, with MCP's defaults).
import { abortable } from "abort-controller-x";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { ToolCallHook, ToolCallHookEvent } from "../executor/hook.js";
import { resolveHints } from "../tools/annotations.js";
import type { Tool } from "../tools/tool.js";

/** What is asked about. */
export interface ApprovalRequest {
  readonly toolCallId: string;
  readonly parentToolCallId: string | undefined;
  readonly toolName: string;
  readonly tool: Tool;
  /** As they would run, with the patches of the hooks registered before the guard. */
  readonly arguments: unknown;
  /** Aborts when the call does; the answer does not matter any more then. */
  readonly signal: AbortSignal;
}

export interface ApprovalGuardOptions {
  /** Only `true` is consent. What it throws blocks the call. Without it, calls that need approval are blocked. */
  readonly confirm?: ((request: ApprovalRequest) => boolean | undefined | Promise<boolean | undefined>) | undefined;
  /** Whether a call needs approval; default: `needsApproval(tool)`. */
  readonly needsApproval?: ((event: ToolCallHookEvent) => boolean) | undefined;
}

/**
 * Whether a tool needs approval by what it claims of itself: it is destructive, or it is not read-only and may be
 * destructive or reach an open world. Hints are claims of the author; a missing one has MCP's default.
 */
export function needsApproval(tool: Pick<Tool, "annotations">): boolean {
  if (typeof tool !== "object" || tool === null) throw wrong("the tool of needsApproval", tool, "a tool");
  if (tool.annotations?.destructiveHint === true) return true;
  const { readOnlyHint, destructiveHint, openWorldHint } = resolveHints(tool.annotations ?? {});
  return !readOnlyHint && (destructiveHint || openWorldHint);
}

/**
 * A `tool_call` hook that asks `confirm` once for each call that needs approval, at every depth. Register it after hooks
 * that change arguments: it shows what it sees, and handlers run in the order of registration.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for an option that is no function.
 */
export function approvalGuard(options: ApprovalGuardOptions = {}): ToolCallHook {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const { confirm, needsApproval: decide = ({ tool }: ToolCallHookEvent) => needsApproval(tool) } = options;
  for (const [name, value] of Object.entries({ confirm, needsApproval: decide })) {
    if (value !== undefined && typeof value !== "function") throw wrong(`options.${name}`, value, "a function");
  }
  return async (event) => {
    if (!decide(event)) return undefined;
    const { toolName } = event;
    if (confirm === undefined) {
      return { block: true, reason: `${toolName} requires approval, but no UI is available` };
    }
    const isApproved = await askPerson(event, confirm);
    return isApproved === true ? undefined : { block: true, reason: `${toolName} was not approved` };
  };
}

/** Shows a call to whoever decides about it, and waits for the answer; an aborted call does not. */
export function askPerson<T>(event: ToolCallHookEvent, ask: (request: ApprovalRequest) => T | Promise<T>): Promise<T> {
  const { toolCallId, parentToolCallId, toolName, tool, input, signal } = event;
  event.reportWait("approval");
  const request = { toolCallId, parentToolCallId, toolName, tool, arguments: structuredClone(input), signal };
  // An aborted call has settled already; its hook must not hang on a person who never answers.
  return abortable(signal, Promise.resolve(ask(request)));
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `approvalGuard: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
