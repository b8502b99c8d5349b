// The lines of one file that an expression matches, with their context. The file is read in blocks: its size does not
// matter, only that of its lines.
import type { FileHandle } from "node:fs/promises";
import { whyBinary } from "./decode-text.js";
import { withTimeLimit } from "./time-guard.js";

const BLOCK_BYTES = 256 * 1_024;
const MAX_LINE_UNITS = 1_024 * 1_024;
const MAX_SHOWN_UNITS = 500;
/** How much of a line is shown before a match far from its beginning. */
const LEAD_UNITS = 100;

export interface LineMatch {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly before: string[];
  readonly after: string[];
}
export interface LineSearch {
  readonly expression: RegExp;
  /** Lines before and after each match. */
  readonly context: number;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
}
export interface FileMatches {
  readonly matches: readonly LineMatch[];
  /** Why the file was not searched to its end, if it was not. */
  readonly stoppedBy?: "binary" | "too slow" | "long line";
  /** Why the file could not be searched at all: half a sentence. */
  readonly reason?: string;
}

/** Stops after `maxMatches` matches and the context of the last one. */
export async function searchLines(handle: FileHandle, search: LineSearch): Promise<FileMatches> {
  const found = new FoundLines(search);
  const decoder = new TextDecoder("utf-8"); // leaves out a byte order mark
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let rest = "";
  for (let position = 0; !found.isFull; ) {
    search.signal.throwIfAborted();
    const { bytesRead } = await handle.read(block, 0, block.length, position);
    position += bytesRead;
    const bytes = block.subarray(0, bytesRead);
    const reason = whyBinary(bytes, position === bytesRead);
    if (reason !== undefined) return { matches: [], stoppedBy: "binary", reason };
    const lines = `${rest}${decoder.decode(bytes, { stream: bytesRead > 0 })}`.split("\n");
    rest = bytesRead > 0 ? (lines.pop() ?? "") : "";
    if (bytesRead === 0 && lines.at(-1) === "") lines.pop(); // a line end does not begin a further line
    if (rest.length > MAX_LINE_UNITS) return { matches: found.matches, stoppedBy: "long line" };
    if (!found.take(lines.map(withoutCarriageReturn))) return { matches: found.matches, stoppedBy: "too slow" };
    if (bytesRead === 0) break;
  }
  return { matches: found.matches };
}

class FoundLines {
  readonly matches: LineMatch[] = [];
  readonly #search: LineSearch;
  #before: string[] = [];
  #lines = 0;

  constructor(search: LineSearch) {
    this.#search = search;
  }

  get isFull(): boolean {
    const { maxMatches, context } = this.#search;
    const last = this.matches.at(-1);
    return last !== undefined && this.matches.length >= maxMatches && this.#lines >= last.line + context;
  }

  /** False when the expression took too long; nothing of these lines is kept then. */
  take(lines: readonly string[]): boolean {
    const { expression, context, maxMatches } = this.#search;
    const places = withTimeLimit(() => lines.map((line) => line.search(expression)));
    if (places.kind === "too slow") return false;
    for (const [index, line] of lines.entries()) {
      this.#lines += 1;
      const place = places.value[index] ?? -1;
      for (const match of this.matches.slice(-context - 1)) {
        if (this.#lines - match.line <= context) match.after.push(clipLine(line, 0));
      }
      if (place !== -1 && this.matches.length < maxMatches) {
        this.matches.push({ line: this.#lines, text: clipLine(line, place), before: [...this.#before], after: [] });
      }
      if (context > 0) this.#before = [...this.#before, clipLine(line, 0)].slice(-context);
    }
    return true;
  }
}

/** W5. The part of the line around its match. */
function clipLine(line: string, match: number): string {
  if (line.length <= MAX_SHOWN_UNITS) return line.toWellFormed();
  const start = match + LEAD_UNITS < MAX_SHOWN_UNITS ? 0 : match - LEAD_UNITS;
  const shown = betweenCodePoints(line, start, start + MAX_SHOWN_UNITS);
  const missing = (line.length - shown.length).toLocaleString("en-US");
  return `${start > 0 ? "… " : ""}${shown} … [${missing} characters of this line are not shown]`;
}

function betweenCodePoints(line: string, from: number, to: number): string {
  const isInsidePair = (at: number) => (line.codePointAt(at - 1) ?? 0) > 0xffff;
  return line.slice(isInsidePair(from) ? from + 1 : from, isInsidePair(to) ? to - 1 : to);
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
