// Lines as a person would compare them: what cannot be seen is shown.

const MAX_CHARS = 120;

/**
 * A line, or the part of it around a column, with blanks at its ends, tabs, and odd characters made visible.
 *
 * @param isSpelled - Whether everything but ASCII is shown by its code points.
 */
export function visibleLine(line: string, column = 0, isSpelled = false): string {
  const from = line.length <= MAX_CHARS ? 0 : Math.max(0, Math.min(column - MAX_CHARS / 3, line.length - MAX_CHARS));
  const part = line.slice(from, from + MAX_CHARS).toWellFormed();
  const shown = part
    .replace(/^ +| +(?=\r?$)/g, (blanks) => "·".repeat(blanks.length))
    .replaceAll("\t", "→")
    .replaceAll("\r", "␍")
    .replace(UNSEEN, codePointOf);
  return quoted(
    isSpelled ? shown.replace(/[^\0-\x7f·→␍]/gu, codePointOf) : shown,
    from > 0,
    from + MAX_CHARS < line.length,
  );
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function codePointOf(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

function quoted(shown: string, isCutBefore: boolean, isCutBehind: boolean): string {
  return `"${isCutBefore ? "…" : ""}${shown}${isCutBehind ? "…" : ""}"`;
}

/** The column, from 0, from which on two lines differ. */
export function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** What is left of a line for those who do not look at white space. */
export function withoutBlanks(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}
