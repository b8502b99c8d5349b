// Columns for people. The last one takes what is left of the width.
import { safeLine } from "../errors/safe-text.js";
import { shortenText } from "../errors/text.js";

const GAP = "  ";
const LEAST_LAST = 20;

export function textTable(rows: readonly (readonly string[])[], width: number): string {
  const cells = rows.map((row) => row.map(safeLine));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...cells.map((row) => row[index]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const last = Number.isFinite(width) ? Math.max(LEAST_LAST, width - before) : Number.POSITIVE_INFINITY;
  return cells
    .map((row) => {
      const padded = row.map((cell, index) =>
        index === columns - 1 ? shortenText(cell, last) : cell.padEnd(widths[index] ?? 0),
      );
      return padded.join(GAP).trimEnd();
    })
    .join("\n");
}

export function tokensText(tokens: number): string {
  return `${tokens.toLocaleString("en-US")} tokens`;
}
