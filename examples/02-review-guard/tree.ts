// Draws the running calls on a stream: call, id, status and time, indented by depth, from the executor's events alone.
// A terminal gets a tree that is drawn anew in place; anything else gets plain lines, one when a call starts and ends.
import { styleText } from "node:util";
import type { createExecutor, ToolExecutionEvent } from "nestcall";
import { cutText } from "./cut-text.js";

interface Node {
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly input: string;
  status: "running" | "ok" | "error" | "aborted" | "blocked";
  note: string;
  durationMs?: number;
}

export interface TreeOptions {
  readonly stream: NodeJS.WriteStream;
  /** Whether a guard refused the call. */
  readonly isBlocked: (toolCallId: string) => boolean;
}

const COLOURS = { running: "cyan", ok: "green", error: "red", aborted: "yellow", blocked: "magenta" } as const;

/** Returns a function that stops drawing. */
export function drawTree(executor: ReturnType<typeof createExecutor>, { stream, isBlocked }: TreeOptions): () => void {
  const inPlace = stream.isTTY && process.env.TERM !== "dumb";
  const coloured = inPlace && (process.env.NO_COLOR ?? "") === "";
  const nodes: Node[] = [];
  let drawnLines = 0;

  const redraw = () => {
    const width = Math.max(40, stream.columns || 80) - 1; // a line that wraps would break the counting
    const lines = nodes.slice(-Math.max(1, (stream.rows || 24) - 1)).map((node) => lineOf(node, { width, coloured }));
    stream.write(`${drawnLines > 0 ? `\u001b[${drawnLines}A\u001b[J` : ""}${lines.join("\n")}\n`);
    drawnLines = lines.length;
  };
  const unsubscribe = executor.subscribe((event) => {
    const node = nodeOf(event, nodes);
    if (node === undefined) return;
    if (event.type === "tool_execution_end") settle(node, event, isBlocked(node.id));
    if (inPlace) redraw();
    else stream.write(`${lineOf(node, { width: 200, coloured })}\n`);
  });
  return unsubscribe;
}

/** The node of a start or end event; a new one is put behind the calls of its parent. */
function nodeOf(event: ToolExecutionEvent, nodes: Node[]): Node | undefined {
  if (event.type === "tool_execution_end") return nodes.find((node) => node.id === event.toolCallId);
  if (event.type !== "tool_execution_start") return undefined;
  const args = JSON.stringify(event.arguments) ?? "";
  const input = args === "{}" ? "" : cutText(args, 60);
  const node: Node = {
    id: event.toolCallId,
    name: event.toolName,
    depth: event.depth,
    input,
    status: "running",
    note: "",
  };
  const parent = nodes.findIndex(({ id }) => id === event.parentToolCallId);
  const next = nodes.findIndex(({ depth }, index) => index > parent && depth < event.depth);
  nodes.splice(parent === -1 || next === -1 ? nodes.length : next, 0, node);
  return node;
}

function settle(
  node: Node,
  event: Extract<ToolExecutionEvent, { type: "tool_execution_end" }>,
  blocked: boolean,
): void {
  node.status = blocked ? "blocked" : event.status;
  if (event.durationMs !== undefined) node.durationMs = event.durationMs;
  if (event.status === "ok") return;
  const text = event.result.content.find((block) => block.type === "text");
  node.note = text?.type === "text" ? (text.text.split("\n")[0] ?? "") : "";
}

function lineOf(node: Node, { width, coloured }: { readonly width: number; readonly coloured: boolean }): string {
  const time = node.durationMs === undefined ? "" : `${Math.round(node.durationMs)} ms`;
  const parts = [node.name, node.id, node.input, node.status, time, node.note].filter((part) => part !== "");
  const line = `${"  ".repeat(node.depth)}${parts.join("  ")}`;
  const fitting = line.length <= width ? line : `${line.slice(0, width - 1)}…`;
  if (!coloured) return fitting;
  return fitting.replace(node.status, styleText(COLOURS[node.status], node.status, { validateStream: false }));
}
