// A drawing for a terminal or a file of text.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { checkDrawing } from "../tools/check-drawing.js";
import type { DiffDrawing, Drawing, DrawingTone, ImageDrawing, MarkdownDrawing } from "../tools/drawing.js";
import { type DiffLine, diffLines } from "./diff-lines.js";
import type { Style } from "./display-cells.js";
import { harmlessLine, harmlessLines } from "./harmless-text.js";
import { type MarkdownLine, markdownLines } from "./markdown-lines.js";
import { paintLines } from "./paint.js";
import { tableLines } from "./table-lines.js";
import { type Line, line, wrapLine } from "./text-layout.js";
import { treeLines } from "./tree-lines.js";

export interface DrawingTextOptions {
  /** Columns; at least 20. `Infinity` breaks no line. Default 80. */
  readonly width?: number;
  /** Whether tones become colours of a terminal. Default false. */
  readonly colors?: boolean;
}

const MIN_WIDTH = 20;

/**
 * Lines of at most `width` columns, with `\n` between them and none at the end. Whatever the texts of the drawing hold,
 * no control character but `\n` is in it, and no escape sequence but the colours that were asked for.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `drawing` is none (the message names the place), or an option is wrong.
 */
export function drawingToText(drawing: Drawing, options: DrawingTextOptions = {}): string {
  const { width = 80, colors = false } = options;
  if (typeof width !== "number" || Number.isNaN(width)) {
    const message = `drawingToText: options.width is a number of columns, not ${describeValue(width)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  return paintLines(linesOf(checkedDrawing("drawingToText", drawing), Math.max(MIN_WIDTH, Math.floor(width))), colors);
}

/** @throws NestcallError `INVALID_ARGUMENTS` when the value is no drawing. */
export function checkedDrawing(where: string, drawing: unknown): Drawing {
  const checked = checkDrawing(drawing);
  if ("drawing" in checked) return checked.drawing;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, `${where} takes a drawing; ${checked.problem}.`);
}

function linesOf(drawing: Drawing, width: number): Line[] {
  switch (drawing.type) {
    case "text":
      return textLines(drawing.text, drawing.tone ?? "plain", width);
    case "markdown":
      return markdownAsLines(drawing, width);
    case "table":
      return tableLines(drawing, width);
    case "diff":
      return diffAsLines(drawing, width);
    case "image":
      return wrapLine(line(`[${imageText(drawing)}]`, "muted"), width);
    case "tree":
      return treeLines(drawing, width);
    case "stack":
      return drawing.items.flatMap((item) => linesOf(item, width));
    default:
      return drawing satisfies never;
  }
}

function textLines(text: string, tone: DrawingTone, width: number): Line[] {
  return harmlessLines(text).flatMap((own) => wrapLine(line(own, tone), width));
}

/** What stands for a picture where none can be drawn. */
export function imageText({ alternative, mimeType, data }: ImageDrawing): string {
  const text = harmlessLine(alternative ?? "");
  return text === "" ? `image ${harmlessLine(mimeType)}, ${Math.floor((data.length * 3) / 4)} bytes` : text;
}

const DIFF_STYLES: Readonly<Record<DiffLine["kind"], Style>> = {
  head: "strong",
  hunk: "accent",
  added: "added",
  removed: "removed",
  context: "plain",
  note: "muted",
};

function diffAsLines({ text, path }: DiffDrawing, width: number): Line[] {
  const lines = diffLines(harmlessLines(text.replace(/\r?\n$/, ""))).flatMap(({ kind, text: own }) =>
    wrapLine(line(own, DIFF_STYLES[kind]), width),
  );
  return path === undefined ? lines : [...wrapLine(line(harmlessLine(path), "strong"), width), ...lines];
}

function markdownAsLines({ text }: MarkdownDrawing, width: number): Line[] {
  return markdownLines(harmlessLines(text)).flatMap((own) => markdownLine(own, width));
}

function markdownLine({ kind, indent, marker, spans }: MarkdownLine, width: number): Line[] {
  if (kind === "rule") return [line("─".repeat(Math.min(width, 40)), "muted")];
  const margin = Math.min(indent, width - MIN_WIDTH + 4);
  const before =
    kind === "item" ? `${" ".repeat(margin)}${marker} ` : kind === "quote" ? "│ " : kind === "code" ? "  " : "";
  const beside = kind === "item" ? " ".repeat(before.length) : before;
  const own: Line = spans.map((span) => ({
    text: span.text,
    style: kind === "heading" || span.kind === "strong" ? "strong" : span.kind === "code" ? "accent" : "plain",
  }));
  return wrapLine(own, width - before.length).map((part, index) =>
    before === "" ? part : [{ text: index === 0 ? before : beside, style: "muted" }, ...part],
  );
}
