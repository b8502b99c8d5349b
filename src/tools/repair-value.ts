// A3, for one value: what a model wrote as text becomes what the schema wants, when there is no doubt what it meant.

/** As JSON writes numbers: no blanks, no hex, no leading zeros or plus. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A2's limit holds for what a text unfolds to as well. */
const MAX_LEVELS = 1_000;

export interface RepairWish {
  /** Names of JSON Schema types that would be accepted. */
  readonly types: readonly string[];
  /** The level of the value in the whole, 0 for the root. */
  readonly level: number;
}

/** The value as one of the wanted types; undefined when it is no text, or no text of such a value. */
export function repairedText(value: unknown, wish: RepairWish): unknown {
  if (typeof value !== "string") return undefined;
  for (const type of wish.types) {
    const repaired = readAs(type, value, wish.level);
    if (repaired !== undefined) return repaired;
  }
  return undefined;
}

function readAs(type: string, text: string, level: number): unknown {
  switch (type) {
    case "number":
    case "integer":
      return readNumber(text, type === "integer");
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "array":
    case "object":
      return readJson(text, type, level);
    default:
      return undefined;
  }
}

function readNumber(text: string, isIntegerWanted: boolean): number | undefined {
  if (text.length > 400 || !JSON_NUMBER.test(text)) return undefined;
  const number = Number(text) + 0; // JSON has no negative zero
  if (!Number.isFinite(number)) return undefined;
  // Beyond the safe integers the digits of the text would silently become others.
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? number : undefined;
  return isIntegerWanted ? undefined : number;
}

function readJson(text: string, type: "array" | "object", level: number): object | undefined {
  const first = text.trimStart()[0];
  if (first !== (type === "array" ? "[" : "{")) return undefined;
  try {
    const parsed = JSON.parse(text) as object; // it starts with a bracket
    return isDeeper(parsed, MAX_LEVELS - level) ? undefined : parsed;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels <= 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** A copy of JSON data that shares nothing with it; a key named `__proto__` stays data (A2). */
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, copyJson(item));
  return copy;
}

/** Sets an own key, also one named `__proto__`. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string | number, unknown>)[key] = value;
  }
}

/** How many values there are in it, itself included. */
export function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let size = 1;
  for (const item of Object.values(value)) size += sizeOf(item);
  return size;
}
