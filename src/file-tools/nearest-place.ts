// Where a text that was not found was probably meant to be. The search is bounded: it only makes an error useful.
import { findOccurrences } from "./find-occurrences.js";
import { countLineEnds } from "./line-numbers.js";
import { firstDifference, visibleLine, withoutBlanks } from "./visible-text.js";

const MAX_FILE_LINES = 100_000;
const MAX_FILE_CHARS = 8 * 1_024 * 1_024;
const MAX_WANTED_LINES = 200;
/** A line that occurs more often in `oldText` says little about the place. */
const MAX_REPEATS = 8;
/** Longer lines are compared by their beginning. */
const MAX_COMPARED = 400;
/** The part of `oldText` that must be found, but for white space, before a place counts as near. */
const LEAST_SHARE = 0.25;
const LEAST_LIKENESS = 0.6;
/** A shorter line is in many places. */
const LEAST_ANCHOR = 8;

/** The beginning of the file, or the lines around one that may be meant. */
interface Searched {
  readonly lines: readonly string[];
  /** From 0. */
  readonly firstLine: number;
}
interface Place {
  /** Where `oldText` would begin, from 0; below 0 when it would begin before the file. */
  readonly start: number;
  readonly score: number;
}

/** A few lines of text for the model; says so when no place is near. */
export function describeNearestPlace(text: string, oldText: string): string {
  const wanted = oldText.split("\n");
  const sought = wanted.slice(0, MAX_WANTED_LINES);
  const lines = text.slice(0, MAX_FILE_CHARS).split("\n", MAX_FILE_LINES);
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const isAll = chars > text.length;
  const parts = [{ lines, firstLine: 0 }, ...(isAll ? [] : linesAround(text, chars, wanted))];
  const places = parts.flatMap((part) => placeOfEqualLines(part, sought) ?? []);
  const near = best(places) ?? best(parts.flatMap((part) => placeOfAlikeLine(part, sought) ?? []));
  if (near !== undefined) return describeDifference(text, wanted, near.start);
  if (isAll) return "No place in the file is near to it; read the file again.";
  const searched = lines.length.toLocaleString("en-US");
  return `No place in the first ${searched} lines is near to it, and only those were searched; read the part that is meant.`;
}

function best(places: readonly Place[]): Place | undefined {
  return places.reduce<Place | undefined>((top, place) => (top && top.score >= place.score ? top : place), undefined);
}

/** Behind what is searched line by line: where the first and the last line of `oldText` are, if they are there. */
function linesAround(text: string, from: number, wanted: readonly string[]): Searched[] {
  const rest = text.slice(from);
  const filled = wanted.map((line) => line.trim().slice(0, MAX_COMPARED)).filter((line) => line.length >= LEAST_ANCHOR);
  const anchors = new Set([filled[0], filled.at(-1)].filter((line) => line !== undefined));
  return [...anchors].flatMap((anchor) => {
    const [at] = findOccurrences(rest, anchor, { max: 1, mayOverlap: false });
    if (at === undefined) return [];
    let start = from + at;
    for (let back = 0; back <= MAX_WANTED_LINES && start > 0; back += 1) start = text.lastIndexOf("\n", start - 1);
    start = Math.max(0, start + 1);
    const lines = text.slice(start, start + MAX_FILE_CHARS).split("\n", 2 * MAX_WANTED_LINES + 2);
    return [{ lines, firstLine: countLineEnds(text.slice(0, start)) }];
  });
}

/** Every line that is equal but for white space votes for the place it would belong to, by its length. */
function placeOfEqualLines({ lines, firstLine }: Searched, wanted: readonly string[]): Place | undefined {
  const indexes = new Map<string, number[]>();
  let weight = 0;
  for (const [index, line] of wanted.entries()) {
    const key = comparedKey(line);
    if (key === "") continue;
    weight += key.length;
    const known = indexes.get(key);
    if (known === undefined) indexes.set(key, [index]);
    else if (known.length < MAX_REPEATS) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const key = comparedKey(line);
    for (const index of indexes.get(key) ?? []) votes.set(at - index, (votes.get(at - index) ?? 0) + key.length);
  }
  const [start, score] = bestOf(votes);
  return score >= weight * LEAST_SHARE && score > 0 ? { start: firstLine + start, score } : undefined;
}

/** The place of the line that shares most pairs of characters with the longest line of the text. */
function placeOfAlikeLine({ lines, firstLine }: Searched, wanted: readonly string[]): Place | undefined {
  const keys = wanted.map((line) => comparedKey(line));
  const longest = keys.reduce((best, key, index) => (key.length > (keys[best]?.length ?? 0) ? index : best), 0);
  const pairs = pairsOf(keys[longest] ?? "");
  if (pairs.size === 0) return undefined;
  const likeness = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    if (line.length < pairs.size / 3) continue; // too short to be alike
    const own = pairsOf(comparedKey(line));
    let shared = 0;
    for (const pair of own) if (pairs.has(pair)) shared += 1;
    // Mostly: how much of the text is in the line, which may be longer; a little: how alike the two are.
    const score = 0.8 * (shared / pairs.size) + 0.2 * ((2 * shared) / (pairs.size + own.size));
    if (score >= LEAST_LIKENESS) likeness.set(at - longest, score);
  }
  const [start, score] = bestOf(likeness);
  return score > 0 ? { start: firstLine + start, score } : undefined;
}

/** What is not seen, white space and how a letter is encoded, does not make another line. */
function comparedKey(line: string): string {
  return withoutBlanks(line.slice(0, MAX_COMPARED)).normalize("NFC");
}

function pairsOf(text: string): Set<number> {
  const pairs = new Set<number>();
  for (let at = 1; at < text.length; at += 1) pairs.add(text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at));
  return pairs;
}

/** The first of the best. */
function bestOf(scores: ReadonlyMap<number, number>): [place: number, score: number] {
  let [place, best] = [0, 0];
  for (const [at, score] of scores) if (score > best || (score === best && at < place)) [place, best] = [at, score];
  return [place, best];
}

function describeDifference(text: string, wanted: readonly string[], start: number): string {
  const last = wanted.length - 1;
  const lines = linesFrom(text, Math.max(0, start), wanted.length + 1);
  const lineAt = (index: number) => lines[Math.min(start, 0) + index];
  const index = wanted.findIndex((line, at) => !fits(lineAt(at), line, at === 0, at === last));
  const near = Math.max(0, start) + 1;
  if (index === -1) return `The nearest place is line ${near}.`;
  const [mine, found] = [wanted[index] ?? "", lineAt(index)];
  const which = wanted.length === 1 ? "oldText" : `line ${index + 1} of oldText`;
  const isBehindLastLine = found === "" && Math.min(start, 0) + index === lines.length - 1;
  if (found === undefined || isBehindLastLine) {
    const where = start + index < 0 ? "begins only after that" : "ends before that";
    return `The nearest place is line ${near}, but ${which} is ${visibleLine(mine)} and the file ${where}.`;
  }
  const column = firstDifference(mine, found);
  const looksTheSame = fits(found.normalize("NFC"), mine.normalize("NFC"), index === 0, index === last);
  const isBlanksOnly = withoutBlanks(mine) === withoutBlanks(found);
  const remark = looksTheSame ? SAME_LOOK : isBlanksOnly ? " They differ in white space only." : "";
  const shown = (line: string) => visibleLine(line, column, looksTheSame);
  return `The nearest place is line ${near}; ${which} differs from line ${start + index + 1} of the file:
  ${which}: ${shown(mine)}
  the file: ${shown(found)}${remark}`;
}

const SAME_LOOK =
  " The text looks the same, but its letters are encoded differently (composed or with combining marks).";

/** @param first - From 0. */
function linesFrom(text: string, first: number, count: number): string[] {
  let at = 0;
  for (let line = 0; line < first; line += 1) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return [];
  }
  return text.slice(at).split("\n", count);
}

/** `oldText` may begin and end inside of a line. */
function fits(found: string | undefined, wanted: string, isFirst: boolean, isLast: boolean): boolean {
  if (found === undefined) return false;
  if (isFirst && isLast) return found.includes(wanted);
  if (isFirst) return found.endsWith(wanted);
  return isLast ? found.startsWith(wanted) : found === wanted;
}
