// Where a text that was not found was probably meant to be. The search is bounded: it only makes an error useful.
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

/** Two lines of text for the model, or nothing when no place is near. */
export function describeNearestPlace(text: string, oldText: string): string | undefined {
  const lines = text.slice(0, MAX_FILE_CHARS).split("\n", MAX_FILE_LINES);
  const wanted = oldText.split("\n", MAX_WANTED_LINES);
  const start = placeOfEqualLines(lines, wanted) ?? placeOfAlikeLine(lines, wanted);
  return start === undefined ? undefined : describeDifference(lines, wanted, start);
}

/** Every line that is equal but for white space votes for the place it would belong to, by its length. */
function placeOfEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const indexes = new Map<string, number[]>();
  let weight = 0;
  for (const [index, line] of wanted.entries()) {
    const key = withoutBlanks(line.slice(0, MAX_COMPARED));
    if (key === "") continue;
    weight += key.length;
    const known = indexes.get(key);
    if (known === undefined) indexes.set(key, [index]);
    else if (known.length < MAX_REPEATS) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const key = withoutBlanks(line.slice(0, MAX_COMPARED));
    for (const index of indexes.get(key) ?? []) votes.set(at - index, (votes.get(at - index) ?? 0) + key.length);
  }
  const [start, most] = bestOf(votes);
  return most >= weight * LEAST_SHARE && most > 0 ? start : undefined;
}

/** The place of the line that shares most pairs of characters with the longest line of the text. */
function placeOfAlikeLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const keys = wanted.map((line) => withoutBlanks(line.slice(0, MAX_COMPARED)));
  const longest = keys.reduce((best, key, index) => (key.length > (keys[best]?.length ?? 0) ? index : best), 0);
  const pairs = pairsOf(keys[longest] ?? "");
  if (pairs.size === 0) return undefined;
  const likeness = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    if (line.length < pairs.size / 3) continue; // too short to be alike
    const own = pairsOf(withoutBlanks(line.slice(0, MAX_COMPARED)));
    let shared = 0;
    for (const pair of own) if (pairs.has(pair)) shared += 1;
    // Mostly: how much of the text is in the line, which may be longer; a little: how alike the two are.
    const score = 0.8 * (shared / pairs.size) + 0.2 * ((2 * shared) / (pairs.size + own.size));
    if (score >= LEAST_LIKENESS) likeness.set(at - longest, score);
  }
  const [start, most] = bestOf(likeness);
  return most > 0 ? start : undefined;
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

function describeDifference(lines: readonly string[], wanted: readonly string[], start: number): string {
  const last = wanted.length - 1;
  const index = wanted.findIndex((line, at) => !fits(lines[start + at], line, at === 0, at === last));
  const near = Math.max(0, start) + 1;
  if (index === -1) return `The nearest place is line ${near}.`;
  const [mine, found] = [wanted[index] ?? "", lines[start + index]];
  const which = wanted.length === 1 ? "oldText" : `line ${index + 1} of oldText`;
  if (found === undefined) {
    const where = start + index < 0 ? "begins only after that" : "ends before that";
    return `The nearest place is line ${near}, but ${which} is ${visibleLine(mine)} and the file ${where}.`;
  }
  const column = firstDifference(mine, found);
  const blanks = withoutBlanks(mine) === withoutBlanks(found) ? " They differ in white space only." : "";
  return `The nearest place is line ${near}; ${which} differs from line ${start + index + 1} of the file:
  ${which}: ${visibleLine(mine, column)}
  the file: ${visibleLine(found, column)}${blanks}`;
}

/** `oldText` may begin and end inside of a line. */
function fits(found: string | undefined, wanted: string, isFirst: boolean, isLast: boolean): boolean {
  if (found === undefined) return false;
  if (isFirst && isLast) return found.includes(wanted);
  if (isFirst) return found.endsWith(wanted);
  return isLast ? found.startsWith(wanted) : found === wanted;
}
