// The words that a failed rule and a library's issue are told in (A4).
import { describeValue, shortenText } from "../errors/text.js";
import { closestNames } from "./closest-names.js";
import { oneLine, type PlacePath, quotedText } from "./place-text.js";
import { isSchemaNode } from "./schema-references.js";

const MAX_CHOICES_CHARS = 600;

/** That a key is none of `known`, with the closest one that `holder` does not have yet. */
export function unknownKeyText(key: string, known: readonly string[], holder: unknown): string {
  const free = known.filter((name) => !(isSchemaNode(holder) && Object.hasOwn(holder, name)));
  return `is not a known key${knownText(key, free, known)}`;
}

function knownText(key: string, free: readonly string[], known: readonly string[]): string {
  const [close] = closestNames(key, free, 1);
  if (close !== undefined) return `; did you mean ${quotedText(close, 60)}?`;
  if (known.length === 0) return "; none is taken here";
  return `; the known keys are ${listText(
    known.map((name) => quotedText(name, 60)),
    300,
  )}`;
}

/** `one of "a", "b"` */
export function choicesText(choices: unknown): string {
  const texts = namesOrValues(choices).map((choice) =>
    typeof choice === "string" ? quotedText(choice, 80) : oneLine(jsonText(choice)),
  );
  return texts.length === 1 ? (texts[0] ?? "") : `one of ${listText(texts, MAX_CHOICES_CHARS)}`;
}

function jsonText(value: unknown): string {
  return shortenText(JSON.stringify(value) ?? String(value), 80);
}

function listText(texts: readonly string[], maxChars: number): string {
  let chars = 0;
  const shown = texts.filter((text, index) => {
    chars += text.length + 2;
    return index === 0 || chars <= maxChars;
  });
  return shown.join(", ") + (texts.length > shown.length ? ` and ${texts.length - shown.length} more` : "");
}

/** A text shows its beginning; of a number only the kind matters, unless it is of the right kind already. */
export function gotText(wanted: unknown, value: unknown): string {
  if (typeof value === "number" && wanted !== undefined && wanted !== "integer") return "a number";
  return oneLine(describeValue(value));
}

export function namesOrValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** The value at the path; undefined where there is none. */
export function valueAt(root: unknown, path: PlacePath): unknown {
  let current = root;
  for (const step of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}
