// The running calls on stderr, from the executor's events alone. A terminal gets a tree that is drawn anew in place; anything
// else gets plain lines, one for each call that ends or begins to wait. Texts come from outside and are made harmless.
import { safeLine } from "../errors/safe-text.js";
import { shortenText } from "../errors/text.js";
import type { Executor } from "../executor/create-executor.js";
import type {
  ToolExecutionEndEvent,
  ToolExecutionEvent,
  ToolExecutionStartEvent,
  ToolExecutionWaitEvent,
} from "../executor/tool-execution-event.js";
import { textOfContent } from "../tools/tool-result.js";
import { drawingToText } from "../trace/drawing-to-text.js";
import { hasColors } from "./output.js";

interface Node {
  readonly type: "tree";
  readonly call: string;
  label: string;
  tone: "accent" | "success" | "error" | "warning" | "muted";
  readonly children: Node[];
}

const MAX_ARGUMENT_CHARS = 70;
const MAX_TEXT_CHARS = 160;
/** A terminal is drawn anew so often at most. */
const FRAME_MS = 80;
const MAX_CHILDREN = 12;

export interface LiveTree {
  /** Takes the drawing away while somebody is asked; returns a function that goes on. */
  pause(): () => void;
  /** Draws the last state and stops. */
  stop(): void;
}

export interface LiveTreeOptions {
  readonly stream?: NodeJS.WriteStream;
  /** Whether somebody is really asked; else a wait for approval is none. Default false. */
  readonly isAsking?: boolean;
}

export function drawLiveTree(executor: Executor, options: LiveTreeOptions = {}): LiveTree {
  const { stream = process.stderr, isAsking = false } = options;
  const canDraw = stream.isTTY === true && process.env.TERM !== "dumb";
  const sink = canDraw ? new MovingTree(stream) : new PlainLines(stream);
  const hear = (event: ToolExecutionEvent) => {
    const isNoWait = event.type === "tool_execution_wait" && event.reason === "approval" && !isAsking;
    if (!isNoWait) sink.hear(event);
  };
  const removers = [executor.subscribe(hear), executor.on("tool_execution_wait", hear)];
  return {
    pause: () => sink.pause(),
    stop: () => {
      for (const remove of removers) remove();
      sink.stop();
    },
  };
}

class PlainLines {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  hear(event: ToolExecutionEvent): void {
    if (event.type !== "tool_execution_end" && event.type !== "tool_execution_wait") return;
    const end = event.type === "tool_execution_end" ? endOf(event) : waitOf(event);
    this.#stream.write(`${safeLine(`${placeOf(event)}${event.toolName} … ${end}`)}\n`);
  }

  pause(): () => void {
    return () => {};
  }

  stop(): void {}
}

class MovingTree {
  readonly #stream: NodeJS.WriteStream;
  readonly #roots: Node[] = [];
  readonly #nodes = new Map<string, Node>();
  #drawnLines = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  hear(event: ToolExecutionEvent): void {
    if (event.type === "tool_execution_start") this.#begin(event.toolCallId, event.parentToolCallId, callOf(event));
    const node = this.#nodes.get(event.toolCallId);
    if (node === undefined) return;
    if (event.type === "tool_execution_wait") settle(node, waitOf(event), "warning");
    if (event.type === "tool_execution_update") settle(node, firstLine(event.partialResult.content), "accent");
    if (event.type === "tool_execution_end") {
      settle(node, endOf(event), TONES[event.status]);
      this.#nodes.delete(event.toolCallId);
    }
    this.#timer ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  pause(): () => void {
    this.#draw();
    this.#drawnLines = 0; // what was drawn stays where it is, above the question
    this.#pauses += 1;
    return () => {
      this.#pauses -= 1;
    };
  }

  stop(): void {
    this.#draw();
    clearTimeout(this.#timer);
  }

  #begin(id: string, parentId: string | undefined, call: string): void {
    const node: Node = { type: "tree", call, label: `${call}  …`, tone: "accent", children: [] };
    this.#nodes.set(id, node);
    (this.#nodes.get(parentId ?? "")?.children ?? this.#roots).push(node);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pauses > 0 || this.#roots.length === 0) return;
    const width = Math.max(20, (this.#stream.columns || 80) - 1);
    const items = this.#roots.map(folded);
    const text = drawingToText({ type: "stack", items }, { width, colors: hasColors(this.#stream) });
    const lines = text.split("\n").slice(-Math.max(1, (this.#stream.rows || 24) - 2));
    const back = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A\u001b[J` : "";
    this.#stream.write(`${back}${lines.join("\n")}\n`);
    this.#drawnLines = lines.length;
  }
}

const TONES = { ok: "success", error: "error", aborted: "warning" } as const;

/** Of many calls the latest are drawn, the others are counted. */
function folded(node: Node): Node {
  const shown = node.children.slice(-MAX_CHILDREN).map(folded);
  const rest = node.children.length - shown.length;
  if (rest === 0) return { ...node, children: shown };
  const label = rest === 1 ? "… 1 earlier call" : `… ${rest} earlier calls`;
  return { ...node, children: [{ type: "tree", call: "", label, tone: "muted", children: [] }, ...shown] };
}

function settle(node: Node, end: string, tone: Node["tone"]): void {
  if (end === "") return;
  node.label = `${node.call}  ${safeLine(end)}`;
  node.tone = tone;
}

function callOf({ toolName, depth, arguments: args }: ToolExecutionStartEvent): string {
  if (depth === 0 && toolName === "codemode") return toolName; // whoever runs a script has it before him
  const text = JSON.stringify(args) ?? "";
  return safeLine(text === "" || text === "{}" ? toolName : `${toolName} ${shortenText(text, MAX_ARGUMENT_CHARS)}`);
}

/** `T`, or `T/2` for the second call of the root. */
function placeOf({ toolCallId, depth }: ToolExecutionEvent): string {
  return depth === 0 ? "T " : `T/${toolCallId.split("/").slice(-depth).join("/")} `;
}

function endOf({ status, durationMs, result }: ToolExecutionEndEvent): string {
  const time = durationMs === undefined ? status : `${status} ${Math.round(durationMs)} ms`;
  const text = status === "ok" ? "" : firstLine(result.content);
  return text === "" ? time : `${time}: ${text}`;
}

function waitOf({ reason, heldBy }: ToolExecutionWaitEvent): string {
  return heldBy === undefined ? `waits for ${reason}` : `waits for ${reason}, held by ${heldBy}`;
}

function firstLine(content: unknown): string {
  const text = Array.isArray(content) ? textOfContent(content) : "";
  return shortenText(text.trimStart().split("\n", 1)[0] ?? "", MAX_TEXT_CHARS);
}
