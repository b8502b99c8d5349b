// What JSON takes for an empty object without a word: a script would be told that there is nothing in it.
import { types } from "node:util";

/** A second walk would take as long as the first; what is deeper than this is rare and passes. */
const MAX_LEVELS = 500;

/** Where in a value something is that JSON would lose, and what to do; `undefined` when there is nothing. */
export function oddPlace(value: unknown, path: string, level = 0): string | undefined {
  if (typeof value !== "object" || value === null || level > MAX_LEVELS) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (typeof item !== "object" || item === null) continue;
      const place = oddPlace(item, `${path}[${index}]`, level + 1);
      if (place !== undefined) return place;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function") return undefined; // it says itself what it is
    const kind = kindOf(value);
    if (kind !== undefined) return `${path} is ${kind}`;
  }
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof member !== "object" || member === null) continue;
    const place = oddPlace(member, `${path}.${key}`, level + 1);
    if (place !== undefined) return place;
  }
  return undefined;
}

function kindOf(value: object): string | undefined {
  if (types.isMap(value)) return "a Map; convert it with Object.fromEntries(map) or [...map]";
  if (types.isSet(value)) return "a Set; convert it to an array with [...set]";
  if (types.isNativeError(value) || value instanceof Error) return "an Error; throw it, or give its name and message";
  if (types.isPromise(value)) return "a promise; await it first";
  if (types.isArrayBufferView(value) || types.isAnyArrayBuffer(value)) {
    return "binary data; convert it to base64 or to an array of numbers";
  }
  return types.isWeakMap(value) || types.isWeakSet(value) ? "a weak collection, which has no JSON form" : undefined;
}
