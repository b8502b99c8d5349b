// Lines of a terminal, no wider than they may be.
import { type Cell, cellsOf, type Span, type Style } from "./display-cells.js";

export type Line = readonly Span[];

export function line(text: string, style: Style = "plain"): Line {
  return text === "" ? [] : [{ text, style }];
}

/** Breaks a line at blanks where that is possible, else between two characters. A line that fits stays as it is. */
export function wrapLine(spans: Line, width: number, widthOfOthers = width): Line[] {
  if (isPlainAndFits(spans, width)) return [spans];
  const cells = cellsOf(spans);
  const lines: Line[] = [];
  let start = 0;
  while (start < cells.length) {
    const full = endOfRow(cells, start, lines.length === 0 ? width : widthOfOthers);
    const end = full === cells.length ? full : breakBefore(cells, start, full);
    lines.push(spansOf(cells, start, end));
    start = end;
    while (end < cells.length && cells[start]?.text === " ") start += 1; // the blanks that the break stands for
  }
  return lines.length === 0 ? [[]] : lines;
}

/** The beginning of a line, with an ellipsis when that is not all. */
export function cutLine(spans: Line, width: number): Line {
  if (isPlainAndFits(spans, width)) return spans;
  const cells = cellsOf(spans);
  if (endOfRow(cells, 0, width) === cells.length) return spansOf(cells, 0, cells.length);
  const end = endOfRow(cells, 0, width - 1);
  return [...spansOf(cells, 0, end), { text: "…", style: cells[0]?.style ?? "plain" }];
}

/** The beginning of a text of one line; see `cutLine`. */
export function cutToWidth(text: string, width: number): string {
  return cutLine(line(text), width)
    .map((span) => span.text)
    .join("");
}

/** The columns of a line. */
export function widthOfLine(spans: Line): number {
  let width = 0;
  for (const { text } of spans) {
    if (!PRINTABLE_ASCII.test(text)) return cellsOf(spans).reduce((sum, cell) => sum + cell.width, 0);
    width += text.length;
  }
  return width;
}

/** The line with blanks behind it, up to this width. */
export function padLine(spans: Line, width: number): Line {
  const missing = width - widthOfLine(spans);
  return missing <= 0 ? spans : [...spans, { text: " ".repeat(missing), style: "plain" }];
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

function isPlainAndFits(spans: Line, width: number): boolean {
  let sum = 0;
  for (const { text } of spans) {
    sum += text.length;
    if (sum > width || !PRINTABLE_ASCII.test(text)) return false;
  }
  return true;
}

/** The first cell from `start` on that no longer fits; at least one always fits. */
function endOfRow(cells: readonly Cell[], start: number, width: number): number {
  let used = 0;
  for (let end = start; end < cells.length; end += 1) {
    used += cells[end]?.width ?? 0;
    if (used > width) return Math.max(end, start + 1);
  }
  return cells.length;
}

/** The last blank up to `full` with something before it in this row, else `full`. */
function breakBefore(cells: readonly Cell[], start: number, full: number): number {
  let end = full;
  while (end > start && cells[end]?.text !== " ") end -= 1;
  let first = start;
  while (first < end && cells[first]?.text === " ") first += 1;
  return first < end ? end : full;
}

function spansOf(cells: readonly Cell[], start: number, end: number): Line {
  const spans: { text: string; style: Style }[] = [];
  for (let index = start; index < end; index += 1) {
    const { text, style } = cells[index] as Cell; // inside the list
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
  }
  return spans;
}
