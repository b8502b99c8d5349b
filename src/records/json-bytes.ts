// The size of a value's compact JSON, found without the text, and given up as soon as it is too large.
import { numberBytes, stringBytes } from "./json-text.js";

/**
 * UTF-8 bytes of `JSON.stringify(value)`, 0 when that is undefined. `undefined` when they are more than `max`: what lies
 * beyond is not read, so that a cycle ends too.
 *
 * @throws TypeError for a BigInt, and what a getter or `toJSON` throws.
 */
export function jsonBytes(value: unknown, max: number): number | undefined {
  const form = formOf(value, "");
  const bytes = isLeftOut(form) ? 0 : add(form, 0, max);
  return bytes > max ? undefined : bytes;
}

/** `used` and what the value takes; some number above `max` when that is too much. */
function add(value: unknown, used: number, max: number): number {
  switch (typeof value) {
    case "string":
      return used + textBytes(value, max - used);
    case "number":
      return used + numberBytes(value);
    case "boolean":
      return used + (value ? 4 : 5);
    case "bigint":
      throw new TypeError("a BigInt has no JSON form");
    default:
      if (value === null) return used + 4;
      return Array.isArray(value) ? addItems(value, used + 2, max) : addMembers(value as object, used + 2, max);
  }
}

function addItems(items: readonly unknown[], start: number, max: number): number {
  let used = start + Math.max(0, items.length - 1);
  for (let index = 0; index < items.length && used <= max; index += 1) {
    const form = formOf(items[index], String(index));
    used = isLeftOut(form) ? used + 4 : add(form, used, max);
  }
  return used;
}

function addMembers(holder: object, start: number, max: number): number {
  let used = start;
  let isFirst = true;
  for (const key of Object.keys(holder)) {
    if (used > max) break;
    const form = formOf((holder as Record<string, unknown>)[key], key);
    if (isLeftOut(form)) continue;
    used = add(form, used + textBytes(key, max - used) + (isFirst ? 1 : 2), max);
    isFirst = false;
  }
  return used;
}

/** Half of a pair is six bytes of escape in JSON's text, unlike what `stringBytes` counts. */
function textBytes(text: string, left: number): number {
  if (text.length > left) return text.length + 2;
  return text.isWellFormed() ? stringBytes(text) : Buffer.byteLength(JSON.stringify(text));
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function formOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const form: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  const isBoxed = form instanceof String || form instanceof Number || form instanceof Boolean;
  return isBoxed ? form.valueOf() : form;
}
