// Any drawing, whatever its texts hold: no line is too wide, nothing commands the terminal or the page.
import { eastAsianWidth } from "get-east-asian-width";
import { drawingToHtml, drawingToText } from "nestcall/trace";
import { expect, test } from "vitest";
import { createRandom, forEachSeed, seedOfThisRun } from "../helpers/random.js";
import { randomDrawing, readHtml } from "./random-drawing.js";

const RUNS = 1500;
// Control characters, marks of direction, what nobody sees, halves of pairs; joiners and emoji forms are no harm.
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\uffff\u{e0000}-\u{e0fff}]|\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are control sequences
const COLOUR = /\x1b\[(?:1|2|22|3[1-6]|39)m/g;
const WIDE_EMOJI = ["👩‍👩‍👧", "👍🏽", "🇩🇪", "❤️"];

/** The columns of a line, counted another way: emoji by name, else code point by code point. */
function columnsOf(line: string): number {
  const plain = WIDE_EMOJI.reduce((text, emoji) => text.replaceAll(emoji, "xx"), line);
  let columns = 0;
  for (const char of plain)
    if (!/[\p{M}\u1160-\u11ff]|\u200d|\ufe0f/u.test(char)) columns += eastAsianWidth(char.codePointAt(0) ?? 0);
  return columns;
}

test(`${RUNS} random drawings as text: within the width, nothing harmful, colours that end where they began`, async () => {
  await forEachSeed(seedOfThisRun(), RUNS, async (seed) => {
    const random = createRandom(seed);
    const drawing = randomDrawing(random);
    const width = random.pick([20, 21, 40, 80, 200]);
    const plain = drawingToText(drawing, { width });
    for (const line of plain.split("\n")) {
      expect(columnsOf(line), JSON.stringify(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(HARMFUL);
      expect(line).not.toMatch(/ $/);
    }
    const coloured = drawingToText(drawing, { width, colors: true });
    expect(coloured.replaceAll(COLOUR, "")).toBe(plain);
    for (const line of coloured.split("\n")) {
      const ends = (line.match(COLOUR) ?? []).map((code) => /(?:22|39)m$/.test(code));
      expect(ends).toEqual(ends.map((_, index) => index % 2 === 1));
    }
    expect(drawingToText(drawing, { width: Number.POSITIVE_INFINITY })).not.toMatch(HARMFUL);
  });
});
test(`${RUNS} random drawings as HTML: balanced elements of ours, texts escaped, nothing harmful`, async () => {
  await forEachSeed(seedOfThisRun(), RUNS, async (seed) => {
    const html = drawingToHtml(randomDrawing(createRandom(seed)), { style: seed % 2 === 0 });
    readHtml(html);
    expect(html.replaceAll("\t", "")).not.toMatch(HARMFUL);
  });
});
