// C1, C3: each call of a script is a nested call of the engine, and an approval is a call that settles late.
import { callForScript, type ScriptCall as EngineCall } from "../../executor/script-call.js";
import { resolveHints } from "../../tools/annotations.js";
import type { Tool, ToolContext } from "../../tools/tool.js";
import type { ToolSession } from "../../tools/tool-session.js";
import type { CodemodeCallContext } from "../run-types.js";
import { ToolError, valueOfOutcome } from "./outcome-value.js";

/** A recorded call of which nobody knows whether it ran, as the host is asked about it. */
export interface InDoubtCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** Whose script makes the call. */
  readonly session: ToolSession;
  readonly signal: AbortSignal;
}
/** Whether a call in doubt may be made again. Only `true` is consent. */
export type ConfirmInDoubt = (call: InDoubtCall) => boolean | Promise<boolean>;

export interface CallMaker {
  readonly ctx: ToolContext;
  readonly findTool: (name: string) => Tool | undefined;
  readonly confirmInDoubt: ConfirmInDoubt | undefined;
}
/** Makes one call of the script; resolves to the script's value, rejects with its error. */
export async function makeCall(
  maker: CallMaker,
  name: string,
  args: unknown,
  made: CodemodeCallContext,
): Promise<unknown> {
  if (made.inDoubt === true) await allowInDoubt(maker, name, args, made);
  const approvals = new ApprovalWaits(made);
  const { id: number, signal } = made;
  const call: EngineCall = { name, args, number, signal, onApprovalWait: (isWaiting) => approvals.note(isWaiting) };
  try {
    const outcome = await callForScript(maker.ctx, call);
    return valueOfOutcome(outcome, maker.findTool(name)?.outputSchema !== undefined);
  } finally {
    approvals.end();
  }
}

/** 7.1: a call that may have run is made again if that does no harm, or if the host says so. */
async function allowInDoubt(
  maker: CallMaker,
  name: string,
  args: unknown,
  { id, signal }: CodemodeCallContext,
): Promise<void> {
  const { idempotentHint, readOnlyHint } = resolveHints(maker.findTool(name)?.annotations ?? {});
  if (idempotentHint || readOnlyHint) return;
  const toolCallId = `${maker.ctx.toolCallId}/${id}`;
  const { session } = maker.ctx;
  const call: InDoubtCall = { toolCallId, toolName: name, arguments: args, session, signal };
  const isAllowed = await maker.confirmInDoubt?.(call);
  if (isAllowed === true) return;
  const message =
    `Call ${toolCallId} of tool "${name}" was under way when the script was interrupted. ` +
    "It may have taken effect, so it was not made again; check before you repeat it.";
  throw new ToolError(message, "IN_DOUBT");
}

/** The waits of one call: several of the calls below it may wait for a person at once. */
class ApprovalWaits {
  readonly #call: Pick<CodemodeCallContext, "onApprovalWait">;
  #waiting = 0;

  constructor(call: Pick<CodemodeCallContext, "onApprovalWait">) {
    this.#call = call;
  }

  note(isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    if (isWaiting ? this.#waiting === 1 : this.#waiting === 0) this.#call.onApprovalWait(isWaiting);
  }

  /** The call is over; a guard that was left behind says nothing any more. */
  end(): void {
    if (this.#waiting > 0) this.#call.onApprovalWait(false);
    this.#waiting = 0;
  }
}
