// The words by which tools are found: names fall apart at `_`, `-`, `.` and capital letters, endings do not count.

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from in into is it of on or that the this to with".split(" "),
);
const MAX_CHARS = 20_000;
/** In scripts without spaces every sign is taken as a word; elsewhere a run of letters or of digits is one. */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])\p{L})+|\p{N}+/gu;

/** The words of a text in lower case, without endings and without the smallest ones. */
export function wordsOf(text: string): string[] {
  const parts = text
    .slice(0, MAX_CHARS)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2") // listIssues
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2") // HTTPServer
    .normalize("NFKD")
    .replace(/\p{M}/gu, "") // résumé, as typed on another keyboard
    .toLowerCase()
    .match(WORD);
  return (parts ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** Without the endings of English that tell forms of one word apart. Only compared, never shown. */
function stem(word: string): string {
  const singular = withoutPlural(word);
  if (singular.length > 5 && singular.endsWith("ing")) return undoubled(singular.slice(0, -3));
  if (singular.length > 4 && singular.endsWith("ed")) return undoubled(singular.slice(0, -2));
  return singular.length > 3 && singular.endsWith("e") ? singular.slice(0, -1) : singular;
}

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function undoubled(word: string): string {
  return /([bdgklmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
