// JSON of large results, made in pieces between which the host goes on. It is what JSON.stringify gives at once.
import { timeToWork } from "./host-turns.js";

const MANY_ITEMS = 1000;
const ITEMS_AT_ONCE = 250;

/** Whether a value may take long to turn into JSON: a guess that looks at its first two levels. */
export function isLarge(value: unknown): boolean {
  if (typeof value === "string") return value.length > 256 * 1024;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length > MANY_ITEMS;
  if (!isPlain(value)) return false;
  for (const key in value) {
    const member = value[key];
    if (typeof member === "string" ? member.length > 256 * 1024 : Array.isArray(member) && member.length > MANY_ITEMS)
      return true;
  }
  return false;
}

export async function jsonInTurns(value: unknown): Promise<string | undefined> {
  await timeToWork();
  if (Array.isArray(value) && !hasToJson(value)) return arrayInTurns(value);
  if (typeof value === "object" && value !== null && isPlain(value)) return objectInTurns(value);
  return JSON.stringify(value) as string | undefined;
}

async function arrayInTurns(list: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < list.length; start += ITEMS_AT_ONCE) {
    await timeToWork();
    parts.push(JSON.stringify(list.slice(start, start + ITEMS_AT_ONCE)).slice(1, -1));
  }
  return `[${parts.join(",")}]`;
}

async function objectInTurns(object: Readonly<Record<string, unknown>>): Promise<string> {
  const parts: string[] = [];
  for (const key of Object.keys(object)) {
    const member = object[key];
    const json = isLarge(member) ? await jsonInTurns(member) : (JSON.stringify(member) as string | undefined);
    if (json !== undefined) parts.push(`${JSON.stringify(key)}:${json}`);
  }
  return `{${parts.join(",")}}`;
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !hasToJson(value);
}

function hasToJson(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}
