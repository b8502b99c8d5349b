// How a place inside a value or a schema is written in messages: `edits[1].oldText`.
import { shortenText } from "../errors/text.js";

export type PlacePath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;
// Line ends, control characters and those that reorder text would let a key forge another line of the message.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The path with dots and brackets, at most about 200 characters long; empty for the root. */
export function placeText(path: PlacePath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!PLAIN_KEY.test(step) || step.length > 60) text += `[${quotedText(step, 60)}]`;
    else text += text === "" ? step : `.${step}`;
    if (text.length > 200) return shortenText(text, 200);
  }
  return text;
}

/** The text on one line, without characters that act on a terminal. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The text in quotes, shortened and on one line. */
export function quotedText(text: string, maxChars: number): string {
  return oneLine(JSON.stringify(shortenText(text, maxChars)));
}
