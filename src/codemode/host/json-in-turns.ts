// JSON of large results, made in pieces between which the host goes on. It is what JSON.stringify gives at once, or as good:
// half a surrogate pair is written as an escape.

import { timeToWork } from "./host-turns.js";
import { oddPlace } from "./odd-values.js";

/** About as much as one piece may weigh: a value counts as 1, and a text for its length as well. */
const PIECE = 2000;
const CHARACTERS_PER_UNIT = 32;
/** An escape for half a surrogate pair takes a hundred times as long as a letter. */
const TEXT_PIECE = 16 * 1024;

/** Whether a value may take long to turn into JSON. Looks at no more than a piece of it. */
export function isLarge(value: unknown): boolean {
  return weightOf(value, PIECE) > PIECE;
}

/** @throws TypeError for what JSON refuses, and for what it would take for an empty object. */
export function jsonOf(value: unknown, path = "value"): string | undefined {
  const json = JSON.stringify(value) as string | undefined; // finds cycles first
  const place = oddPlace(value, path);
  if (place !== undefined) throw new TypeError(place);
  return json;
}

export function jsonInTurns(value: unknown, path = "value"): Promise<string | undefined> {
  return memberInTurns(value, path, new Set());
}

type Open = Set<object>;

async function memberInTurns(value: unknown, path: string, open: Open): Promise<string | undefined> {
  if (typeof value === "string" && value.length > TEXT_PIECE) return textInTurns(value);
  if (Array.isArray(value) && !hasToJson(value)) return arrayInTurns(value, path, open);
  if (typeof value === "object" && value !== null && isPlain(value)) return objectInTurns(value, path, open);
  await timeToWork();
  return jsonOf(value, path);
}

async function arrayInTurns(list: readonly unknown[], path: string, open: Open): Promise<string> {
  enter(list, path, open);
  const parts: string[] = [];
  let start = 0;
  while (start < list.length) {
    let [end, weight] = [start, 0];
    while (end < list.length && weight <= PIECE) {
      weight += weightOf(list[end], PIECE);
      end += 1;
    }
    // What is too heavy stands alone.
    if (weight > PIECE && end - start > 1) end -= 1;
    if (end - start === 1) parts.push((await memberInTurns(list[start], `${path}[${start}]`, open)) ?? "null");
    else {
      await timeToWork();
      parts.push(sliceJson(list, start, end, path));
    }
    start = end;
  }
  open.delete(list);
  return `[${parts.join(",")}]`;
}

function sliceJson(list: readonly unknown[], start: number, end: number, path: string): string {
  const json = JSON.stringify(list.slice(start, end)).slice(1, -1);
  for (let index = start; index < end; index += 1) {
    const place = oddPlace(list[index], `${path}[${index}]`);
    if (place !== undefined) throw new TypeError(place);
  }
  return json;
}

async function objectInTurns(object: PlainObject, path: string, open: Open): Promise<string> {
  enter(object, path, open);
  await timeToWork(); // to list its keys cannot be split
  const parts: string[] = [];
  let weight = 0;
  for (const key in object) {
    const member = object[key];
    const own = weightOf(member, PIECE);
    let json: string | undefined;
    if (own > PIECE) json = await memberInTurns(member, `${path}.${key}`, open);
    else {
      weight += own;
      if (weight > PIECE) {
        await timeToWork();
        weight = own;
      }
      json = jsonOf(member, `${path}.${key}`);
    }
    if (json !== undefined) parts.push(`${JSON.stringify(key)}:${json}`);
  }
  open.delete(object);
  return `{${parts.join(",")}}`;
}

async function textInTurns(text: string): Promise<string> {
  const parts = ['"'];
  for (const piece of piecesOf(text, TEXT_PIECE)) {
    await timeToWork();
    parts.push(JSON.stringify(piece).slice(1, -1));
  }
  parts.push('"');
  await timeToWork();
  return parts.join("");
}

/** Pieces of a text that part no surrogate pair. */
export function* piecesOf(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length);
    const unit = text.charCodeAt(end - 1);
    if (end < text.length && unit >= 0xd800 && unit <= 0xdbff) end += 1; // with its other half, if that follows
    yield text.slice(start, end);
    start = end;
  }
}

/** How much there is in a value, counted until it is more than `most`. */
function weightOf(value: unknown, most: number): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS_PER_UNIT;
  if (typeof value !== "object" || value === null) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    if (value.length > most) return value.length;
    for (let index = 0; index < value.length && weight <= most; index += 1)
      weight += weightOf(value[index], most - weight);
    return weight;
  }
  for (const key in value) {
    weight += weightOf((value as PlainObject)[key], most - weight);
    if (weight > most) return weight;
  }
  return weight;
}

function enter(value: object, path: string, open: Open): void {
  if (open.has(value)) throw new TypeError(`${path} leads back to itself, and JSON cannot hold a cycle`);
  open.add(value);
}

type PlainObject = Readonly<Record<string, unknown>>;

function isPlain(value: object): value is PlainObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !hasToJson(value);
}

function hasToJson(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}
