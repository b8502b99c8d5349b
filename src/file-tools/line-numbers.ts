// Offsets in a text as line numbers, in one pass over the text.

/** The number of the line, from 1, that each offset is in; the offsets must not fall. */
export function lineNumbersAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let nextEnd = text.indexOf("\n");
  return offsets.map((offset) => {
    while (nextEnd !== -1 && nextEnd < offset) {
      line += 1;
      nextEnd = text.indexOf("\n", nextEnd + 1);
    }
    return line;
  });
}

/** `line 4`, `lines 4 and 17`, `lines 4, 17, 30 and 12 more`. */
export function describeLines(lines: readonly number[], max = 50): string {
  const distinct = [...new Set(lines)];
  if (distinct.length === 1) return `line ${distinct[0]}`;
  const shown = distinct.slice(0, max);
  const last = distinct.length > max ? `${distinct.length - max} more` : String(shown.pop());
  return `lines ${shown.join(", ")} and ${last}`;
}

export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
