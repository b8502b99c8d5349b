// C1: how a tool that runs scripts makes a script's calls. They are nested calls like any other; hooks see that a script
// made them, and their numbers are those that the script took.
import type { ToolCallOutcome, ToolContext } from "../tools/tool.js";
import { RunningToolContext } from "./tool-context.js";

export interface ScriptCall {
  readonly name: string;
  readonly args: unknown;
  /** The n of `<parent id>/<n>`. Each is given once; they may begin above 1 when a script is resumed. */
  readonly number: number;
  readonly signal: AbortSignal;
  /** Hears when the call, or one below it, begins and ends to wait for a person. */
  readonly onApprovalWait?: ((isWaiting: boolean) => void) | undefined;
}

/** Makes the call; resolves to an outcome, whatever happens. A context that somebody wrapped gives ordinary nested calls. */
export function callForScript(ctx: ToolContext, call: ScriptCall): Promise<ToolCallOutcome> {
  return RunningToolContext.callForScript(ctx, call) ?? ctx.executeTool(call.name, call.args, { signal: call.signal });
}
