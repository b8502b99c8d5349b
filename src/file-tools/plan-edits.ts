// W2: what a list of edits makes of a text, or why it makes nothing of it. Pure: no file is touched here.
import { findOccurrences } from "./find-occurrences.js";
import { describeLines, lineNumbersAt } from "./line-numbers.js";
import { describeNearestPlace } from "./nearest-place.js";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}
/** A part of the old text, from `start` to before `end`, and what stands there then. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Which edit it belongs to, from 0. */
  readonly edit: number;
}
export type EditPlan =
  | { readonly kind: "planned"; readonly replacements: readonly Replacement[] }
  /** One sentence or more for each edit that failed. */
  | { readonly kind: "failed"; readonly problems: readonly string[] };

/** Where an edit that asks for one place finds more, they are counted up to here. */
const MAX_COUNTED = 10_000;
const MAX_REPLACEMENTS = 1_000_000;
/** The others would tell the model little more, and each costs a pass over the file. */
const MAX_PROBLEMS = 5;

/**
 * Finds what each edit replaces, all of them in the text as it was.
 *
 * @param text - Without a byte order mark.
 * @returns Replacements in the order of the text; none overlap.
 */
export function planEdits(text: string, edits: readonly Edit[]): EditPlan {
  const isCrlf = hasCrlfOnly(text);
  const replacements: Replacement[] = [];
  const problems: string[] = [];
  for (const [index, given] of edits.entries()) {
    const edit = isCrlf ? withCrlf(given) : given;
    const found = findEdit(text, edit, index, edits);
    if (typeof found === "string") problems.push(`edits[${index}]: ${found}`);
    else for (const start of found) replacements.push(replacementAt(start, edit, index));
    const left = edits.length - index - 1;
    if (problems.length < MAX_PROBLEMS || left === 0) continue;
    problems.push(`The last ${left === 1 ? "edit was" : `${left} edits were`} not looked at.`);
    break;
  }
  if (problems.length > 0) return { kind: "failed", problems };
  replacements.sort((a, b) => a.start - b.start || a.end - b.end);
  const overlaps = overlapsIn(text, replacements);
  return overlaps.length > 0 ? { kind: "failed", problems: overlaps } : { kind: "planned", replacements };
}

/** The text with every replacement made. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const replacement of replacements) {
    parts.push(text.slice(end, replacement.start), replacement.newText);
    end = replacement.end;
  }
  parts.push(text.slice(end));
  return parts.join("");
}

/** How long that text will be, in UTF-16 units. */
export function lengthAfter(text: string, replacements: readonly Replacement[]): number {
  return replacements.reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), text.length);
}

function replacementAt(start: number, { oldText, newText }: Edit, edit: number): Replacement {
  return { start, end: start + oldText.length, newText, edit };
}

/** The offsets, or what is wrong. */
function findEdit(text: string, edit: Edit, index: number, edits: readonly Edit[]): readonly number[] | string {
  const { oldText, newText, replaceAll = false } = edit;
  if (oldText === newText) return "oldText and newText are the same, so there is nothing to change.";
  if (!newText.isWellFormed()) return "newText holds half of a surrogate pair.";
  if (newText.includes("\0")) return "newText holds a NUL character, which makes a file no text.";
  if (oldText === "") {
    if (text === "") return [0];
    return "oldText is empty, which is only right for an empty file. To insert, take text beside the place as oldText and repeat it in newText.";
  }
  const found = replaceAll
    ? findOccurrences(text, oldText, { max: MAX_REPLACEMENTS + 1, mayOverlap: false })
    : findOccurrences(text, oldText, { max: MAX_COUNTED, mayOverlap: true });
  if (found.length === 0) return describeMissing(text, edit, index, edits);
  if (replaceAll && found.length > MAX_REPLACEMENTS) return `oldText is found more than ${MAX_REPLACEMENTS} times.`;
  return replaceAll || found.length === 1 ? found : describeRepeated(text, found);
}

function describeMissing(text: string, { oldText }: Edit, index: number, edits: readonly Edit[]): string {
  const maker = edits.findIndex(({ newText }, other) => other !== index && newText.includes(oldText));
  const hint =
    maker === -1
      ? describeNearestPlace(text, oldText)
      : `It is in newText of edits[${maker}], but every edit is matched against the file as it was: make one edit of the two.`;
  return `oldText is not found. ${hint}`;
}

function describeRepeated(text: string, found: readonly number[]): string {
  const times = found.length === MAX_COUNTED ? `at least ${MAX_COUNTED}` : String(found.length);
  const lines = describeLines(lineNumbersAt(text, found));
  return `oldText is found ${times} times, in ${lines}. Add text around it until it is found once, or set replaceAll.`;
}

function overlapsIn(text: string, replacements: readonly Replacement[]): string[] {
  const overlaps: string[] = [];
  const told = new Set<string>();
  let before = replacements[0];
  for (const replacement of replacements.slice(1)) {
    const isOverlap = before !== undefined && (replacement.start < before.end || replacement.start === replacement.end);
    if (before !== undefined && isOverlap) {
      const pair = [before.edit, replacement.edit].sort((a, b) => a - b);
      const names = pair.map((edit) => `edits[${edit}]`).join(" and ");
      if (told.has(names)) continue;
      told.add(names);
      if (told.size > MAX_PROBLEMS) continue;
      overlaps.push(
        `${names} overlap in ${describeLines(lineNumbersAt(text, [replacement.start]))}. Make one edit of the two.`,
      );
    }
    if (before === undefined || replacement.end > before.end) before = replacement;
  }
  const left = told.size - overlaps.length;
  if (left > 0) overlaps.push(`${left} more ${left === 1 ? "pair overlaps" : "pairs overlap"}.`);
  return overlaps;
}

/** Whether there are line ends, all of them CRLF. */
function hasCrlfOnly(text: string): boolean {
  let at = text.indexOf("\n");
  if (at === -1) return false;
  for (; at !== -1; at = text.indexOf("\n", at + 1)) if (text.charCodeAt(at - 1) !== 0x0d) return false;
  return true;
}

function withCrlf(edit: Edit): Edit {
  const [oldText, newText] = [edit.oldText, edit.newText].map((part) => part.replace(/\r?\n/g, "\r\n"));
  return { ...edit, oldText: oldText ?? "", newText: newText ?? "" };
}
