// The unified diff of an edit. Only the places that change are compared, so its cost is that of the change, not of the file.
import { formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";
import { countLineEnds, lineNumbersAt } from "./line-numbers.js";
import { applyReplacements, lengthAfter, type Replacement } from "./plan-edits.js";
import { firstDifference } from "./visible-text.js";

const CONTEXT_LINES = 3;
/** When comparing takes longer, a change is told as "all of these lines for all of those". */
const COMPARE_MS = 200;
/** A diff is for people: places of change that do not fit any more are left out. */
const MAX_DIFF_CHARS = 256 * 1_024;

export interface EditDiff {
  /** As `diff -u` writes it; applies to the old file, unless something was left out. */
  readonly diff: string;
  /** From 1. */
  readonly firstChangedLine: number;
  /** How many places of change are not in `diff`, which would be too long; absent when all are. */
  readonly omittedHunks?: number;
}

/** Whole lines of the old text: some replacements, with their context. */
interface Region {
  readonly start: number;
  end: number;
  /** The end of the line in which the last replacement ends. */
  lineEnd: number;
  readonly replacements: Replacement[];
}

/** @param replacements - In the order of the text, at least one. */
export function diffOfEdit(path: string, text: string, replacements: readonly Replacement[]): EditDiff {
  const deadline = performance.now() + COMPARE_MS;
  const regions = regionsOf(text, replacements);
  const startLines = lineNumbersAt(
    text,
    regions.map(({ start }) => start),
  );
  const hunks: StructuredPatchHunk[] = [];
  let [chars, shift, omitted] = [0, 0, 0];
  for (const [index, region] of regions.entries()) {
    const oldText = text.slice(region.start, region.end);
    const inside = region.replacements.map((part) => ({
      ...part,
      start: part.start - region.start,
      end: part.end - region.start,
    }));
    chars += oldText.length + lengthAfter(oldText, inside);
    if (chars > MAX_DIFF_CHARS) {
      omitted = regions.length - index;
      break;
    }
    const newText = applyReplacements(oldText, inside);
    const line = startLines[index] ?? 1;
    hunks.push(...hunksOf(oldText, newText, { line, shift, timeoutMs: Math.max(1, deadline - performance.now()) }));
    shift += countLineEnds(newText) - countLineEnds(oldText);
  }
  const [oldFileName, newFileName] = [`a/${path}`, `b/${path}`].map(safeName);
  const patch = { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks };
  const diff = formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
  const firstChangedLine = firstChangeIn(text, replacements[0]);
  return { diff, firstChangedLine, ...(omitted === 0 ? {} : { omittedHunks: omitted }) };
}

function hunksOf(
  oldText: string,
  newText: string,
  { line, shift, timeoutMs }: { readonly line: number; readonly shift: number; readonly timeoutMs: number },
): StructuredPatchHunk[] {
  const compared = structuredPatch("", "", oldText, newText, "", "", { context: CONTEXT_LINES, timeout: timeoutMs });
  return (compared?.hunks ?? [wholeHunk(oldText, newText)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + line - 1,
    newStart: hunk.newStart + line - 1 + shift,
  }));
}

/** What a comparison that was given up would have come to at worst. */
function wholeHunk(oldText: string, newText: string): StructuredPatchHunk {
  const [removed, added] = [markedLines("-", oldText), markedLines("+", newText)];
  const count = (lines: readonly string[]) => lines.filter((line) => !line.startsWith("\\")).length;
  const [oldLines, newLines] = [count(removed), count(added)];
  return { oldStart: 1, oldLines, newStart: 1, newLines, lines: [...removed, ...added] };
}

function markedLines(mark: "-" | "+", text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const rest = lines.pop();
  const marked = lines.map((line) => mark + line);
  return rest === "" ? marked : [...marked, mark + rest, "\\ No newline at end of file"];
}

/** Places whose contexts touch are one region. No line is looked at twice, however long it is. */
function regionsOf(text: string, replacements: readonly Replacement[]): Region[] {
  const regions: Region[] = [];
  let region: Region | undefined;
  for (const replacement of replacements) {
    if (region === undefined || replacement.start > region.end) {
      const start = contextStart(text, replacement.start);
      if (region === undefined || start > region.end) {
        region = { start, end: start, lineEnd: -1, replacements: [] };
        regions.push(region);
      }
    }
    region.replacements.push(replacement);
    if (replacement.end < region.lineEnd) continue;
    region.lineEnd = endOfLine(text, replacement.end);
    region.end = contextEnd(text, region.lineEnd);
  }
  return regions;
}

function contextStart(text: string, offset: number): number {
  let start = startOfLine(text, offset);
  for (let line = 0; line < CONTEXT_LINES && start > 0; line += 1) start = startOfLine(text, start - 1);
  return start;
}

function contextEnd(text: string, lineEnd: number): number {
  let end = lineEnd;
  for (let line = 0; line < CONTEXT_LINES && end < text.length; line += 1) end = endOfLine(text, end);
  return end;
}

function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The offset after the end of the line. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Lines that `oldText` and `newText` begin with alike have not changed. */
function firstChangeIn(text: string, first: Replacement | undefined): number {
  if (first === undefined) return 1;
  const same = firstDifference(text.slice(first.start, first.end), first.newText);
  return lineNumbersAt(text, [first.start + same])[0] ?? 1;
}

/** A line end in a name would look like a line of the diff. */
function safeName(name: string): string {
  return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name;
}
