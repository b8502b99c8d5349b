// Redaction of JSON data for a collector, which does it for every call and seldom finds anything.
import { mapTexts } from "../../records/json-snapshot.js";

export type Redact = (text: string) => string;

const MAX_KNOWN_KEYS = 1000;

/** Keys without a match. They come again with every call of a tool, values seldom do. */
const cleanKeys = new WeakMap<Redact, Set<string>>();

/** The value itself when nothing in it matches, else a copy with every text redacted, keys too. */
export function redactJson<T>(value: T, redact: Redact): T {
  return isClean(value, redact) ? value : (mapTexts(value, redact, true) as T); // texts stay texts, so the shape stays
}

function isClean(value: unknown, redact: Redact): boolean {
  if (typeof value === "string") return redact(value) === value;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isClean(item, redact));
  for (const key in value) {
    if (!isCleanKey(key, redact) || !isClean((value as Record<string, unknown>)[key], redact)) return false;
  }
  return true;
}

function isCleanKey(key: string, redact: Redact): boolean {
  const known = cleanKeys.get(redact) ?? new Set();
  if (known.has(key)) return true;
  if (redact(key) !== key) return false;
  if (known.size < MAX_KNOWN_KEYS) cleanKeys.set(redact, known.add(key));
  return true;
}
