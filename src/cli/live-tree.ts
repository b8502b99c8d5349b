// The running calls on stderr, from the executor's events alone. A terminal gets a tree that is drawn anew in place; anything
// else gets plain lines, one for each call that ends or begins to wait. Texts come from outside and are made harmless.
import { safeLine } from "../errors/safe-text.js";
import type { Executor } from "../executor/create-executor.js";
import type { ToolExecutionEvent } from "../executor/tool-execution-event.js";
import type { TreeDrawing } from "../tools/drawing.js";
import { drawingToText } from "../trace/drawing-to-text.js";
import { cutToWidth, line, widthOfLine } from "../trace/text-layout.js";
import { BRANCH_COLUMNS } from "../trace/tree-lines.js";
import { waitWords } from "../trace/wait-words.js";
import { endWords, type LiveCall, LiveCalls, LivePlaces } from "./live-calls.js";
import { hasColors } from "./output.js";

/** A terminal is drawn anew so often at most. */
const FRAME_MS = 80;
/** Of the calls of one caller the latest are drawn, and of a deep tree the upper levels; the others are counted. */
const MAX_CHILDREN = 12;
const MAX_LEVELS = 6;
/** What is left of a call when how it stands is long. */
const MIN_CALL = 24;

export interface LiveTree {
  /** Takes the drawing away while somebody is asked; returns a function that goes on once there is an answer. */
  pause(): () => void;
  /** Draws the last state and stops. */
  stop(): void;
}

export interface LiveTreeOptions {
  readonly stream?: NodeJS.WriteStream;
  /** Whether somebody is really asked; else a wait for approval is none. Default false. */
  readonly isAsking?: boolean;
}

export function drawLiveTree(executor: Pick<Executor, "on" | "subscribe">, options: LiveTreeOptions = {}): LiveTree {
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
  readonly #places = new LivePlaces();

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  hear(event: ToolExecutionEvent): void {
    this.#places.hear(event);
    if (event.type !== "tool_execution_end" && event.type !== "tool_execution_wait") return;
    const placeOf = this.#places.of;
    const state = event.type === "tool_execution_end" ? endWords(event) : `waits ${waitWords(event, placeOf)}`;
    this.#stream.write(`${placeOf(event.toolCallId)} ${safeLine(event.toolName)} … ${state}\n`);
  }

  pause(): () => void {
    return () => {};
  }

  stop(): void {}
}

class MovingTree {
  readonly #stream: NodeJS.WriteStream;
  readonly #calls = new LiveCalls();
  #drawnLines = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  hear(event: ToolExecutionEvent): void {
    if (this.#calls.hear(event)) this.#plan();
  }

  pause(): () => void {
    this.#draw();
    this.#drawnLines = 0; // what was drawn stays where it is, above the question
    this.#pauses += 1;
    return () => {
      this.#pauses -= 1;
      this.#calls.answered();
      this.#plan();
    };
  }

  stop(): void {
    this.#draw();
    clearTimeout(this.#timer);
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { roots } = this.#calls;
    if (this.#pauses > 0 || roots.length === 0) return;
    const width = Math.max(20, (this.#stream.columns || 80) - 1);
    const items = roots.slice(-MAX_CHILDREN).map((call) => this.#drawing(call, 0, width));
    const text = drawingToText({ type: "stack", items }, { width, colors: hasColors(this.#stream) });
    const lines = text.split("\n").slice(-Math.max(1, (this.#stream.rows || 24) - 2));
    const back = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A\u001b[J` : "";
    this.#stream.write(`${back}${lines.join("\n")}\n`);
    this.#drawnLines = lines.length;
  }

  #drawing(call: LiveCall, level: number, width: number): TreeDrawing {
    const { tone, children, below } = call;
    const label = this.#label(call, width - level * BRANCH_COLUMNS);
    if (level === MAX_LEVELS)
      return { type: "tree", label, tone, children: below === 0 ? [] : [counted(below, "below")] };
    const shown = children.slice(-MAX_CHILDREN).map((child) => this.#drawing(child, level + 1, width));
    const rest = children.length - shown.length;
    return { type: "tree", label, tone, children: rest === 0 ? shown : [counted(rest, "earlier"), ...shown] };
  }

  /** On one line, so that how the call stands is always there. Whoever is waited for is named as the others name it. */
  #label({ id, call, state }: LiveCall, width: number): string {
    const named = `${this.#calls.places.of(id)} ${call}`;
    const room = Math.max(MIN_CALL, width - widthOfLine(line(state)) - 2);
    return cutToWidth(`${cutToWidth(named, room)}  ${state}`, width);
  }
}

function counted(calls: number, where: "below" | "earlier"): TreeDrawing {
  const plural = calls === 1 ? "call" : "calls";
  const label = where === "below" ? `… ${calls} ${plural} below` : `… ${calls} earlier ${plural}`;
  return { type: "tree", label, tone: "muted", children: [] };
}
