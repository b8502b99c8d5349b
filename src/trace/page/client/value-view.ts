// Arguments and results. Long ones show their beginning, and the rest when it is asked for.
import type { PageText } from "../page-data.js";
import { fill, make, makeButton, makeLine, makeText } from "./dom.js";
import { formatCount, plural } from "./format.js";

/** UTF-16 units that are shown at once, and with each "show more". */
const FIRST_CHARS = 4_000;
const MORE_CHARS = 200_000;
const MAX_FIELDS = 200;

/** A text, its beginning first. */
export function textView({ text, left = 0 }: PageText, className = ""): HTMLElement {
  const view = make("div", `text ${className}`);
  const pre = makeText("pre", "", text.slice(0, FIRST_CHARS));
  view.append(pre);
  if (text.length > FIRST_CHARS) view.append(moreButton(text, pre));
  if (left > 0) view.append(make("p", "faint", `${formatCount(left)} more characters had no place in this page.`));
  return view;
}

function moreButton(text: string, pre: HTMLElement): HTMLElement {
  let shown = FIRST_CHARS;
  const words = () =>
    `Show ${formatCount(Math.min(MORE_CHARS, text.length - shown))} more of ${plural(text.length, "character")}`;
  const button = makeButton("more", words(), () => {
    // A line of its own for each part: one text of a megabyte would be laid out again with every part.
    pre.append(makeText("span", "", text.slice(shown, shown + MORE_CHARS)));
    shown += MORE_CHARS;
    if (shown >= text.length) button.remove();
    else button.textContent = words();
  });
  return button;
}

/** Arguments: each field with its value, texts as they are read; or the whole as JSON. */
export function argumentsView(args: unknown): HTMLElement {
  const view = make("div", "value");
  const isFields = typeof args === "object" && args !== null && !Array.isArray(args);
  const fields = isFields ? Object.entries(args) : [];
  const json = () => textView({ text: jsonOf(args) });
  if (fields.length === 0 || fields.length > MAX_FIELDS) {
    view.append(json());
    return view;
  }
  const body = make("div");
  let isJson = false;
  const show = () => fill(body, [isJson ? json() : fieldsView(fields)]);
  const toggle = makeButton("form", "as JSON", () => {
    isJson = !isJson;
    toggle.textContent = isJson ? "as fields" : "as JSON";
    show();
  });
  show();
  view.append(toggle, body);
  return view;
}

function fieldsView(fields: readonly (readonly [string, unknown])[]): HTMLElement {
  const list = make("dl", "fields");
  for (const [name, value] of fields) {
    const text = typeof value === "string" ? value : jsonOf(value);
    const shown = make("dd", typeof value === "string" ? "is-text" : `is-${value === null ? "null" : typeof value}`);
    shown.append(text === "" ? make("span", "faint", "(empty)") : textView({ text }));
    list.append(makeLine("dt", "", name), shown);
  }
  return list;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
