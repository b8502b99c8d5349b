// The size of a value's compact JSON, found without the text, and given up as soon as it is too large. What was measured
// comes along as a copy: a getter or a `toJSON` may give something larger when it is asked the next time.
import { numberBytes, stringBytes } from "./json-text.js";

interface MeasuredJson {
  /** Plain data, frozen at every level; `undefined` when there is nothing that JSON could hold. */
  readonly json: unknown;
  /** UTF-8 bytes of its compact JSON, 0 when that is undefined. */
  readonly bytes: number;
}

/**
 * What `JSON.stringify(value)` would write, as data, and its size. `undefined` when it is more than `max` bytes: what lies
 * beyond is not read, so that a cycle ends too.
 *
 * @throws TypeError for a BigInt, and what a getter or `toJSON` throws.
 */
export function measuredJson(value: unknown, max: number): MeasuredJson | undefined {
  const form = formOf(value, "");
  if (isLeftOut(form)) return max < 0 ? undefined : { json: undefined, bytes: 0 };
  const walk = { used: 0, max };
  const json = copyOf(form, walk);
  return walk.used > max ? undefined : { json, bytes: walk.used };
}

interface Walk {
  /** Some number above `max` once it is too much; the copy is incomplete then. */
  used: number;
  readonly max: number;
}

function copyOf(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "string":
      walk.used += textBytes(value, walk.max - walk.used);
      return value;
    case "number":
      walk.used += numberBytes(value);
      return Number.isFinite(value) ? value + 0 : null; // JSON has no -0
    case "boolean":
      walk.used += value ? 4 : 5;
      return value;
    case "bigint":
      throw new TypeError("a BigInt has no JSON form");
    default:
      if (value !== null) {
        return Object.freeze(Array.isArray(value) ? copyOfItems(value, walk) : copyOfMembers(value as object, walk));
      }
      walk.used += 4;
      return null;
  }
}

function copyOfItems(items: readonly unknown[], walk: Walk): unknown[] {
  const { length } = items;
  walk.used += 2 + Math.max(0, length - 1);
  const copy: unknown[] = [];
  for (let index = 0; index < length && walk.used <= walk.max; index += 1) {
    const form = formOf(items[index], String(index));
    copy.push(copyOf(isLeftOut(form) ? null : form, walk));
  }
  return copy;
}

function copyOfMembers(holder: object, walk: Walk): object {
  walk.used += 2;
  const copy = {};
  let isFirst = true;
  for (const key of Object.keys(holder)) {
    if (walk.used > walk.max) break;
    const form = formOf((holder as Record<string, unknown>)[key], key);
    if (isLeftOut(form)) continue;
    walk.used += textBytes(key, walk.max - walk.used) + (isFirst ? 1 : 2);
    // Defined, not assigned: `__proto__` is a key like any other.
    Object.defineProperty(copy, key, { value: copyOf(form, walk), enumerable: true });
    isFirst = false;
  }
  return copy;
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
