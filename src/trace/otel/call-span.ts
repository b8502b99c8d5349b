// One open call: its span, the context of what happens below it, and how long it has waited. Times are those of
// `performance.now`, since an executor's own clock need not run at the pace of the other spans of the program.
import { type Context, type Span, trace } from "@opentelemetry/api";
import type { ToolExecutionWaitEvent } from "../../executor/tool-execution-event.js";

export type WaitReason = ToolExecutionWaitEvent["reason"];
export interface MeasuredWait {
  readonly reason: WaitReason;
  readonly ms: number;
}

export class CallSpan {
  readonly toolName: string;
  /** Absent when the tracer could not make one; what is below belongs to the caller then. */
  readonly span: Span | undefined;
  readonly startedAt: number;
  /** Another open call with the same id (S2). */
  twin: CallSpan | undefined = undefined;
  /** Somebody waits for what this call holds. */
  isContended = false;
  waitedMs = 0;
  readonly #outer: Context;
  #context: Context | undefined;
  #wait: { readonly reason: WaitReason; readonly since: number } | undefined;

  constructor(toolName: string, outer: Context, span: Span | undefined, startedAt: number) {
    this.toolName = toolName;
    this.#outer = outer;
    this.span = span;
    this.startedAt = startedAt;
  }

  /** Made when somebody asks for it: most calls have nothing below them. */
  get context(): Context {
    this.#context ??= this.span === undefined ? this.#outer : trace.setSpan(this.#outer, this.span);
    return this.#context;
  }

  get isWaiting(): boolean {
    return this.#wait !== undefined;
  }

  /** Gives the wait before, which ends where this one begins. */
  beginWait(reason: WaitReason, now: number): MeasuredWait | undefined {
    const last = this.endWait(now);
    this.#wait = { reason, since: now };
    return last;
  }

  endWait(now: number): MeasuredWait | undefined {
    const wait = this.#wait;
    if (wait === undefined) return undefined;
    this.#wait = undefined;
    const ms = Math.max(0, now - wait.since);
    this.waitedMs += ms;
    return { reason: wait.reason, ms };
  }
}
