// Which known name was probably meant (A4, A5).

/** Longer names are compared by their beginning only; it bounds the work for hostile names. */
const MAX_COMPARED = 256;
const MAX_DISTANCE_LENGTH = 64;
const MAX_CANDIDATES = 10_000;
const LEAST_SCORE = 0.3;

interface Form {
  /** Lower case, without separators. */
  readonly plain: string;
  readonly words: ReadonlySet<string>;
}

/**
 * The candidates that resemble `name`, best first: those that differ only in case and separators, then those that
 * share words or are a few typing errors away. The order depends on nothing but the names.
 */
export function closestNames(name: string, candidates: Iterable<string>, max: number): string[] {
  const wanted = formOf(name);
  const scored: { readonly candidate: string; readonly score: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (seen++ >= MAX_CANDIDATES) break;
    const score = likeness(wanted, formOf(candidate));
    if (score >= LEAST_SCORE && candidate !== name) scored.push({ candidate, score });
  }
  scored.sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, Math.max(0, max)).map(({ candidate }) => candidate);
}

function formOf(name: string): Form {
  const text = name.slice(0, MAX_COMPARED);
  const split = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = new Set(split.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1));
  return { plain: text.toLowerCase().replace(/[_\-\s.]/g, ""), words };
}

/** 0 for nothing in common, 3 for the same name but for case and separators. */
function likeness(a: Form, b: Form): number {
  if (a.plain === b.plain) return 3;
  return sharedWords(a.words, b.words) + typingLikeness(a.plain, b.plain);
}

function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

function typingLikeness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const allowed = longest <= 2 ? 0 : longest <= 4 ? 1 : longest <= 7 ? 2 : 3;
  if (longest > MAX_DISTANCE_LENGTH || Math.abs(a.length - b.length) > allowed) return 0;
  const distance = typingDistance(a, b, allowed);
  return distance > allowed ? 0 : 1 - distance / longest;
}

/** Damerau-Levenshtein with adjacent swaps, within a band of `allowed` around the diagonal; gives up above it. */
function typingDistance(a: string, b: string, allowed: number): number {
  let [beforeLast, last, row] = [0, 1, 2].map(() => new Array<number>(b.length + 2).fill(FAR)) as [Row, Row, Row];
  for (let j = 0; j <= allowed && j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const [from, to] = [Math.max(1, i - allowed), Math.min(b.length, i + allowed)];
    row[from - 1] = from === 1 ? i : FAR;
    let least = row[from - 1] as number;
    for (let j = from; j <= to; j += 1) {
      const cost = stepCost(a, b, i, j, beforeLast, last, row);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    row[to + 1] = FAR;
    if (least > allowed) return allowed + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length] as number;
}

type Row = number[];
const FAR = 1_000;

function stepCost(a: string, b: string, i: number, j: number, beforeLast: Row, last: Row, row: Row): number {
  const isSame = a[i - 1] === b[j - 1];
  const cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1));
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return isSwap ? Math.min(cost, at(beforeLast, j - 2) + 1) : cost;
}

function at(row: Row, index: number): number {
  return row[index] ?? FAR;
}
