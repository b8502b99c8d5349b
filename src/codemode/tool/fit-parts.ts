// Output, value and console lines of a script share one budget. Long output must not push the value out, so what comes
// later has a share that is its own.
import { countLines, keepHead, type TextLimits, type TruncatedText } from "../../file-tools/truncate-text.js";
import type { ContentBlock } from "../../tools/tool.js";

type TextKind = "output" | "value" | "console";
/** A text that may be cut, or a block that is shown as it is, with a note beside it. */
export type Part =
  | { readonly kind: TextKind; readonly text: string }
  | { readonly block: ContentBlock; readonly note: string };

export interface FittedParts {
  readonly content: readonly ContentBlock[];
  /** What is not shown, all together. */
  readonly missing: TruncatedText;
}

/** How much of the whole the value and the console lines are sure of, when they need it. */
const SHARES: Readonly<Record<TextKind, number>> = { output: 0, value: 0.5, console: 0.1 };

export function fitParts(parts: readonly Part[], whole: TextLimits): FittedParts {
  const shares = new Shares(parts, whole);
  const content: ContentBlock[] = [];
  let [missingLines, missingBytes] = [0, 0];
  for (const part of parts) {
    if (!("text" in part)) {
      content.push(part.block, textBlock(part.note));
      continue;
    }
    const kept = keepHead(part.text, shares.limitsOf(part.kind));
    shares.take(part.kind, kept);
    missingLines += kept.missingLines;
    missingBytes += kept.missingBytes;
    if (kept.text !== "" || part.text === "") content.push(textBlock(kept.text));
  }
  const missing = { text: "", isTruncated: missingBytes > 0, missingLines, missingBytes, totalLines: 0, totalBytes: 0 };
  return { content, missing };
}

export const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** What is left for each kind of text. */
class Shares {
  #left: TextLimits;
  readonly #reserved: Record<TextKind, TextLimits>;
  readonly #cut = new Set<TextKind>();

  constructor(parts: readonly Part[], whole: TextLimits) {
    this.#left = whole;
    const reserve = (kind: TextKind): TextLimits => {
      const texts = parts.flatMap((part) => ("text" in part && part.kind === kind ? [part.text] : []));
      const sum = (measure: (text: string) => number) => texts.reduce((total, text) => total + measure(text), 0);
      return {
        maxBytes: Math.min(
          sum((text) => Buffer.byteLength(text)),
          Math.floor(whole.maxBytes * SHARES[kind]),
        ),
        maxLines: Math.min(sum(countLines), Math.floor(whole.maxLines * SHARES[kind])),
      };
    };
    this.#reserved = { output: reserve("output"), value: reserve("value"), console: reserve("console") };
  }

  /** Once a text of a kind was cut, nothing of that kind follows: what is shown has no gaps. */
  limitsOf(kind: TextKind): TextLimits {
    if (this.#cut.has(kind)) return { maxBytes: 0, maxLines: 0 };
    const { value, console: lines } = this.#reserved;
    const others = kind === "output" ? [value, lines] : kind === "value" ? [lines] : [];
    return {
      maxBytes: others.reduce((left, { maxBytes }) => left - maxBytes, this.#left.maxBytes),
      maxLines: others.reduce((left, { maxLines }) => left - maxLines, this.#left.maxLines),
    };
  }

  take(kind: TextKind, kept: TruncatedText): void {
    if (kept.isTruncated) this.#cut.add(kind);
    const { maxBytes, maxLines } = this.#left;
    const bytes = kept.totalBytes - kept.missingBytes;
    this.#left = { maxBytes: maxBytes - bytes, maxLines: Math.max(0, maxLines - countLines(kept.text)) };
  }
}
