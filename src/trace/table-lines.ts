// A table in columns: as wide as its cells where that fits, else the wide columns share what is left and their cells are
// wrapped. With no room for columns, each row is a list of names and values.
import type { TableDrawing } from "../tools/drawing.js";
import { harmlessLine, harmlessLines } from "./harmless-text.js";
import { type Line, line, padLine, widthOfLine, wrapLine } from "./text-layout.js";

const GAP = "  ";
const MIN_COLUMN = 6;

export function tableLines({ columns, rows }: TableDrawing, width: number): Line[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  if (count === 0) return [];
  const heads = columnsOf(columns, count).map((cell) => [line(harmlessLine(cell), "strong")]);
  const cells = rows.map((row) => columnsOf(row, count).map((cell) => harmlessLines(cell).map((text) => line(text))));
  const widths = fitWidths(naturalWidths([heads, ...cells]), width - GAP.length * (count - 1));
  if (widths === undefined) return rowsAsLists(heads, cells, width);
  const hasHeads = columns.some((column) => column !== "");
  const rule = widths.map((columnWidth) => [line("─".repeat(columnWidth), "muted")]);
  return [...(hasHeads ? [heads, rule] : []), ...cells].flatMap((row) => rowLines(row, widths));
}

function columnsOf(row: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => row[index] ?? "");
}

function naturalWidths(rows: readonly (readonly (readonly Line[])[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, lines] of row.entries()) {
      for (const own of lines) widths[index] = Math.max(widths[index] ?? 1, widthOfLine(own));
    }
  }
  return widths;
}

/** Widths that add up to `room` at most; `undefined` when the columns would be too narrow to read. */
function fitWidths(natural: readonly number[], room: number): number[] | undefined {
  const widths: number[] = [];
  let left = room;
  // From the narrowest on: what a column does not need, the wider ones share.
  const order = natural.map((wish, index) => ({ wish, index })).toSorted((one, other) => one.wish - other.wish);
  for (const [position, { wish, index }] of order.entries()) {
    const share = Math.floor(left / (order.length - position));
    const own = Math.min(wish, share);
    if (own < wish && own < MIN_COLUMN) return undefined;
    widths[index] = own;
    left -= own;
  }
  return widths;
}

function rowLines(row: readonly (readonly Line[])[], widths: readonly number[]): Line[] {
  const columns = row.map((lines, index) => lines.flatMap((own) => wrapLine(own, widths[index] ?? 1)));
  const height = columns.reduce((most, lines) => Math.max(most, lines.length), 1);
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((lines, index) => {
      const own = lines[at] ?? [];
      if (index === columns.length - 1) return own;
      return [...padLine(own, widths[index] ?? 1), { text: GAP, style: "plain" as const }];
    }),
  );
}

function rowsAsLists(
  heads: readonly (readonly Line[])[],
  rows: readonly (readonly (readonly Line[])[])[],
  width: number,
): Line[] {
  return rows.flatMap((row, rowIndex) => {
    const fields = row.flatMap((lines, index) => {
      const head = heads[index]?.[0] ?? [];
      const [first = [], ...others] = lines;
      const named: Line = head.length === 0 ? first : [...head, { text: ": ", style: "plain" }, ...first];
      return [named, ...others].flatMap((own) => wrapLine(own, width));
    });
    return rowIndex === 0 ? fields : [[], ...fields];
  });
}
