// C1: how a tool that runs scripts makes a script's calls. They are nested calls like any other; hooks see that a script
// made them, and their numbers are those that the script took.
import type { ToolCallOutcome, ToolContext } from "../tools/tool.js";

export interface ScriptCall {
  readonly name: string;
  readonly args: unknown;
  /** The n of `<parent id>/<n>`. Each is given once; they may begin above 1 when a script is resumed. */
  readonly number: number;
  readonly signal: AbortSignal;
  /** Hears when the call, or one below it, begins and ends to wait for a person. */
  readonly onApprovalWait?: ((isWaiting: boolean) => void) | undefined;
}

/** A method of the engine's own contexts. Registered, so that it is also found between two copies of the package. */
export const CALL_FOR_SCRIPT: unique symbol = Symbol.for("nestcall.callForScript") as never;

/** Makes the call; resolves to an outcome, whatever happens. A context that somebody wrapped gives ordinary nested calls. */
export function callForScript(ctx: ToolContext, call: ScriptCall): Promise<ToolCallOutcome> {
  const own = ctx as { readonly [CALL_FOR_SCRIPT]?: (call: ScriptCall) => Promise<ToolCallOutcome> };
  return own[CALL_FOR_SCRIPT]?.(call) ?? ctx.executeTool(call.name, call.args, { signal: call.signal });
}
