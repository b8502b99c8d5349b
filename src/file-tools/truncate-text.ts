// W5: text that is too long is cut between code points, and says how much is missing and where the rest is.

export interface TextLimits {
  readonly maxLines: number;
  /** In UTF-8. */
  readonly maxBytes: number;
}
/** What a model gets of any one result. */
export const MODEL_TEXT_LIMITS: TextLimits = { maxLines: 2_000, maxBytes: 50 * 1_024 };

/** What is left of a text, and what is not. */
export interface TruncatedText {
  /** The part that was kept; for `keepEnds` with the marker between the ends. */
  readonly text: string;
  readonly isTruncated: boolean;
  /** Lines of which nothing was kept. */
  readonly missingLines: number;
  readonly missingBytes: number;
  readonly totalLines: number;
  readonly totalBytes: number;
}

/** The beginning: whole lines that keep both limits, or a part of the first line when that alone is too long. */
export function keepHead(text: string, limits: TextLimits = MODEL_TEXT_LIMITS): TruncatedText {
  let end = cutAtBytes(text, limits.maxBytes);
  const isCutByBytes = end < text.length;
  const lines = limits.maxLines === Number.POSITIVE_INFINITY ? -1 : nthLineEnd(text, limits.maxLines);
  if (lines !== -1 && lines <= end) end = lines;
  else if (isCutByBytes) end = text.lastIndexOf("\n", end - 1) + 1 || end;
  return measured(text, text.slice(0, end), text.slice(end));
}

/** The end: whole lines that keep both limits, or a part of the last line when that alone is too long. */
export function keepTail(text: string, limits: TextLimits = MODEL_TEXT_LIMITS): TruncatedText {
  const byBytes = tailAtBytes(text, limits.maxBytes);
  let start = byBytes;
  if (byBytes > 0 && text[byBytes - 1] !== "\n") {
    const lineStart = text.indexOf("\n", byBytes) + 1;
    if (lineStart > 0 && lineStart < text.length) start = lineStart;
  }
  start = Math.max(start, nthLineStartFromEnd(text, limits.maxLines));
  return measured(text, text.slice(start), text.slice(0, start));
}

/**
 * The first and the last half of `maxBytes`, cut anywhere between two code points, with a marker between them.
 *
 * @param marker - Gets what is missing; its own size is not counted.
 */
export function keepEnds(
  text: string,
  maxBytes: number,
  marker: (missing: { readonly lines: number; readonly bytes: number }) => string,
): TruncatedText {
  const headEnd = cutAtBytes(text, maxBytes);
  if (headEnd === text.length) return measured(text, text, "");
  const half = Math.floor(maxBytes / 2);
  const head = text.slice(0, cutAtBytes(text, half));
  const tail = text.slice(tailAtBytes(text, half));
  const gone = text.slice(head.length, text.length - tail.length);
  const cut = measured(text, "", gone);
  const middle = marker({ lines: cut.missingLines, bytes: cut.missingBytes });
  return { ...cut, text: `${head}${middle}${tail}` };
}

/** `[120 lines (34,567 bytes) are not shown; …]`; empty when nothing is missing. */
export function missingNote(cut: TruncatedText, where: string): string {
  if (!cut.isTruncated) return "";
  const bytes = `${cut.missingBytes.toLocaleString("en-US")} bytes`;
  const lines = `${cut.missingLines.toLocaleString("en-US")} ${cut.missingLines === 1 ? "line" : "lines"}`;
  return `[${cut.missingLines === 0 ? bytes : `${lines} (${bytes})`} not shown; ${where}]`;
}

/** How many lines a text has; a line end does not begin a further one. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function measured(whole: string, kept: string, gone: string): TruncatedText {
  const missingBytes = Buffer.byteLength(gone);
  return {
    text: kept,
    isTruncated: gone !== "",
    missingLines: countWholeLines(whole, kept, gone),
    missingBytes,
    totalLines: countLines(whole),
    totalBytes: Buffer.byteLength(whole),
  };
}

/** A line that was cut is shown in part, so it is not counted. */
function countWholeLines(whole: string, kept: string, gone: string): number {
  if (gone === "") return 0;
  const isPartShown = kept !== "" && (whole.startsWith(kept) ? !kept.endsWith("\n") : !gone.endsWith("\n"));
  return Math.max(0, countLines(gone) - (isPartShown ? 1 : 0));
}

/** The index at which the text's first `maxBytes` bytes end, never inside a code point. */
function cutAtBytes(text: string, maxBytes: number): number {
  if (text.length * 3 <= maxBytes) return text.length;
  const start = text.slice(0, maxBytes); // a unit takes at least one byte
  return new TextEncoder().encodeInto(start, new Uint8Array(maxBytes)).read;
}

/** The index from which on the text has at most `maxBytes` bytes. */
function tailAtBytes(text: string, maxBytes: number): number {
  let at = text.length;
  for (let bytes = 0; at > 0; ) {
    const isPair = at > 1 && isHighHalf(text.charCodeAt(at - 2)) && isLowHalf(text.charCodeAt(at - 1));
    bytes += isPair ? 4 : bytesOfUnit(text.charCodeAt(at - 1));
    if (bytes > maxBytes) break;
    at -= isPair ? 2 : 1;
  }
  return at;
}

function bytesOfUnit(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}
function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The index after the n-th line end; -1 when there are fewer. */
function nthLineEnd(text: string, n: number): number {
  let end = 0;
  for (let line = 0; line < n; line += 1) {
    end = text.indexOf("\n", end) + 1;
    if (end === 0) return -1;
  }
  return end;
}

function nthLineStartFromEnd(text: string, n: number): number {
  if (n === Number.POSITIVE_INFINITY) return 0;
  let start = text.length - (text.endsWith("\n") ? 1 : 0);
  for (let line = 0; line < n; line += 1) {
    if (start <= 0) return 0;
    start = text.lastIndexOf("\n", start - 1);
    if (start === -1) return 0;
  }
  return start + 1;
}
