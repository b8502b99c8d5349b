// The files that `grep` looks into, one after another, until it has enough.
import type { Glob } from "./glob.js";
import { openRegularFile } from "./regular-file.js";
import { safeText } from "./safe-text.js";
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
  let bytes = 0;
  let isFull = false;
  for await (const { physicalName, path } of filesOf(place, search.signal, where, walk)) {
    const left = search.maxMatches - matches.length;
    // One more than wanted tells whether there are more.
    const found = await searchFile(physicalName, { ...search, maxMatches: left + 1 });
    if (found.stoppedBy === "too slow") slowFiles.push(path);
    if (found.stoppedBy === "long line") longLineFiles.push(path);
    for (const match of found.matches) {
      const safe = safeMatch(match, path);
      bytes += bytesOf(safe);
      isFull ||= bytes > MODEL_TEXT_LIMITS.maxBytes;
      if (isFull || matches.length === search.maxMatches) {
        return { matches, isMore: true, isFull, slowFiles, longLineFiles, walk };
      }
      matches.push(safe);
    }
    if (slowFiles.length === MAX_SLOW_FILES) break;
  }
  return { matches, isMore: false, isFull, slowFiles, longLineFiles, walk };
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

/** A file that is gone or may not be read is passed over, as one that has no match. */
async function searchFile(physicalName: string, search: LineSearch): Promise<FileMatches> {
  const opened = await openRegularFile(physicalName);
  if (opened.kind !== "file") return { matches: [] };
  try {
    return await searchLines(opened.handle, search);
  } finally {
    await opened.handle.close();
  }
}

function safeMatch({ line, text, before, after }: LineMatch, path: string): FoundMatch {
  return { path, line, text: safeText(text), before: before.map(safeText), after: after.map(safeText) };
}

function bytesOf({ path, text, before, after }: FoundMatch): number {
  const lines = [text, ...before, ...after];
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + Buffer.byteLength(path) + 10, 0);
}
