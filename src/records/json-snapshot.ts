// A1, A2: the JSON form of a value, taken once. One walk gives the private copy of the tool, the frozen form that
// everybody else sees, and the size for the record. It means what `JSON.parse(JSON.stringify(value))` means, except that
// a function or a symbol inside is refused instead of lost.
import { describeValue, thrownText } from "../errors/text.js";
import { numberBytes, stringBytes } from "./json-text.js";

/** Containers inside containers; more than this is refused, and so is a cycle. */
const MAX_JSON_LEVELS = 1000;

export interface JsonSnapshot {
  /** For the tool and the hooks, which may change it. */
  readonly copy: unknown;
  /** Equal to `copy` at the moment of the snapshot; frozen at every level. */
  readonly frozen: unknown;
  /** UTF-8 bytes of the compact JSON. */
  readonly bytes: number;
  /** Whether every text in it is well formed; if not, records get a mended copy (R4). */
  readonly isWellFormed: boolean;
}
/** Why a value has no JSON form, with the place: `arguments.items[3] is a BigInt`. */
export interface UnreadableJson {
  readonly problem: string;
}

// The walk's other results, kept here so that the walk allocates nothing but the copies. It never yields.
const walk = {
  bytes: 0,
  isWellFormed: true,
  /** Somebody gave all objects an enumerable member, so the members of an object have to be told from it. */
  hasInherited: false,
  /** The private copy that belongs to the frozen value that was made last. */
  privateTwin: undefined as unknown,
};

/** The JSON form of `value`, or why there is none. Never throws, whatever code `value` runs when it is read. */
export function takeSnapshot(value: unknown): JsonSnapshot | UnreadableJson {
  const outerBytes = walk.bytes; // a getter or `toJSON` may take a snapshot of its own
  const outerWellFormed = walk.isWellFormed;
  walk.bytes = 0;
  walk.isWellFormed = true;
  walk.hasInherited = false;
  for (const _key in NOTHING) walk.hasInherited = true;
  try {
    const isObject = typeof value === "object" && value !== null;
    const frozen = isObject ? copyObject(value, 0, "") : plainValue(value);
    if (frozen === undefined) return { problem: explain(value) };
    // What holds no others is its own copy.
    const copy = typeof frozen === "object" && frozen !== null ? walk.privateTwin : frozen;
    return { copy, frozen, bytes: walk.bytes, isWellFormed: walk.isWellFormed };
  } catch (error) {
    return { problem: explain(value, error) };
  } finally {
    walk.bytes = outerBytes;
    walk.isWellFormed = outerWellFormed;
    walk.privateTwin = undefined;
  }
}

const NOTHING = Object.freeze({});

class Unreadable extends Error {}

/** What a value that holds no others is in JSON, `undefined` for what JSON leaves out; counts its bytes. */
function plainValue(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      countText(value);
      return value;
    case "number":
      walk.bytes += numberBytes(value);
      if (value === 0) return 0; // JSON has no -0
      return Number.isFinite(value) ? value : null;
    case "boolean":
      walk.bytes += value ? 4 : 5;
      return value;
    case "object":
      walk.bytes += 4;
      return null;
    case "undefined":
      return undefined;
    default:
      throw new Unreadable();
  }
}

function countText(text: string): void {
  const size = stringBytes(text);
  walk.bytes += size;
  if (size !== text.length + 2 && walk.isWellFormed) walk.isWellFormed = text.isWellFormed();
}

/** The frozen form of an object; `undefined` when JSON leaves it out. */
function copyObject(value: object, level: number, key: string): unknown {
  if (level >= MAX_JSON_LEVELS) throw new Unreadable();
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") {
    const json: unknown = toJSON.call(value, key);
    // A `toJSON` that returns an object with its own `toJSON` is not asked again, as in JSON.stringify.
    return typeof json === "object" && json !== null ? copyContainer(json, level) : plainValue(json);
  }
  return copyContainer(value, level);
}

function copyContainer(value: object, level: number): unknown {
  if (Array.isArray(value)) return copyArray(value, level);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && isBoxed(value)) return plainValue(value.valueOf());
  return copyRecord(value, level);
}

/** A primitive as an object; JSON takes it for the primitive. */
function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt;
}

function copyArray(value: readonly unknown[], level: number): readonly unknown[] {
  const { length } = value;
  const copy: unknown[] = new Array(length);
  const frozen: unknown[] = new Array(length);
  walk.bytes += length === 0 ? 2 : length + 1;
  for (let index = 0; index < length; index += 1) {
    const item = value[index];
    if (typeof item === "object" && item !== null) {
      const own = copyObject(item, level + 1, String(index));
      frozen[index] = own === undefined ? plainValue(null) : own;
      copy[index] = typeof own === "object" && own !== null ? walk.privateTwin : frozen[index];
    } else {
      const plain = plainValue(item);
      frozen[index] = copy[index] = plain === undefined ? plainValue(null) : plain;
    }
  }
  walk.privateTwin = copy;
  return Object.freeze(frozen);
}

/** Clones first and mends what JSON would have otherwise: building an object key by key takes twice as long. */
function copyRecord(value: object, level: number): object {
  const copy: Record<string, unknown> = { ...value };
  if (Object.getOwnPropertySymbols(copy).length > 0) return copyRecord(withoutSymbols(copy), level);
  let frozen: Record<string, unknown> | undefined; // a second clone as soon as the two differ
  let members = 0;
  for (const key in copy) {
    if (walk.hasInherited && !Object.hasOwn(copy, key)) continue;
    const item = copy[key];
    const isObject = typeof item === "object" && item !== null;
    const own = isObject ? copyObject(item, level + 1, key) : plainValue(item);
    if (own === undefined) {
      delete copy[key];
      if (frozen !== undefined) delete frozen[key];
      continue;
    }
    // Also for "__proto__": the clone made it a member like any other. A new 0 may stand for -0.
    if (typeof own === "object" && own !== null) {
      frozen ??= { ...copy };
      frozen[key] = own;
      copy[key] = walk.privateTwin;
    } else if (own !== item || own === 0) {
      copy[key] = own;
      if (frozen !== undefined) frozen[key] = own;
    }
    countText(key);
    members += 1;
  }
  walk.bytes += members === 0 ? 2 : 2 * members + 1;
  walk.privateTwin = copy;
  return Object.freeze(frozen ?? { ...copy });
}

function withoutSymbols(value: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(value));
}

/** A copy of a snapshot that may be changed. */
export function cloneJson(frozen: unknown): unknown {
  if (typeof frozen !== "object" || frozen === null) return frozen;
  if (Array.isArray(frozen)) {
    const { length } = frozen;
    const copy: unknown[] = new Array(length); // `slice` of a frozen array takes ten times as long
    for (let index = 0; index < length; index += 1) copy[index] = cloneJson(frozen[index]);
    return copy;
  }
  const copy: Record<string, unknown> = { ...frozen };
  for (const key in copy) {
    const item = copy[key];
    if (typeof item === "object" && item !== null) copy[key] = cloneJson(item);
  }
  return copy;
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Finds the place that the walk refused, by a second, slower one. */
function explain(value: unknown, error?: unknown): string {
  const path: (string | number)[] = [];
  const open = new Set<object>();
  try {
    const reason = findProblem(value, path, open, "");
    if (reason !== undefined) return `${placeOf(path)} ${reason}`;
  } catch (thrown) {
    return `${placeOf(path)} cannot be read: ${thrownText(thrown).slice(0, 200)}`;
  }
  if (error !== undefined && !(error instanceof Unreadable)) {
    return `the arguments cannot be read: ${thrownText(error).slice(0, 200)}`;
  }
  return "the arguments have no JSON form";
}

function findProblem(value: unknown, path: (string | number)[], open: Set<object>, key: string): string | undefined {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    return `is ${describeValue(value)}, which JSON cannot hold`;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (open.has(value)) return "leads back to itself, and JSON cannot hold a cycle";
  if (path.length > MAX_JSON_LEVELS - 1) return `is more than ${MAX_JSON_LEVELS} levels deep`;
  const { toJSON } = value as { readonly toJSON?: (key: string) => unknown };
  const json = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  if (typeof json !== "object" || json === null) {
    return typeof json === "undefined" ? "has no JSON form" : findProblem(json, path, open, key);
  }
  open.add(value);
  for (const member of Object.keys(json)) {
    path.push(Array.isArray(json) ? Number(member) : member);
    const reason = findProblem((json as Record<string, unknown>)[member], path, open, member);
    if (reason !== undefined) return reason;
    path.pop();
  }
  open.delete(value);
  return undefined;
}

function placeOf(path: readonly (string | number)[]): string {
  const shown = path.length > 12 ? [...path.slice(0, 6), "…", ...path.slice(-3)] : path;
  const text = shown.map((part) => (typeof part === "number" ? `[${part}]` : `.${part.slice(0, 40)}`)).join("");
  return `arguments${text}`;
}

/** Whether two JSON values are equal; a hook's changes in place are found by it. Key order does not count. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left)) return Array.isArray(right) && isSameArray(left, right);
  return !Array.isArray(right) && isSameRecord(left as Record<string, unknown>, right as Record<string, unknown>);
}

function isSameArray(left: readonly unknown[], right: readonly unknown[]): boolean {
  const { length } = left;
  if (length !== right.length) return false;
  for (let index = 0; index < length; index += 1) {
    const item = left[index];
    if (item !== right[index] && !isSameJson(item, right[index])) return false;
  }
  return true;
}

function isSameRecord(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  let more = 0;
  for (const key in left) {
    const item = left[key];
    if (item !== right[key] && !isSameJson(item, right[key])) return false;
    // What JSON has not cannot be in a snapshot; it reads as undefined there, or as a function that all objects have.
    if (item === undefined || typeof item === "function") return false;
    more += 1;
  }
  for (const _key in right) more -= 1;
  return more === 0;
}

/** A frozen copy of JSON data in which every text has gone through `mend`; keys only when `mendKeys` is set. */
export function mapTexts(value: unknown, mend: (text: string) => string, mendKeys = false): unknown {
  if (typeof value === "string") return mend(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => mapTexts(item, mend, mendKeys)));
  const mapped: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    define(mapped, mendKeys ? mend(key) : key, mapTexts(item, mend, mendKeys));
  }
  return Object.freeze(mapped);
}
