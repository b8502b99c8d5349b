// The files that `grep` looks into, one after another, until it has enough.

import { safeTextLine } from "../errors/safe-text.js";
import { describeFileProblem } from "./file-problem.js";
import type { Glob } from "./glob.js";
import { openRegularFile } from "./regular-file.js";
import { type FileMatches, type LineMatch, type LineSearch, searchLines } from "./search-lines.js";
import type { SearchPlace } from "./search-place.js";
import { MODEL_TEXT_LIMITS } from "./truncate-text.js";
import { type WalkNotes, walkFiles } from "./walk-files.js";

/** An expression that is too slow for so many files will be for the next ones too. */
const MAX_SLOW_FILES = 3;

export interface FoundMatch extends LineMatch {
  readonly path: string;
}
export interface FoundMatches {
  readonly matches: readonly FoundMatch[];
  readonly isMore: boolean;
  /** Whether it ended because the text would have become too long, not because of the limit. */
  readonly isFull: boolean;
  /** Files that the expression took too long for. */
  readonly slowFiles: readonly string[];
  /** Files with a line too long to be searched. */
  readonly longLineFiles: readonly string[];
  /** How many files of a folder are no UTF-8 text. */
  readonly binaryFiles: number;
  /** Files of a folder that the system did not let be read. */
  readonly unreadableFiles: readonly string[];
  /** Why the file that was named itself could not be searched: half a sentence. */
  readonly refusal: string | undefined;
  /** Whether the first match is shown with less context than was asked for, because of its size. */
  readonly isContextCut: boolean;
  readonly walk: WalkNotes;
}

type Place = Exclude<SearchPlace, { kind: "refused" }>;

/** @param where - `glob` does not apply to a file that was named itself. */
export async function searchFiles(
  place: Place,
  search: LineSearch,
  where: { readonly cwd: string; readonly glob: Glob | undefined },
): Promise<FoundMatches> {
  const walk = { ignored: 0, unreadable: 0 };
  const matches: FoundMatch[] = [];
  const slowFiles: string[] = [];
  const longLineFiles: string[] = [];
  const unreadableFiles: string[] = [];
  let binaryFiles = 0;
  let refusal: string | undefined;
  let bytes = 0;
  let isFull = false;
  let isContextCut = false;
  const ending = (isMore: boolean): FoundMatches => {
    const passedOver = { slowFiles, longLineFiles, binaryFiles, unreadableFiles, refusal };
    return { matches, isMore, isFull, isContextCut, ...passedOver, walk };
  };
  for await (const { physicalName, path } of filesOf(place, search.signal, where, walk)) {
    const left = search.maxMatches - matches.length;
    // One more than wanted tells whether there are more.
    const found = await searchFile(physicalName, { ...search, maxMatches: left + 1 });
    if (found.stoppedBy === "too slow") slowFiles.push(path);
    if (found.stoppedBy === "long line") longLineFiles.push(path);
    if (found.stoppedBy === "binary") binaryFiles += 1;
    if (found.stoppedBy === "unreadable") unreadableFiles.push(path);
    if (place.kind === "file") refusal = found.reason;
    for (const match of found.matches) {
      const whole = safeMatch(match, path);
      const safe = matches.length === 0 ? withLessContext(whole, MODEL_TEXT_LIMITS.maxBytes) : whole;
      isContextCut ||= safe !== whole;
      bytes += bytesOf(safe);
      isFull ||= bytes > MODEL_TEXT_LIMITS.maxBytes;
      if (isFull || matches.length === search.maxMatches) {
        return ending(true);
      }
      matches.push(safe);
    }
    if (slowFiles.length === MAX_SLOW_FILES) break;
  }
  return ending(false);
}

async function* filesOf(
  place: Place,
  signal: AbortSignal,
  { cwd, glob }: { readonly cwd: string; readonly glob: Glob | undefined },
  notes: WalkNotes,
): AsyncGenerator<{ readonly physicalName: string; readonly path: string }> {
  if (place.kind === "file") {
    yield { physicalName: place.physicalName, path: place.prefix };
    return;
  }
  const walk = { folder: place.physicalName, cwd, signal, notes, ...(glob === undefined ? {} : { glob }) };
  for await (const { type, isMatch, physicalName, path } of walkFiles(walk)) {
    if (type === "file" && isMatch) yield { physicalName, path: `${place.prefix}${path}` };
  }
}

type FileAnswer = Omit<FileMatches, "stoppedBy"> & { readonly stoppedBy?: FileMatches["stoppedBy"] | "unreadable" };

/** A file that is gone by now is passed over, as one that has no match. */
async function searchFile(physicalName: string, search: LineSearch): Promise<FileAnswer> {
  const opened = await openRegularFile(physicalName);
  if (opened.kind === "missing") return { matches: [], reason: "it is gone by now" };
  if (opened.kind === "other") return { matches: [], stoppedBy: "unreadable", reason: opened.reason };
  try {
    return await searchLines(opened.handle, search);
  } catch (error) {
    if (search.signal.aborted) throw error;
    return { matches: [], stoppedBy: "unreadable", reason: describeFileProblem(error) };
  } finally {
    await opened.handle.close();
  }
}

function safeMatch({ line, text, before, after }: LineMatch, path: string): FoundMatch {
  return { path, line, text: safeTextLine(text), before: before.map(safeTextLine), after: after.map(safeTextLine) };
}

/** The same match when it fits as it is. */
function withLessContext(match: FoundMatch, maxBytes: number): FoundMatch {
  let cut = match;
  for (let lines = Math.max(match.before.length, match.after.length); lines > 0 && bytesOf(cut) > maxBytes; ) {
    lines -= 1;
    cut = { ...match, before: lines === 0 ? [] : match.before.slice(-lines), after: match.after.slice(0, lines) };
  }
  return cut;
}

function bytesOf({ path, text, before, after }: FoundMatch): number {
  const lines = [text, ...before, ...after];
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + Buffer.byteLength(path) + 10, 0);
}
