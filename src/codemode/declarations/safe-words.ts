// Descriptions, names and values come from third parties. Nothing of them may end a comment, steer the compiler,
// hide text, or break out of the fence that a host puts around the declarations.
import { cutText } from "../../errors/text.js";

// Controls, marks of direction, invisible signs and fillers, tags, private use, lone surrogates.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u{e0100}-\u{e01ef}]/gu;
/** Most texts: words with single spaces between, without any sign that could mean something. Told in one pass. */
const PLAIN = /^[!-)+-?A-_a-}]+(?: [!-)+-?A-_a-}]+)*$/;
const ASCII_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The text on one line, safe inside `/* … *\/` and after `//`, with an ellipsis when it is longer than `maxChars`. */
export function safeLine(text: string, maxChars: number): string {
  if (text.length <= maxChars && PLAIN.test(text)) return text;
  // What is far beyond the cut is not looked at: descriptions can be megabytes.
  const flat = defused(cutText(text, maxChars * 4).replace(/[\s\u2028\u2029]+/g, " ")).trim();
  return flat.length <= maxChars && text.length <= maxChars * 4 ? flat : `${cutText(flat, maxChars - 1).trimEnd()}…`;
}

/** The lines of a longer text, each safe; blank lines at the ends go. */
export function safeLines(text: string, maxChars: number): string[] {
  const cut = text.length <= maxChars ? text : `${cutText(text, maxChars - 1).trimEnd()}…`;
  const lines = cut.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => defused(line.replaceAll("\t", "  ")).trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}

function defused(text: string): string {
  return text
    .replace(HIDDEN, "")
    .replaceAll("*/", "*\\/")
    .replace(/@(ts-|jsx)/gi, "@ $1") // `@ts-expect-error` in a comment is an instruction to the compiler
    .replace(/`{3,}|~{3,}/g, "'''");
}

/** Up to the end of the first sentence, on one line. */
export function firstSentence(text: string, maxChars: number): string {
  const line = safeLine(text, Math.max(maxChars, 400));
  const end = /^.{10,}?[.!?。！？](?=\s|$)(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)/u.exec(line);
  return safeLine(end === null ? line : end[0], maxChars);
}

/** The name as it stands before a colon or a bracket: bare where TypeScript allows, else quoted. */
export function propertyName(name: string): string {
  return ASCII_NAME.test(name) ? name : quoted(name);
}

/** As `propertyName`, for a method: bare, `new` would be a constructor and `get` looks like an accessor. */
export function methodName(name: string): string {
  return ASCII_NAME.test(name) && !/^(?:new|constructor|get|set|readonly)$/.test(name) ? name : quoted(name);
}

/** A string literal with everything that is invisible or could end a comment written as an escape. */
export function quoted(text: string): string {
  return JSON.stringify(text)
    .replace(HIDDEN, escaped)
    .replaceAll("*/", "*\\/")
    .replace(/`{3,}|~{3,}/g, (fence) => [...fence].map(escaped).join(""));
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Tokens of a text, estimated at four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
