// What a program or a file may contain and a model must not get as it is: colours and cursor moves, characters that
// reorder or hide text, control characters. What a terminal would obey is taken out; the rest is shown as an escape,
// so that nothing that was printed can be hidden from the reader.

// Each part ends at the next ESC at the latest, so a text full of broken sequences is still read in one pass.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TERMINAL_SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ`-~])/g;
// How `man` prints underlined and bold letters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OVERSTRUCK = /_\x08(?=[^\x08])|([^\n\x08])\x08(?=\1)/gu;
const LINE_END = /\r\n?/g; // a lone CR draws over the line: shown as lines, nothing is lost
// C0 and C1 without tab and line feed, marks of direction, line separators, invisible signs, tags, lone surrogates.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;
// A plain text, which most are, is looked through once and not copied.
const SUSPICIOUS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/;

/** The text without terminal sequences, its other control and invisible characters written as `\x08` or `\u202e`. */
export function safeText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(TERMINAL_SEQUENCE, "").replace(OVERSTRUCK, "").replace(LINE_END, "\n").replace(UNSAFE, escapeOf);
}

/** As `safeText`, for a name or a path that has to stay on one line. */
export function safeLine(text: string): string {
  return safeText(text.replaceAll("\r", "\\r")).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** As `safeText`, for one line of a text: a CR in it stays visible and begins no further line. */
export function safeTextLine(text: string): string {
  return safeText(text.replaceAll("\r", "\\r")).replaceAll("\n", "\\n");
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
