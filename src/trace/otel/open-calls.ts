// The open calls of one executor by id, and which of them a running tool belongs to. A call is here from its start to its
// end, so nothing is left after a root call.
import type { Registry } from "../../registry/registry.js";
import { sessionBehind } from "../../registry/session-view.js";
import type { ToolContext } from "../../tools/tool.js";
import type { CallSpan } from "./call-span.js";

export class OpenCalls {
  readonly #calls = new Map<string, CallSpan>();

  /** How many ids are open. */
  get size(): number {
    return this.#calls.size;
  }

  get(toolCallId: string): CallSpan | undefined {
    return this.#calls.get(toolCallId);
  }

  add(toolCallId: string, call: CallSpan): void {
    call.twin = this.#calls.get(toolCallId);
    this.#calls.set(toolCallId, call);
  }

  /**
   * Takes the call out. S2: a host may give two root calls one id, and events do not tell which of two is meant; the name of
   * the tool tells mostly, else it is the one that began last.
   */
  take(toolCallId: string, toolName: string): CallSpan | undefined {
    const last = this.#calls.get(toolCallId);
    if (last === undefined) return undefined;
    if (last.twin === undefined) {
      this.#calls.delete(toolCallId);
      return last;
    }
    let later: CallSpan | undefined;
    let call: CallSpan = last;
    for (; call.toolName !== toolName && call.twin !== undefined; call = call.twin) later = call;
    if (call.toolName !== toolName) return this.#unlink(toolCallId, last, undefined);
    return this.#unlink(toolCallId, call, later);
  }

  /** All of them, which are forgotten here; the innermost of those that began last first. */
  takeAll(): readonly CallSpan[] {
    const calls: CallSpan[] = [];
    for (const last of this.#calls.values()) {
      for (let call: CallSpan | undefined = last; call !== undefined; call = call.twin) calls.push(call);
    }
    this.#calls.clear();
    return calls.toReversed();
  }

  #unlink(toolCallId: string, call: CallSpan, later: CallSpan | undefined): CallSpan {
    if (later !== undefined) later.twin = call.twin;
    else if (call.twin !== undefined) this.#calls.set(toolCallId, call.twin);
    call.twin = undefined;
    return call;
  }
}

/** The instrumentations of an executor, by its registry: that is what a running tool's context leads to. */
const instrumented = new WeakMap<Registry, readonly OpenCalls[]>();

export function noteInstrumented(registry: Registry, calls: OpenCalls): () => void {
  instrumented.set(registry, [calls, ...(instrumented.get(registry) ?? [])]);
  return () => {
    const others = (instrumented.get(registry) ?? []).filter((other) => other !== calls);
    if (others.length > 0) instrumented.set(registry, others);
    else instrumented.delete(registry);
  };
}

/** The call that the context belongs to, as the latest instrumentation has it. */
export function openCallOf({ session, toolCallId }: Pick<ToolContext, "session" | "toolCallId">): CallSpan | undefined {
  const registry = sessionBehind(session)?.registry;
  if (registry === undefined) return undefined;
  for (const calls of instrumented.get(registry) ?? []) {
    const call = calls.get(toolCallId);
    if (call !== undefined) return call;
  }
  return undefined;
}
