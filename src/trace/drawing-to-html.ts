// A drawing for a page.
import type { DiffDrawing, Drawing, DrawingTone, ImageDrawing, TableDrawing, TreeDrawing } from "../tools/drawing.js";
import { diffLines } from "./diff-lines.js";
import { checkedDrawing, imageText } from "./drawing-to-text.js";
import { harmlessLines } from "./harmless-text.js";
import { DRAWING_STYLE, element, escapeHtml } from "./html-text.js";
import { type MarkdownLine, markdownLines } from "./markdown-lines.js";

export interface DrawingHtmlOptions {
  /** False leaves out the style, for a page that has `DRAWING_STYLE` once, or its own for our classes. Default true. */
  readonly style?: boolean;
}

/**
 * One `<div class="nestcall-drawing">` that stands alone: nothing is loaded from elsewhere, there is no script, no link and
 * no attribute that could run one, and all texts are escaped. Pictures of the usual raster formats are in it as data.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `drawing` is none; the message names the place.
 */
export function drawingToHtml(drawing: Drawing, { style = true }: DrawingHtmlOptions = {}): string {
  const content = htmlOf(checkedDrawing("drawingToHtml", drawing));
  return element("div", "drawing", `${style ? `<style>${DRAWING_STYLE}</style>` : ""}${content}`);
}

function htmlOf(drawing: Drawing): string {
  switch (drawing.type) {
    case "text":
      return element("pre", toneClass(drawing.tone), escapeHtml(drawing.text));
    case "markdown":
      return markdownHtml(drawing.text);
    case "table":
      return tableHtml(drawing);
    case "diff":
      return diffHtml(drawing);
    case "image":
      return imageHtml(drawing);
    case "tree":
      return element("ul", "tree", treeHtml(drawing));
    case "stack":
      return element("div", "stack", drawing.items.map(htmlOf).join(""));
    default:
      return drawing satisfies never;
  }
}

function toneClass(tone: DrawingTone = "plain"): string {
  return tone === "plain" ? "" : tone;
}

function tableHtml({ columns, rows }: TableDrawing): string {
  const row = (name: string, cells: readonly string[]) =>
    element("tr", "", cells.map((cell) => element(name, "", escapeHtml(cell))).join(""));
  const head = columns.some((column) => column !== "") ? element("thead", "", row("th", columns)) : "";
  return element("table", "", `${head}${element("tbody", "", rows.map((cells) => row("td", cells)).join(""))}`);
}

function diffHtml({ text, path }: DiffDrawing): string {
  const lines = diffLines(harmlessLines(text.replace(/\r?\n$/, ""))).map(({ kind, text: own }) =>
    kind === "context" ? escapeHtml(own) : element("span", kind, escapeHtml(own)),
  );
  const title = path === undefined ? "" : element("p", "path", escapeHtml(path));
  return `${title}${element("pre", "diff", lines.join("\n"))}`;
}

const RASTER = /^image\/(?:png|jpeg|gif|webp|avif)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function imageHtml(drawing: ImageDrawing): string {
  const text = escapeHtml(imageText(drawing));
  const { data, mimeType } = drawing;
  if (!RASTER.test(mimeType) || !BASE64.test(data)) return element("pre", "muted", `[${text}]`);
  return `<img src="data:${mimeType};base64,${data}" alt="${text}">`;
}

function treeHtml({ label, tone, children }: TreeDrawing): string {
  const own = element(
    "span",
    `label${tone === undefined || tone === "plain" ? "" : ` nestcall-${tone}`}`,
    escapeHtml(label),
  );
  const below = children.length === 0 ? "" : element("ul", "", children.map(treeHtml).join(""));
  return element("li", "", `${own}${below}`);
}

function markdownHtml(text: string): string {
  const parts: string[] = [];
  let code: string[] = [];
  const endCode = () => {
    if (code.length > 0) parts.push(element("pre", "code", code.join("\n")));
    code = [];
  };
  for (const line of markdownLines(harmlessLines(text))) {
    if (line.kind === "code") code.push(escapeHtml(line.spans.map((span) => span.text).join("")));
    else {
      endCode();
      parts.push(markdownLineHtml(line));
    }
  }
  endCode();
  return element("div", "markdown", parts.join(""));
}

function markdownLineHtml({ kind, indent, marker, spans }: MarkdownLine): string {
  if (kind === "rule") return "<hr>";
  const content = spans
    .map((span) => {
      const text = escapeHtml(span.text);
      return span.kind === "plain" ? text : element(span.kind === "code" ? "code" : "strong", "", text);
    })
    .join("");
  const before = kind === "item" ? `${" ".repeat(indent)}${escapeHtml(marker)} ` : "";
  return element("p", kind === "text" ? "" : kind, `${before}${content}`);
}
