// What a person sees as one character, and how many columns of a terminal it takes.
import { eastAsianWidth } from "get-east-asian-width";
import type { DrawingTone } from "../tools/drawing.js";

export type Style = DrawingTone | "strong" | "added" | "removed";
/** A piece of one line. The text is harmless: no control characters but tabs. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}
/** One character as it is seen, of one or more code points. */
export interface Cell extends Span {
  /** 0, 1 or 2 columns; a few more for joined letters of some scripts. */
  readonly width: number;
}

const TAB_COLUMNS = 8;
/** Accents piled up on one letter would draw over the lines around it. */
const MAX_CODE_POINTS = 12;
const MAX_CELL_WIDTH = 4;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Emoji}\ufe0f|\p{Extended_Pictographic}\u200d)/u;

const CHUNK_UNITS = 64;
const JOINS_NEXT = /[\p{Cf}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}\u1100-\u11ff]/u;
const JOINS_LAST =
  /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Default_Ignorable_Code_Point}\u1100-\u11ff]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The cells of one line. A tab is filled up with blanks to the next column that 8 divides. */
export function cellsOf(spans: readonly Span[]): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  const add = (text: string, width: number, style: Style) => {
    cells.push({ text, width, style });
    column += width;
  };
  for (const { text, style } of spans) {
    for (const [index, part] of text.split("\t").entries()) {
      if (index > 0) {
        do add(" ", 1, style);
        while (column % TAB_COLUMNS !== 0);
      }
      for (const segment of segmentsOf(part)) add(segment, widthOf(segment), style);
    }
  }
  return cells;
}

function* segmentsOf(text: string): Generator<string, void, undefined> {
  if (PRINTABLE_ASCII.test(text)) return yield* text;
  for (const chunk of chunksOf(text)) {
    for (const { segment } of segmenter.segment(chunk)) {
      if (segment.length <= 2) yield segment;
      else yield* boundedSegments(segment);
    }
  }
}

/** Short pieces: a segmenter copies its whole text for each segment that it gives (V8 up to Node.js 20 at least). */
function* chunksOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    let end = start + CHUNK_UNITS;
    while (end < start + 2 * CHUNK_UNITS && end < text.length && !isBetweenClusters(text, end)) end += 1;
    if (isInPair(text, end)) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Whether two characters certainly meet here; of other places nothing is known. */
function isBetweenClusters(text: string, at: number): boolean {
  if (isInPair(text, at)) return false;
  const last = text.codePointAt(isInPair(text, at - 1) ? at - 2 : at - 1) ?? 0;
  const next = text.codePointAt(at) ?? 0;
  return !JOINS_NEXT.test(String.fromCodePoint(last)) && !JOINS_LAST.test(String.fromCodePoint(next));
}

function isInPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** A cluster as one, unless it is too long or too wide to be moved as one. */
function* boundedSegments(segment: string): Generator<string, void, undefined> {
  const points = [...segment];
  if (points.length > MAX_CODE_POINTS) {
    yield* boundedSegments(points.slice(0, MAX_CODE_POINTS).join(""));
    yield "…";
  } else if (widthOf(segment) > MAX_CELL_WIDTH) yield* points;
  else yield segment;
}

function widthOf(segment: string): number {
  if (segment.length === 1 && PRINTABLE_ASCII.test(segment)) return 1;
  if (EMOJI.test(segment)) return 2;
  let width = 0;
  for (const char of segment) {
    if (!ZERO_WIDTH.test(char)) width += eastAsianWidth(char.codePointAt(0) as number); // a text of a character
  }
  return width;
}
