// One root call with all below it, while its events are read.
import type { TraceCall } from "../trace.js";
import type { TraceEndEvent, TraceEvent, TraceStartEvent } from "../trace-event.js";
import { CallDraft } from "./call-draft.js";
import { EventClock } from "./event-clock.js";

export class RootRun {
  readonly #rootId: string;
  readonly #clock = new EventClock();
  /** Parents before their children, else in the order of their starts. */
  readonly #drafts: CallDraft[] = [];
  readonly #byId = new Map<string, CallDraft>();

  constructor(rootId: string) {
    this.#rootId = rootId;
  }

  get startMs(): number {
    return this.#drafts[0]?.startMs ?? Number.POSITIVE_INFINITY;
  }

  read(event: Exclude<TraceEvent, { readonly type: "trace_dropped" }>): void {
    switch (event.type) {
      case "tool_execution_start":
        this.#start(event);
        break;
      case "tool_execution_end":
        this.#end(event);
        break;
      case "tool_execution_wait": {
        const atMs = this.#clock.at(event.timestamp);
        this.#callOf(event).addWait(event, atMs);
        break;
      }
      case "tool_execution_update":
        this.#clock.at(event.timestamp);
        this.#callOf(event).addUpdate(event);
        break;
      default:
        event satisfies never;
    }
  }

  /** Adds its calls behind those that are there. */
  addTo(calls: TraceCall[], zeroMs: number): void {
    const indexes = new Map<CallDraft, number>();
    for (const draft of this.#drafts) {
      const { parent } = draft;
      indexes.set(draft, calls.length);
      const lastMs = parent?.endMs ?? this.#clock.nowMs;
      calls.push(draft.toCall(calls.length, parent === undefined ? undefined : indexes.get(parent), lastMs, zeroMs));
    }
  }

  #start(event: TraceStartEvent): void {
    const { toolCallId, parentToolCallId, depth, timestamp } = event;
    const startMs = this.#clock.at(timestamp);
    const parent = depth === 0 ? undefined : this.#known(parentToolCallId ?? this.#parentId(toolCallId), depth - 1);
    this.#add(new CallDraft(toolCallId, parent, startMs, event));
  }

  #end(event: TraceEndEvent): void {
    const { durationMs = 0, timestamp } = event;
    const isKnown = this.#byId.has(event.toolCallId);
    // When the stream began too late for its start, it began at least as long ago as it ran.
    const draft = this.#callOf(event, timestamp - durationMs);
    draft.end(event, this.#clock.at(timestamp, isKnown ? draft.startMs + durationMs : timestamp));
  }

  #add(draft: CallDraft): CallDraft {
    this.#drafts.push(draft);
    this.#byId.set(draft.id, draft);
    return draft;
  }

  #callOf(event: Exclude<TraceEvent, { readonly type: "trace_dropped" }>, startMs?: number): CallDraft {
    const draft = this.#known(event.toolCallId, event.depth, startMs);
    draft.name ??= event.toolName;
    return draft;
  }

  /** The call of this id; one of which nothing is known when the stream does not tell of its start. */
  #known(id: string, depth: number, startMs = this.#clock.nowMs): CallDraft {
    const missing: string[] = [];
    let known = this.#byId.get(id);
    for (let above = id; known === undefined; ) {
      missing.push(above);
      if (missing.length > depth || above === this.#rootId) break;
      above = this.#parentId(above);
      known = this.#byId.get(above);
    }
    for (let at = missing.length - 1; at >= 0; at -= 1) {
      known = this.#add(new CallDraft(missing[at] ?? id, known, startMs));
    }
    return known ?? this.#add(new CallDraft(id, undefined, startMs));
  }

  #parentId(id: string): string {
    const end = id.lastIndexOf("/");
    return end > 0 ? id.slice(0, end) : this.#rootId;
  }
}
