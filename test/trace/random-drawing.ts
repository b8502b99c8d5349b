// Drawings of every kind whose texts try to do harm, and readers that say what came out of them.
import { expect } from "vitest";
import type { Drawing, DrawingTone, TreeDrawing } from "../../src/tools/drawing.js";
import { DRAWING_STYLE } from "../../src/trace/html-text.js";
import type { Random } from "../helpers/random.js";

const PIECES = [
  "word",
  "a longer piece of text with blanks",
  "x".repeat(90),
  " ",
  "   ",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "字",
  "漢字かな交じり文",
  "한국어",
  "한",
  "é",
  `a${"\u0301".repeat(30)}`,
  "👩‍👩‍👧",
  "👍🏽",
  "🇩🇪",
  "❤️",
  "क्षत्रिय",
  "עברית",
  "\u001b[31mred\u001b[0m",
  "\u001b]8;;https://a.example\u0007link\u001b]8;;\u0007",
  "\u001b]0;title",
  "\u001b[2J",
  "\u001b",
  "\u009b31m",
  "\0",
  "\u0007",
  "\b\b\b",
  "\u007f",
  "\u0085",
  "\u202egnp.exe",
  "\u2066isolated\u2069",
  "\u200f",
  "\u200b",
  "\u00ad",
  "\u2028",
  "\ufeff",
  "\u{e0041}\u{e0042}",
  "\u{e0100}",
  "\ud800",
  "\udc00",
  "\uffff",
  "<script>alert(1)</script>",
  "</pre></div>",
  '" onload="x()',
  "' onerror='x()",
  "&amp;&#60;<!--",
  "]]>",
  "javascript:x()",
  "# head",
  "```",
  "**",
  "`",
  "- item ",
  "> quote ",
  "@@ -1,3 +1,2 @@",
  "+added",
  "-removed",
  "--- a",
  "|",
] as const;
const TONES: readonly DrawingTone[] = ["plain", "muted", "accent", "success", "warning", "error"];

function hostileText(random: Random, most = 12): string {
  return Array.from({ length: random.between(0, most) }, () => random.pick(PIECES)).join("");
}

export function randomDrawing(random: Random, level = 0): Drawing {
  const kinds = { text: 3, markdown: 2, table: 2, diff: 2, image: 1, tree: 2, stack: level > 3 ? 0.01 : 3 };
  const type = random.weighted(kinds);
  const tone = random.chance(0.5) ? {} : { tone: random.pick(TONES) };
  switch (type) {
    case "text":
      return { type, text: hostileText(random), ...tone };
    case "markdown":
    case "diff":
      return { type, text: Array.from({ length: random.between(0, 6) }, () => hostileText(random, 5)).join("\n") };
    case "table":
      return {
        type,
        columns: Array.from({ length: random.between(0, 6) }, () => hostileText(random, 3)),
        rows: Array.from({ length: random.between(0, 4) }, () =>
          Array.from({ length: random.between(0, 7) }, () => hostileText(random, 4)),
        ),
      };
    case "image":
      return {
        type,
        data: random.pick(["AAAA", "iVBORw0KGgo=", '"><script>', ""]),
        mimeType: random.pick(["image/png", "image/svg+xml", 'image/png" onload="x()', "text/html"]),
        ...(random.chance(0.5) ? { alternative: hostileText(random) } : {}),
      };
    case "tree":
      return randomTree(random, random.chance(0.1) ? 40 : 4);
    default:
      return {
        type,
        items: Array.from({ length: random.between(0, 4) }, () => randomDrawing(random, level + 1)),
      };
  }
}

function randomTree(random: Random, levels: number): TreeDrawing {
  const count = levels === 0 ? 0 : levels > 4 ? 1 : random.between(0, 3);
  return {
    type: "tree",
    label: hostileText(random, 5),
    ...(random.chance(0.5) ? {} : { tone: random.pick(TONES) }),
    children: Array.from({ length: count }, () => randomTree(random, levels - 1)),
  };
}

const TAGS = [
  "div",
  "style",
  "pre",
  "p",
  "span",
  "strong",
  "code",
  "hr",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "img",
  "ul",
  "li",
];
const ATTRIBUTE =
  / (?:class="nestcall-[a-z]+(?: nestcall-[a-z]+)?"|src="data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+=*"|alt="[^"<>]*")/y;
const TAG = /<(\/?)([a-z]+)/y;
const TEXT = /(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)+/y;

/** Reads a fragment as strictly as can be, and fails where it is not what we write; gives its texts, decoded. */
export function readHtml(html: string): string[] {
  const open: string[] = [];
  const texts: string[] = [];
  const fragment = html.replace(`<style>${DRAWING_STYLE}</style>`, "");
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(fragment);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < fragment.length) {
    const tag = read(TAG);
    if (tag === null) {
      const text = read(TEXT);
      expect(text, `text or a tag at ${JSON.stringify(fragment.slice(at, at + 60))}`).not.toBeNull();
      expect(open, "text stands in an element").not.toEqual([]);
      texts.push(decode(text?.[0] ?? ""));
      continue;
    }
    const [, slash, name = ""] = tag;
    expect(TAGS).toContain(name);
    while (slash === "" && read(ATTRIBUTE) !== null);
    expect(fragment[at], `the end of <${name}> at ${JSON.stringify(fragment.slice(at, at + 60))}`).toBe(">");
    at += 1;
    if (slash === "/") expect(open.pop()).toBe(name);
    else if (name !== "img" && name !== "hr") open.push(name);
  }
  expect(open).toEqual([]);
  return texts;
}

function decode(text: string): string {
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return text.replace(/&[a-z#0-9]+;/g, (entity) => entities[entity] ?? "?");
}
