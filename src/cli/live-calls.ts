// The state of running calls, from events alone, as a live tree shows it. Events tell that a wait begins, never that it ends: it
// is over when the holder has ended, when a place has become free, when a person has answered, or when the call itself goes on.
import { safeLine } from "../errors/safe-text.js";
import { shortenText } from "../errors/text.js";
import type {
  ToolExecutionEndEvent,
  ToolExecutionEvent,
  ToolExecutionStartEvent,
  ToolExecutionWaitEvent,
} from "../executor/tool-execution-event.js";
import { textOfContent } from "../tools/tool-result.js";
import { placesBelow, waitWords } from "../trace/wait-words.js";

export interface LiveCall {
  readonly id: string;
  /** Name and arguments. */
  readonly call: string;
  readonly parent: LiveCall | undefined;
  readonly children: LiveCall[];
  /** Calls below it, at any depth. */
  below: number;
  /** How it stands. */
  state: string;
  tone: "accent" | "success" | "error" | "warning";
  wait: ToolExecutionWaitEvent | undefined;
}

const MAX_ARGUMENT_CHARS = 200;
const MAX_TEXT_CHARS = 160;
const RUNS = "…";
const TONES = { ok: "success", error: "error", aborted: "warning" } as const;

/** Short names of calls: `T`, and `T/2` for its second call; the next root call is `T2`. */
export class LivePlaces {
  readonly #roots = new Map<string, string>();
  readonly of = placesBelow(this.#roots);

  hear({ type, depth, toolCallId }: ToolExecutionEvent): void {
    if (type !== "tool_execution_start" || depth > 0) return;
    this.#roots.set(toolCallId, this.#roots.size === 0 ? "T" : `T${this.#roots.size + 1}`);
  }
}

export class LiveCalls {
  readonly places = new LivePlaces();
  readonly roots: LiveCall[] = [];
  readonly #open = new Map<string, LiveCall>();
  /** Those that wait, the first to wait first. */
  readonly #waiting = new Set<LiveCall>();

  /** Whether anything is shown differently now. */
  hear(event: ToolExecutionEvent): boolean {
    this.places.hear(event);
    if (event.type === "tool_execution_start") this.#begin(event);
    const call = this.#open.get(event.toolCallId);
    if (call === undefined) return false;
    if (event.type === "tool_execution_wait") this.#wait(call, event);
    if (event.type === "tool_execution_update") {
      this.#goOn(call);
      call.state = firstLine(event.partialResult.content) || call.state;
    }
    if (event.type === "tool_execution_end") this.#end(call, event);
    return true;
  }

  /** Somebody has answered: whoever was asked first waits no longer. */
  answered(): void {
    this.#goOnFirst(({ wait }) => wait?.reason === "approval");
  }

  #begin(event: ToolExecutionStartEvent): void {
    const { toolCallId: id, parentToolCallId } = event;
    const parent = parentToolCallId === undefined ? undefined : this.#open.get(parentToolCallId);
    const call: LiveCall = {
      id,
      call: callOf(event),
      parent,
      children: [],
      below: 0,
      state: RUNS,
      tone: "accent",
      wait: undefined,
    };
    this.#open.set(id, call);
    (parent?.children ?? this.roots).push(call);
    for (let above = parent; above !== undefined; above = above.parent) above.below += 1;
  }

  #wait(call: LiveCall, wait: ToolExecutionWaitEvent): void {
    this.#waiting.delete(call); // a new wait stands behind those that are there
    this.#waiting.add(call);
    call.wait = wait;
    call.state = `waits ${waitWords(wait, this.places.of)}`;
    call.tone = "warning";
  }

  #end(call: LiveCall, event: ToolExecutionEndEvent): void {
    const hadPlace = call.wait?.reason !== "concurrency";
    this.#goOn(call);
    this.#open.delete(call.id);
    call.state = endWords(event);
    call.tone = TONES[event.status];
    if (this.#waiting.size === 0) return;
    for (const other of this.#waiting) if (other.wait?.heldBy === call.id) this.#goOn(other);
    // Calls of one caller take turns in the order in which they came.
    if (hadPlace) this.#goOnFirst(({ wait, parent }) => wait?.reason === "concurrency" && parent === call.parent);
  }

  #goOnFirst(fits: (call: LiveCall) => boolean): void {
    for (const call of this.#waiting) {
      if (!fits(call)) continue;
      this.#goOn(call);
      return;
    }
  }

  #goOn(call: LiveCall): void {
    if (call.wait === undefined) return;
    this.#waiting.delete(call);
    call.wait = undefined;
    call.state = RUNS;
    call.tone = "accent";
  }
}

function callOf({ toolName, depth, arguments: args }: ToolExecutionStartEvent): string {
  if (depth === 0 && toolName === "codemode") return toolName; // whoever runs a script has it before him
  const text = JSON.stringify(args) ?? "";
  return safeLine(text === "" || text === "{}" ? toolName : `${toolName} ${shortenText(text, MAX_ARGUMENT_CHARS)}`);
}

/** `ok 12 ms`, `error: what went wrong`. */
export function endWords({ status, durationMs, result }: ToolExecutionEndEvent): string {
  const time = durationMs === undefined ? status : `${status} ${Math.round(durationMs)} ms`;
  const text = status === "ok" ? "" : firstLine(result.content);
  return text === "" ? time : `${time}: ${text}`;
}

function firstLine(content: unknown): string {
  const text = Array.isArray(content) ? textOfContent(content) : "";
  return safeLine(shortenText(text.trimStart().split("\n", 1)[0] ?? "", MAX_TEXT_CHARS));
}
