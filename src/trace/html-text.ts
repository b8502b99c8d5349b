// What a page is given: texts without any power over it, and the style of drawings.
import { harmlessText } from "./harmless-text.js";

const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For the text of an element, and for an attribute in quotes. */
export function escapeHtml(text: string): string {
  return harmlessText(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
}

/** An element of ours: its name and class are written in this library, never taken from a drawing. */
export function element(name: string, className: string, content: string): string {
  // A parser drops a line end that directly follows `<pre>`.
  const inner = name === "pre" && content.startsWith("\n") ? `\n${content}` : content;
  return `<${name}${className === "" ? "" : ` class="nestcall-${className}"`}>${inner}</${name}>`;
}

/** Looks readable on a light and on a dark page; sizes and fonts come from the page around it. */
export const DRAWING_STYLE = [
  ".nestcall-drawing{line-height:1.45;overflow-wrap:anywhere}",
  ".nestcall-drawing pre,.nestcall-drawing code,.nestcall-label{font-family:ui-monospace,monospace;unicode-bidi:isolate}",
  ".nestcall-drawing pre{margin:0;white-space:pre-wrap}",
  ".nestcall-drawing p{margin:0;white-space:pre-wrap;min-height:1em}",
  ".nestcall-drawing ul{margin:0;padding-left:1.5em;list-style:none}",
  ".nestcall-label{white-space:pre-wrap}",
  ".nestcall-drawing table{border-collapse:collapse}",
  ".nestcall-drawing th,.nestcall-drawing td{padding:.1em .8em .1em 0;text-align:left;vertical-align:top;white-space:pre-wrap}",
  ".nestcall-drawing th{border-bottom:1px solid}",
  ".nestcall-drawing img{max-width:100%}",
  ".nestcall-path,.nestcall-head,.nestcall-heading{font-weight:bold}",
  ".nestcall-muted,.nestcall-note{opacity:.65}",
  ".nestcall-accent,.nestcall-hunk{color:#0a7ea4}",
  ".nestcall-success,.nestcall-added{color:#1a7f37}",
  ".nestcall-warning{color:#9a6700}",
  ".nestcall-error,.nestcall-removed{color:#cf222e}",
  ".nestcall-quote{border-left:.2em solid;padding-left:.6em}",
].join("\n");
