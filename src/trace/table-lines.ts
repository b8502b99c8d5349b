// A table in columns: as wide as its cells where that fits, else the wide columns share what is left and their cells are
// wrapped. With no room for columns, each row is a list of names and values. The work grows with the cells that are
// there, never with rows times columns: a renderer may give one row of ten thousand cells, and ten thousand rows of one.
import type { TableDrawing } from "../tools/drawing.js";
import { harmlessLine, harmlessLines } from "./harmless-text.js";
import { cutLine, type Line, line, padLine, widthOfLine, wrapLine } from "./text-layout.js";

const GAP = "  ";
const MIN_COLUMN = 6;
/** Where the last column may begin. Without a width that says it, one long cell would pad every row. */
const MAX_INDENT = 1_000;
/** Of a column's name in front of each of its values. */
const MAX_NAME_COLUMNS = 100;

type Row = readonly (readonly Line[])[];

export function tableLines({ columns, rows }: TableDrawing, width: number): Line[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  if (count === 0) return [];
  const heads = columns.map((cell) => [line(harmlessLine(cell), "strong")]);
  const cells = rows.map((row) => row.map((cell) => harmlessLines(cell).map((text) => line(text))));
  const widths = widthsOf(naturalWidths([heads, ...cells], count), width);
  if (widths === undefined) return rowsAsLists(heads, cells, width);
  const hasHeads = columns.some((column) => column !== "");
  const rule = widths.map((columnWidth) => [line("─".repeat(columnWidth), "muted")]);
  return [...(hasHeads ? [heads, rule] : []), ...cells].flatMap((row) => rowLines(row, widths));
}

function naturalWidths(rows: readonly Row[], count: number): number[] {
  const widths = new Array<number>(count).fill(1);
  for (const row of rows) {
    for (const [index, lines] of row.entries()) {
      for (const own of lines) widths[index] = Math.max(widths[index] ?? 1, widthOfLine(own));
    }
  }
  return widths;
}

function widthsOf(natural: readonly number[], width: number): readonly number[] | undefined {
  const gaps = GAP.length * (natural.length - 1);
  if (width <= MAX_INDENT) return fitWidths(natural, width - gaps);
  const indent = natural.slice(0, -1).reduce((sum, own) => sum + own, gaps);
  return indent > MAX_INDENT ? undefined : fitWidths(natural, width - gaps);
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

/** A row has no more cells than it was given. */
function rowLines(row: Row, widths: readonly number[]): Line[] {
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

function rowsAsLists(heads: Row, rows: readonly Row[], width: number): Line[] {
  const names = heads.map(([head = []]) => cutLine(head, Math.min(width, MAX_NAME_COLUMNS)));
  return rows.flatMap((row, rowIndex) => {
    const fields = row.flatMap((lines, index) => {
      const name = names[index] ?? [];
      const [first = [], ...others] = lines;
      const named: Line = name.length === 0 ? first : [...name, { text: ": ", style: "plain" }, ...first];
      return [named, ...others].flatMap((own) => wrapLine(own, width));
    });
    return rowIndex === 0 ? fields : [[], ...fields];
  });
}
