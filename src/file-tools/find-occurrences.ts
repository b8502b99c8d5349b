// Where a text occurs in another: in linear time whatever the two are, since both come from a model or a file.

/** Up to here the search of the engine, which is faster, cannot take long even where it is quadratic. */
const MAX_PRODUCT = 100_000_000;

export interface FindOptions {
  /** Stops there. */
  readonly max: number;
  /** Whether an occurrence may begin inside of the one before it. */
  readonly mayOverlap: boolean;
}

/** The offsets of a part that is not empty, in rising order. */
export function findOccurrences(text: string, part: string, options: FindOptions): number[] {
  if (part.length > text.length) return [];
  return text.length * part.length <= MAX_PRODUCT
    ? findQuickly(text, part, options)
    : findLinearly(text, part, options);
}

function findQuickly(text: string, part: string, { max, mayOverlap }: FindOptions): number[] {
  const found: number[] = [];
  const step = mayOverlap ? 1 : part.length;
  for (let at = text.indexOf(part); at !== -1 && found.length < max; at = text.indexOf(part, at + step)) found.push(at);
  return found;
}

/** Knuth, Morris, Pratt: never looks back in the text. */
function findLinearly(text: string, part: string, { max, mayOverlap }: FindOptions): number[] {
  const fallback = fallbacksOf(part);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && found.length < max; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = fallback[matched - 1] as number;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched < part.length) continue;
    found.push(at - part.length + 1);
    matched = mayOverlap ? (fallback[matched - 1] as number) : 0;
  }
  return found;
}

/** For each beginning of the part, the length of its longest proper end that is a beginning too. */
function fallbacksOf(part: string): Int32Array {
  const fallback = new Int32Array(part.length);
  let matched = 0;
  for (let at = 1; at < part.length; at += 1) {
    const unit = part.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = fallback[matched - 1] as number;
    if (part.charCodeAt(matched) === unit) matched += 1;
    fallback[at] = matched;
  }
  return fallback;
}
