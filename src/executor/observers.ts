// H6: listeners, update callbacks and the reports of their failures. They are called in order, never awaited, and
// nothing they do changes an outcome.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { isThenable } from "../errors/thenable.js";
import { currentLease, runOutsideLeases } from "../mutation-queue/lease-context.js";
import type {
  ObserverErrorEvent,
  ToolExecutionEvent,
  ToolExecutionProgressEvent,
  ToolExecutionWaitEvent,
} from "./tool-execution-event.js";

// biome-ignore lint/suspicious/noConfusingVoidType: a listener may return anything, and most return nothing
type Ignored = unknown | void;
export type ToolExecutionListener = (event: ToolExecutionProgressEvent) => Ignored;
export type ObserverErrorHandler = (event: ObserverErrorEvent) => Ignored;
type AnyListener = (event: never) => Ignored;

export class Observers {
  // Replaced, never changed, so that a listener may come or go while an event is delivered.
  #listeners: readonly ToolExecutionListener[] = [];
  #waitListeners: readonly ((event: ToolExecutionWaitEvent) => Ignored)[] = [];
  #errorHandlers: readonly ObserverErrorHandler[] = [];
  readonly #reported = new WeakSet<object>();

  get isHeard(): boolean {
    return this.#listeners.length > 0;
  }

  get isWaitHeard(): boolean {
    return this.#waitListeners.length > 0;
  }

  subscribe(listener: ToolExecutionListener): () => void {
    checkFunction("subscribe", listener);
    const own: ToolExecutionListener = (event) => listener(event); // one function may subscribe twice
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
    };
  }

  /** Listens to one kind of event. */
  onEvent(type: ToolExecutionEvent["type"], handler: AnyListener): () => void {
    checkFunction(`on("${type}")`, handler);
    const call = handler as (event: ToolExecutionEvent) => Ignored; // it gets events of its type only
    if (type !== "tool_execution_wait")
      return this.subscribe((event) => (event.type === type ? call(event) : undefined));
    const own = (event: ToolExecutionWaitEvent) => call(event);
    this.#waitListeners = [...this.#waitListeners, own];
    return () => {
      this.#waitListeners = this.#waitListeners.filter((other) => other !== own);
    };
  }

  onError(handler: ObserverErrorHandler): () => void {
    checkFunction('on("observer_error")', handler);
    const own: ObserverErrorHandler = (event) => handler(event);
    this.#errorHandlers = [...this.#errorHandlers, own];
    return () => {
      this.#errorHandlers = this.#errorHandlers.filter((other) => other !== own);
    };
  }

  emit(event: ToolExecutionProgressEvent): void {
    for (const listener of this.#listeners) this.call(listener, event, "listener", event.toolCallId);
  }

  emitWait(event: ToolExecutionWaitEvent): void {
    for (const listener of this.#waitListeners) this.call(listener, event, "listener", event.toolCallId);
  }

  /** Calls an observer; what it throws or rejects is reported. */
  call<T>(observer: (value: T) => unknown, value: T, source: ObserverErrorEvent["source"], toolCallId: string): void {
    try {
      const returned = currentLease() === undefined ? observer(value) : runOutsideLeases(() => observer(value));
      if (isThenable(returned)) {
        returned.then(undefined, (error: unknown) => this.report({ error, source, toolCallId }, observer));
      }
    } catch (error) {
      this.report({ error, source, toolCallId }, observer);
    }
  }

  /** Tells the handlers; without one, the console, once for each `origin`. */
  report(event: ObserverErrorEvent, origin: object): void {
    if (this.#errorHandlers.length === 0) {
      if (this.#reported.has(origin)) return;
      this.#reported.add(origin);
      console.error(
        `nestcall: an observer failed (${event.source}, call ${event.toolCallId ?? "unknown"}):`,
        event.error,
      );
      return;
    }
    for (const handler of this.#errorHandlers) {
      try {
        const returned = handler(event);
        if (isThenable(returned)) returned.then(undefined, reportOfReport);
      } catch (error) {
        reportOfReport(error);
      }
    }
  }
}

function reportOfReport(error: unknown): void {
  console.error("nestcall: an observer_error handler failed:", error);
}

function checkFunction(where: string, handler: unknown): void {
  if (typeof handler === "function") return;
  const message = `executor.${where} takes a function; it got ${describeValue(handler)}.`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
