// What `grep` found, as the model reads it: `path:line: text`, and `path-line- text` for a line of context.

import { safeLine } from "../errors/safe-text.js";
import { counted, listText, walkRemarks } from "./found-list.js";
import type { FoundMatch, FoundMatches } from "./search-files.js";

export function grepText(found: FoundMatches, limit: number): string {
  const remarks = [
    ...moreRemark(found, limit),
    ...slowRemark(found),
    ...longLineRemark(found),
    ...passedOverRemarks(found),
    ...walkRemarks(found.walk),
  ];
  return listText(shownLines(found.matches), remarks, "(no match)");
}

/** Contexts that meet or overlap become one part; `--` stands between parts. */
function shownLines(matches: readonly FoundMatch[]): string[] {
  const hasContext = matches.some(({ before, after }) => before.length + after.length > 0);
  const shown: string[] = [];
  let last = { path: "", line: 0 };
  for (const [index, match] of matches.entries()) {
    const { path, line, text, before, after } = match;
    const next = matches[index + 1];
    const isSameFile = path === last.path;
    const first = line - before.length;
    if (hasContext && shown.length > 0 && !(isSameFile && first <= last.line + 1)) shown.push("--");
    for (const [offset, context] of before.entries()) {
      if (!isSameFile || first + offset > last.line) shown.push(`${safeLine(path)}-${first + offset}- ${context}`);
    }
    shown.push(`${safeLine(path)}:${line}: ${text}`);
    last = { path, line };
    for (const [offset, context] of after.entries()) {
      if (next?.path === path && next.line <= line + offset + 1) break; // the next match shows the rest
      last = { path, line: line + offset + 1 };
      shown.push(`${safeLine(path)}-${last.line}- ${context}`);
    }
  }
  return shown;
}

function moreRemark({ isMore, isFull, matches }: FoundMatches, limit: number): string[] {
  if (!isMore) return [];
  const how = isFull ? "the text is full; narrow" : `the limit is ${limit}; raise it, or narrow`;
  return [`[Only the first ${counted(matches.length, "match", "matches")}: ${how} path, glob or pattern.]`];
}

function passedOverRemarks({ binaryFiles, unreadableFiles, isContextCut }: FoundMatches): string[] {
  const remarks: string[] = [];
  if (isContextCut) remarks.push("[The context of the first match is cut: it would have been too long.]");
  if (binaryFiles > 0) {
    remarks.push(`[${counted(binaryFiles, "file is", "files are")} no UTF-8 text, so not searched.]`);
  }
  const [first] = unreadableFiles;
  if (first === undefined) return remarks;
  const files = counted(unreadableFiles.length, "file", "files");
  return [...remarks, `[${files} could not be read, so not searched, such as ${safeLine(first)}.]`];
}

function slowRemark({ slowFiles }: FoundMatches): string[] {
  if (slowFiles.length === 0) return [];
  const files = slowFiles.map(safeLine).join(", ");
  return [
    `[The expression takes too long to match in ${files}; the search of it and, after three such files, of the others was given up. Use a simpler one, without nested repetition, or literal: true.]`,
  ];
}

function longLineRemark({ longLineFiles }: FoundMatches): string[] {
  if (longLineFiles.length === 0) return [];
  const [first = ""] = longLineFiles;
  return [
    `[${counted(longLineFiles.length, "file has", "files have")} a line too long to be searched, such as ${safeLine(first)}.]`,
  ];
}
