// C1, C3: each call of a script is a nested call of the engine, and an approval is a call that settles late.
import { callForScript, type ScriptCall as EngineCall } from "../../executor/script-call.js";
import { resolveHints } from "../../tools/annotations.js";
import type { Tool, ToolContext } from "../../tools/tool.js";
import { ToolError, valueOfOutcome } from "./outcome-value.js";

/** A recorded call of which nobody knows whether it ran, as the host is asked about it. */
export interface InDoubtCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
}
/** Whether a call in doubt may be made again. Only `true` is consent. */
export type ConfirmInDoubt = (call: InDoubtCall) => boolean | Promise<boolean>;

export interface CallMaker {
  readonly ctx: ToolContext;
  readonly findTool: (name: string) => Tool | undefined;
  readonly confirmInDoubt: ConfirmInDoubt | undefined;
}
/** What a runtime says of a call. */
export interface MadeCall {
  readonly id: number;
  readonly signal: AbortSignal;
  readonly inDoubt?: boolean | undefined;
  /** Stops the run's wall clock until the function that it gives is called. */
  readonly pauseWall?: (() => () => void) | undefined;
}

/** Makes one call of the script; resolves to the script's value, rejects with its error. */
export async function makeCall(maker: CallMaker, name: string, args: unknown, made: MadeCall): Promise<unknown> {
  if (made.inDoubt === true) await allowInDoubt(maker, name, args, made);
  const wall = new WallPauses(made.pauseWall);
  const { id: number, signal } = made;
  const call: EngineCall = { name, args, number, signal, onApprovalWait: (isWaiting) => wall.note(isWaiting) };
  try {
    const outcome = await callForScript(maker.ctx, call);
    return valueOfOutcome(outcome, maker.findTool(name)?.outputSchema !== undefined);
  } finally {
    wall.end();
  }
}

/** 7.1: a call that may have run is made again if that does no harm, or if the host says so. */
async function allowInDoubt(maker: CallMaker, name: string, args: unknown, { id, signal }: MadeCall): Promise<void> {
  const { idempotentHint, readOnlyHint } = resolveHints(maker.findTool(name)?.annotations ?? {});
  if (idempotentHint || readOnlyHint) return;
  const toolCallId = `${maker.ctx.toolCallId}/${id}`;
  const isAllowed = await maker.confirmInDoubt?.({ toolCallId, toolName: name, arguments: args, signal });
  if (isAllowed === true) return;
  const message =
    `Call ${toolCallId} of tool "${name}" was under way when the script was interrupted. ` +
    "It may have taken effect, so it was not made again; check before you repeat it.";
  throw new ToolError(message, "IN_DOUBT");
}

/** The pauses of one call: several of the calls below it may wait for a person at once. */
class WallPauses {
  readonly #pause: (() => () => void) | undefined;
  #waiting = 0;
  #resume: (() => void) | undefined;

  constructor(pause: (() => () => void) | undefined) {
    this.#pause = pause;
  }

  note(isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    if (this.#waiting > 0) this.#resume ??= this.#pause?.();
    else this.end();
  }

  end(): void {
    this.#resume?.();
    this.#resume = undefined;
  }
}
