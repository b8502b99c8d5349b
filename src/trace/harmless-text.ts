// Texts of tools and of the world, so that neither a terminal nor a page does what they say.
import { safeText } from "../errors/safe-text.js";

/** Characters that nobody sees, and code points that are no characters. The joiners and the choice of an emoji's form stay. */
const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const PLAIN = /^[\n\x20-\x7e]*$/;

/**
 * The text without terminal sequences; other control characters, marks that turn the direction of writing and invisible
 * characters are spelled as `\x08` or `\u202e`. Line ends are `\n`; tabs stay.
 */
export function harmlessText(text: string): string {
  if (PLAIN.test(text)) return text;
  return safeText(text.toWellFormed()).replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Its lines, at least one. */
export function harmlessLines(text: string): string[] {
  return harmlessText(text).split("\n");
}

/** The text on one line. */
export function harmlessLine(text: string): string {
  return harmlessLines(text)
    .map((line) => line.replaceAll("\t", " ").trim())
    .join(" ")
    .trim();
}
