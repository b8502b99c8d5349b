// Patterns of names in which `*` stands for any text, the empty one too; every other character stands for itself.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";

/**
 * A test of one pattern, to be kept where it is asked often. Upper and lower case differ. Takes time linear in pattern and
 * name, whatever they are: nothing is tried twice.
 *
 * @param pattern - `mcp__*`, `*_read`, `read` (only that name), `*` (all); `**` is `*`.
 * @throws NestcallError `INVALID_ARGUMENTS` when `pattern` is no text.
 */
export function namePattern(pattern: string): (name: string) => boolean {
  if (typeof pattern !== "string") {
    const message = `A pattern of names is a text in which * stands for any text; this one is ${describeValue(pattern)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const pieces = pattern.split("*");
  if (pieces.length === 1) return (name) => name === pattern;
  const [first = ""] = pieces;
  const last = pieces.at(-1) ?? "";
  const middle = pieces.slice(1, -1).filter((piece) => piece !== "");
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let from = first.length;
    for (const piece of middle) {
      const at = findPiece(name, piece, from, end);
      if (at === -1) return false;
      from = at + piece.length;
    }
    return true;
  };
}

/** Whether the name fits the pattern; see `namePattern`. */
export function matchesName(pattern: string, name: string): boolean {
  return namePattern(pattern)(name);
}

/** Where `piece` first begins in `text[from, end)`, or -1: Knuth, Morris and Pratt, since `indexOf` is quadratic at worst. */
function findPiece(text: string, piece: string, from: number, end: number): number {
  const borders = bordersOf(piece);
  let matched = 0;
  for (let index = from; index < end; index += 1) {
    while (matched > 0 && text[index] !== piece[matched]) matched = borders[matched - 1] as number; // matched is inside
    if (text[index] === piece[matched]) matched += 1;
    if (matched === piece.length) return index + 1 - matched;
  }
  return -1;
}

/** For each beginning of the piece, how long the longest shorter beginning is that also ends it. */
function bordersOf(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length);
  let matched = 0;
  for (let index = 1; index < piece.length; index += 1) {
    while (matched > 0 && piece[index] !== piece[matched]) matched = borders[matched - 1] as number; // matched is inside
    if (piece[index] === piece[matched]) matched += 1;
    borders[index] = matched;
  }
  return borders;
}
