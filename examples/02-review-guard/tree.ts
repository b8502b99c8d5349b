// Draws the running calls on a stream: call, id, status and time, below the call that made them, from the executor's
// events alone. A terminal gets a tree that is drawn anew in place; anything else gets plain lines, one when a call starts
// and ends. What a call is given and says is text from outside: `drawingToText` takes away what a terminal would obey.
import type { createExecutor, ToolExecutionEvent } from "nestcall";
import { drawingToText } from "nestcall/trace";
import { cutText } from "./cut-text.js";

interface Node {
  readonly type: "tree";
  readonly depth: number;
  /** What was called; the rest of the label says how it ended. */
  readonly call: string;
  label: string;
  tone: (typeof TONES)[keyof typeof TONES];
  readonly children: Node[];
}

export interface TreeOptions {
  readonly stream: NodeJS.WriteStream;
  /** Whether a guard refused the call. */
  readonly isBlocked: (toolCallId: string) => boolean;
}

const TONES = { running: "accent", ok: "success", error: "error", aborted: "warning", blocked: "warning" } as const;

/** Returns a function that stops drawing. */
export function drawTree(executor: ReturnType<typeof createExecutor>, { stream, isBlocked }: TreeOptions): () => void {
  const inPlace = stream.isTTY && process.env.TERM !== "dumb";
  const colors = inPlace && (process.env.NO_COLOR ?? "") === "";
  const roots: Node[] = [];
  const nodes = new Map<string, Node>();
  let drawnLines = 0;

  const redraw = () => {
    const width = (stream.columns || 80) - 1;
    const text = drawingToText({ type: "stack", items: roots }, { width, colors });
    const lines = text.split("\n").slice(-Math.max(1, (stream.rows || 24) - 1));
    stream.write(`${drawnLines > 0 ? `\u001b[${drawnLines}A\u001b[J` : ""}${lines.join("\n")}\n`);
    drawnLines = lines.length;
  };
  return executor.subscribe((event) => {
    if (event.type === "tool_execution_update") return;
    const node = nodes.get(event.toolCallId) ?? nodeOf(event);
    if (event.type === "tool_execution_start") {
      nodes.set(event.toolCallId, node);
      (nodes.get(event.parentToolCallId ?? "")?.children ?? roots).push(node);
    } else settle(node, event, isBlocked(event.toolCallId));
    if (inPlace) redraw();
    else stream.write(`${drawingToText(lineOf(node), { width: Number.POSITIVE_INFINITY })}\n`);
  });
}

function nodeOf(event: ToolExecutionEvent): Node {
  const { toolName, toolCallId, depth } = event;
  const args = event.type === "tool_execution_start" ? (JSON.stringify(event.arguments) ?? "") : "";
  const call = [toolName, toolCallId, ...(args === "{}" ? [] : [cutText(args, 60)])].join("  ");
  return { type: "tree", depth, call, label: `${call}  running`, tone: TONES.running, children: [] };
}

function settle(node: Node, event: Extract<ToolExecutionEvent, { type: "tool_execution_end" }>, blocked: boolean) {
  const status = blocked ? "blocked" : event.status;
  const time = event.durationMs === undefined ? [] : [`${Math.round(event.durationMs)} ms`];
  const text = event.status === "ok" ? undefined : event.result.content.find((block) => block.type === "text");
  const note = text?.type === "text" ? [text.text.split("\n")[0] ?? ""] : [];
  node.label = [node.call, status, ...time, ...note].join("  ");
  node.tone = TONES[status];
}

function lineOf({ label, depth }: Node) {
  return { type: "text", text: `${"  ".repeat(depth)}${label}` } as const;
}
