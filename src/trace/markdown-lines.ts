// Markdown line by line, as much of it as makes a text easier to read: headings, lists, quotes, code, strong words.
// Everything else, links and pictures too, stays as it was written: what is read is what is there. Linear time.

interface MarkdownSpan {
  readonly text: string;
  readonly kind: "plain" | "strong" | "code";
}
export interface MarkdownLine {
  readonly kind: "text" | "heading" | "item" | "quote" | "code" | "rule";
  /** Columns before it. */
  readonly indent: number;
  /** `-` or `3.`, of an item. */
  readonly marker: string;
  readonly spans: readonly MarkdownSpan[];
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}#{1,6} +(?=\S)/;
const ITEM = /^( {0,40})([-*+]|\d{1,9}[.)]) +(?=\S)/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}(?:(?:- *){3,100}|(?:\* *){3,100}|(?:_ *){3,100})$/;

export function markdownLines(lines: readonly string[]): MarkdownLine[] {
  const found: MarkdownLine[] = [];
  let fence: string | undefined;
  for (const text of lines) {
    const [, mark] = FENCE.exec(text) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && text.trim() === mark) fence = undefined;
      else found.push(codeLine(text));
    } else if (mark !== undefined) fence = mark;
    else found.push(outsideOfCode(text));
  }
  return found;
}

function outsideOfCode(text: string): MarkdownLine {
  const base = { indent: 0, marker: "", spans: [] };
  if (RULE.test(text)) return { ...base, kind: "rule" };
  const heading = HEADING.exec(text);
  if (heading !== null) return { ...base, kind: "heading", spans: inlineSpans(text.slice(heading[0].length)) };
  const item = ITEM.exec(text);
  if (item !== null) {
    const [whole, blanks = "", marker = ""] = item;
    return { kind: "item", indent: blanks.length, marker, spans: inlineSpans(text.slice(whole.length)) };
  }
  const quote = QUOTE.exec(text);
  if (quote !== null) return { ...base, kind: "quote", spans: inlineSpans(text.slice(quote[0].length)) };
  return { ...base, kind: "text", spans: inlineSpans(text) };
}

function codeLine(text: string): MarkdownLine {
  return { kind: "code", indent: 0, marker: "", spans: [{ text, kind: "code" }] };
}

/** `code` and **strong**; a mark without its other half stays a character. */
function inlineSpans(text: string): MarkdownSpan[] {
  const spans: MarkdownSpan[] = [];
  let plainFrom = 0;
  const closers = { "`": text.lastIndexOf("`"), "**": text.lastIndexOf("**") };
  for (let index = 0; index < text.length; ) {
    const mark = text[index] === "`" ? "`" : text.startsWith("**", index) ? "**" : undefined;
    const from = index + (mark?.length ?? 1);
    // Behind the last mark of a kind there is no other half to look for: a text full of marks is read once.
    const end = mark === undefined || closers[mark] < from ? -1 : text.indexOf(mark, from);
    if (mark === undefined || end <= from) {
      index = from;
      continue;
    }
    if (index > plainFrom) spans.push({ text: text.slice(plainFrom, index), kind: "plain" });
    spans.push({ text: text.slice(from, end), kind: mark === "`" ? "code" : "strong" });
    index = end + mark.length;
    plainFrom = index;
  }
  if (plainFrom < text.length) spans.push({ text: text.slice(plainFrom), kind: "plain" });
  return spans;
}
