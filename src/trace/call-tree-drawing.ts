// The tree of a finished call as a drawing: what was called, as its tools draw it, how it ended and how long it ran.
import { shortenText } from "../errors/text.js";
import { Renderers } from "../registry/renderers.js";
import type { DrawingTone, ToolRenderers, TreeDrawing } from "../tools/drawing.js";
import { type DrawingTextOptions, drawingToText } from "./drawing-to-text.js";
import { countCalls, type FoldedCalls, foldCalls } from "./fold-calls.js";
import { harmlessLine } from "./harmless-text.js";
import { type CallNode, type CallTree, type RecordedCall, recordTree } from "./record-tree.js";
import { cutToWidth } from "./text-layout.js";
import { BRANCH_COLUMNS } from "./tree-lines.js";

/** Who knows how calls are drawn: a registry. */
export interface RendererSource {
  renderersOf(toolName: string): ToolRenderers;
}
export interface CallTreeOptions {
  /** Whose tools and resolvers draw the calls. Without one, a call is its name and its arguments. */
  readonly registry?: RendererSource | undefined;
  /** Columns of a line; a call is cut so that how it ended has its place. Default: as many as it takes. */
  readonly width?: number;
  /** How many levels below the root are drawn, at most 100; what is below them is counted. Default 8. */
  readonly maxDepth?: number;
  /** How many calls of one parent are drawn, at least 4; the others are counted. Default 20. */
  readonly maxCalls?: number;
}

/** A call as it is drawn, of a record or of a trace. */
export interface DrawnCall extends Omit<CallNode, "children"> {
  readonly children: readonly DrawnCall[];
  /** How others name it; only of calls that are named. */
  readonly place?: string;
  /** Lines below it. */
  readonly notes?: readonly string[];
}

/** How calls are drawn. */
export interface CallPage {
  readonly renderers: Renderers;
  readonly width: number;
  readonly maxDepth: number;
  readonly maxCalls: number;
}

const MARKS = { ok: "✓", error: "✗", aborted: "■", unfinished: "…", unknown: "?" } as const;
const TONES: Readonly<Record<CallNode["status"], DrawingTone>> = {
  ok: "plain",
  error: "error",
  aborted: "warning",
  unfinished: "warning",
  unknown: "muted",
};
const MIN_CALL = 16;
const MAX_ERROR_CHARS = 300;
const MAX_CODE_CHARS = 60;

/**
 * Draws a finished call and all it called. Of very deep and very long parts some is counted instead, what went wrong last.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `record` is none.
 */
export function callTreeDrawing(record: RecordedCall | CallTree, options: CallTreeOptions = {}): TreeDrawing {
  const tree = isTree(record) ? record : recordTree(record);
  const drawn = nodeDrawing(tree.root, 0, callPage(options));
  if (tree.dropped === 0) return drawn;
  const note = `${droppedWords(tree.dropped)} the record has no place for`;
  return { ...drawn, children: [...drawn.children, { type: "tree", label: note, tone: "warning", children: [] }] };
}

/**
 * The tree of a finished call for a terminal; see `callTreeDrawing` and `drawingToText`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `record` is none, or an option is wrong.
 */
export function drawCallTree(
  record: RecordedCall | CallTree,
  options: CallTreeOptions & DrawingTextOptions = {},
): string {
  const { width = 80, colors = false } = options;
  return drawingToText(callTreeDrawing(record, { ...options, width }), { width, colors });
}

export function callPage(options: CallTreeOptions): CallPage {
  const { registry, width = Number.POSITIVE_INFINITY, maxDepth = 8, maxCalls = 20 } = options;
  return {
    renderers: new Renderers({ toolOf: (name) => registry?.renderersOf(name) }),
    width,
    maxDepth: Math.min(100, maxDepth),
    maxCalls: Math.max(4, maxCalls),
  };
}

export function droppedWords(dropped: number): string {
  return `… ${dropped.toLocaleString("en-US")} more ${dropped === 1 ? "call" : "calls"} ran that`;
}

function isTree(record: RecordedCall | CallTree): record is CallTree {
  return typeof record === "object" && record !== null && "root" in record;
}

function nodeDrawing(node: DrawnCall, depth: number, page: CallPage): TreeDrawing {
  return {
    type: "tree",
    label: labelOf(node, depth, page),
    tone: TONES[node.status],
    children: depth < page.maxDepth ? callDrawings(node.children, depth + 1, page) : belowNote(node),
  };
}

/** Calls side by side, of one caller or of none. */
export function callDrawings(calls: readonly DrawnCall[], depth: number, page: CallPage): TreeDrawing[] {
  return foldCalls(calls, page.maxCalls).map((shown) =>
    "call" in shown ? nodeDrawing(shown.call, depth, page) : foldedNote(shown.folded, "more"),
  );
}

function belowNote({ children }: DrawnCall): TreeDrawing[] {
  return children.length === 0 ? [] : [foldedNote(countCalls(children), "below")];
}

function foldedNote({ ok, notOk, total }: FoldedCalls, where: "more" | "below"): TreeDrawing {
  const ends = [...(ok > 0 ? [`${ok} ok`] : []), ...(notOk > 0 ? [`${notOk} not ok`] : [])].join(", ");
  const plural = total === 1 ? "call" : "calls";
  const label = where === "more" ? `… ${total} more ${plural}: ${ends}` : `… ${total} ${plural} below: ${ends}`;
  return { type: "tree", label, tone: notOk > 0 ? "warning" : "muted", children: [] };
}

/** `✓ name arguments  ok  12 ms`, and below it the error. */
function labelOf(node: DrawnCall, depth: number, { renderers, width }: CallPage): string {
  const end = endOf(node);
  const mark = node.place === undefined ? MARKS[node.status] : `${MARKS[node.status]} ${node.place}`;
  const room = width - depth * BRANCH_COLUMNS - mark.length - end.length - 3;
  const call = callText(node, renderers);
  const shown = room < MIN_CALL ? call : cutToWidth(call, room);
  const lines = [`${mark} ${shown}  ${end}`, ...(node.notes ?? [])];
  if (node.error !== undefined) lines.push(harmlessLine(shortenText(node.error, MAX_ERROR_CHARS)));
  return lines.join("\n");
}

function endOf({ status, code, durationMs }: DrawnCall): string {
  const end =
    status === "unknown"
      ? "not in the record"
      : status === "error"
        ? shortenText(code ?? status, MAX_CODE_CHARS)
        : status;
  return harmlessLine(durationMs === undefined ? end : `${end}  ${milliseconds(durationMs)}`);
}

export function milliseconds(durationMs: number): string {
  const rounded = durationMs < 10 ? Math.round(durationMs * 10) / 10 : Math.round(durationMs);
  return `${rounded.toLocaleString("en-US")} ms`;
}

/** The call on one line, as the tool draws it. Its name is always there, whatever the tool draws. */
function callText({ id, name, arguments: args, argumentsBytes }: DrawnCall, renderers: Renderers): string {
  if (name === undefined) return harmlessLine(id === "" ? "the root call" : id);
  const own = harmlessLine(name);
  if (args === undefined) {
    const size = argumentsBytes === undefined ? "" : ` of ${argumentsBytes.toLocaleString("en-US")} bytes`;
    return `${own} (arguments${size} not recorded)`;
  }
  const drawing = renderers.of(name).renderCall(args, { toolName: name, toolCallId: id, arguments: args });
  const lines = drawingToText(drawing, { width: Number.POSITIVE_INFINITY }).split("\n");
  const filled = lines.map((text) => text.trim()).filter((text) => text !== "");
  const [first = ""] = filled;
  const drawn = filled.length > 1 ? `${first} …` : first;
  return holdsName(drawn, own) ? drawn : `${own}${drawn === "" ? "" : `: ${drawn}`}`;
}

/** Whether the name stands in the text as a word of its own. */
function holdsName(text: string, name: string): boolean {
  if (name === "") return false; // nothing visible: it would be found at every place, without an end
  const isPartOfName = (char: string | undefined) => char !== undefined && /[\w-]/.test(char);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isPartOfName(text[at - 1]) && !isPartOfName(text[at + name.length])) return true;
  }
  return false;
}
