// Lines as text, with colours where they are wanted. It is the only place that makes escape sequences.
import type { Style } from "./display-cells.js";
import type { Line } from "./text-layout.js";

/** Where each style begins and ends, in the words of ECMA-48 (select graphic rendition). */
const CODES: { readonly [S in Style]?: readonly [number, number] } = {
  strong: [1, 22],
  muted: [2, 22],
  accent: [36, 39],
  success: [32, 39],
  warning: [33, 39],
  error: [31, 39],
  added: [32, 39],
  removed: [31, 39],
};

/** No line ends in blanks; each ends in the state in which it began. */
export function paintLines(lines: readonly Line[], colors: boolean): string {
  return lines.map((spans) => paintLine(spans, colors)).join("\n");
}

function paintLine(spans: Line, colors: boolean): string {
  const kept = withoutBlanksAtEnd(spans);
  return kept.map(({ text, style }) => (colors ? painted(text, style) : text)).join("");
}

function withoutBlanksAtEnd(spans: Line): Line {
  const kept = [...spans];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = last.text.trimEnd();
    if (text !== "") return [...kept, { text, style: last.style }];
  }
  return kept;
}

function painted(text: string, style: Style): string {
  const codes = CODES[style];
  return codes === undefined ? text : `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
}
