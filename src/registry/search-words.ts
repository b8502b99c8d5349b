// A text as the words that tools are found by: split at separators and capitals, lower case, without endings and noise.

/** Of a longer text only the beginning counts; it bounds the work for hostile ones. */
const MAX_TEXT_CHARS = 4_000;
const MAX_QUERY_WORDS = 32;

const ASCII_WORD = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g;
const WORD = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+\p{N}*|\p{N}+/gu;
/** Scripts that write without spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{3,}$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII that is meant
const IS_ASCII = /^[\x00-\x7f]*$/;

/** They are in every description and in nothing that was asked for. */
const NOISE: ReadonlySet<string> = new Set(
  "a an and any are as at be by can do for from has how i in into is it its me my no not of on or some that the then thi to tool use using want what when which will with you".split(
    " ",
  ),
);

/** The words of a text, as often as they occur: `listOpenIssues` gives `list`, `open`, `issue`. */
export function wordsOf(text: string): string[] {
  const start = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  if (IS_ASCII.test(start)) return (start.match(ASCII_WORD) ?? []).map(wordForm);
  const plain = start.normalize("NFKD").replace(/\p{M}/gu, "");
  return (plain.match(WORD) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [wordForm(word)]));
}

/** The words that a query asks for, each once. Words that say nothing count only when there are no others. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !NOISE.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_QUERY_WORDS);
}

/** A name without case and separators: `run_checks`, `run checks` and `runChecks` are one. */
export function plainName(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .toLowerCase()
    .replace(/[\s_.:/-]+/g, "");
}

/** One word in lower case, the commonest plural taken off. Both sides of a search are treated so, which is all it needs. */
function wordForm(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 4 || !lower.endsWith("s") || lower.endsWith("ss")) return lower;
  return lower.endsWith("ies") ? `${lower.slice(0, -3)}y` : lower.slice(0, -1);
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
