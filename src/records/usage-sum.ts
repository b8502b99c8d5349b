// R7: usage added up field by field. The usual fields have places of their own, because every call adds its usage to
// its caller's; anything else goes through a map.
import { describeValue, shortenText } from "../errors/text.js";
import type { Usage, UsageValue } from "./usage.js";

const MAX_LEVELS = 8;

/** Gets one line for each field that could not be counted. */
export type UsageProblem = (problem: string) => void;

export class UsageSum {
  #seen = 0;
  #input = 0;
  #output = 0;
  #cacheRead = 0;
  #cacheWrite = 0;
  #totalTokens = 0;
  #total = 0;
  #cost: UsageSum | undefined;
  #numbers: Map<string, number> | undefined;
  #flags: Map<string, number> | undefined;
  #nested: Map<string, UsageSum> | undefined;
  #sides = 0;

  /**
   * Adds what a tool reported, which may be anything; what is no usage is left out and told to `onProblem`.
   *
   * @returns Whether all of it was counted.
   */
  addReported(usage: unknown, onProblem?: UsageProblem): boolean {
    if (!isFieldHolder(usage)) {
      onProblem?.(`usage is ${describeValue(usage)}, not an object of numbers`);
      return false;
    }
    this.#sides += 1;
    if (this.#addUsual(usage as Usage, true)) return true;
    let isWhole = true;
    const noteProblem = (problem: string) => {
      isWhole = false;
      onProblem?.(problem);
    };
    try {
      this.#addFields(usage as Record<string, unknown>, "", 0, noteProblem);
    } catch {
      noteProblem("its fields cannot be listed"); // a proxy
    }
    return isWhole;
  }

  /** Adds a usage that has the usual fields and no others, all of them right; otherwise adds nothing. */
  #addUsual(usage: Readonly<Record<string, unknown>>, mayHaveCost: boolean): boolean {
    let fields = 0;
    let usual = 0;
    try {
      for (const _key in usage) fields += 1;
      const { input, output, cacheRead, cacheWrite, totalTokens, total, cost } = usage;
      if (isCount(input)) usual += 1;
      if (isCount(output)) usual += 1;
      if (isCount(cacheRead)) usual += 1;
      if (isCount(cacheWrite)) usual += 1;
      if (isCount(totalTokens)) usual += 1;
      if (isCount(total)) usual += 1;
      const hasCost = cost !== undefined;
      if (usual + (hasCost ? 1 : 0) !== fields) return false;
      if (hasCost) {
        if (!mayHaveCost || typeof cost !== "object" || cost === null) return false;
        if (this.#numbers?.has("cost") === true || this.#flags?.has("cost") === true) return false;
        const sum = this.#cost ?? new UsageSum();
        if (Array.isArray(cost) || !sum.#addUsual(cost as Readonly<Record<string, unknown>>, false)) return false;
        this.#cost = sum;
      }
      if (isCount(input)) this.#addNumber("input", input);
      if (isCount(output)) this.#addNumber("output", output);
      if (isCount(cacheRead)) this.#addNumber("cacheRead", cacheRead);
      if (isCount(cacheWrite)) this.#addNumber("cacheWrite", cacheWrite);
      if (isCount(totalTokens)) this.#addNumber("totalTokens", totalTokens);
      if (isCount(total)) this.#addNumber("total", total);
      return true;
    } catch {
      return false; // a getter that throws; the slow way tells which
    }
  }

  /** Adds another sum as one side. */
  addSum(other: UsageSum): void {
    if (other.#sides === 0) return;
    this.#sides += 1;
    this.#addAll(other, other.#sides);
  }

  /** A fresh object with the fields that were seen; `undefined` when no usage was added. */
  toUsage(): Usage | undefined {
    return this.#sides === 0 ? undefined : (this.#toObject(this.#sides) as Usage);
  }

  #addFields(usage: Record<string, unknown>, place: string, level: number, onProblem?: UsageProblem): void {
    for (const key of Object.keys(usage)) {
      try {
        const value = usage[key];
        if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) {
          if (!this.#addNumber(key, value))
            onProblem?.(`${place}${shortenText(key, 60)} is a number here, no number before`);
        } else if (typeof value === "object" && value !== null && level < MAX_LEVELS && !Array.isArray(value)) {
          const into = this.#nestedOf(key);
          if (into === undefined) onProblem?.(`${place}${shortenText(key, 60)} is an object here, no object before`);
          else into.#addFields(value as Record<string, unknown>, `${place}${key}.`, level + 1, onProblem);
        } else if (typeof value === "boolean") {
          const isFlag = !this.#isNumber(key) && !this.#isNested(key);
          if (isFlag) this.#addFlag(key, value ? 1 : 0);
          else onProblem?.(`${place}${shortenText(key, 60)} is a flag here, no flag before`);
        } else if (value !== undefined) {
          onProblem?.(`${place}${shortenText(key, 60)} is ${describeValue(value)}, not a finite number from 0 up`);
        }
      } catch {
        onProblem?.(`${place}${shortenText(key, 60)} cannot be read`);
      }
    }
  }

  #addNumber(key: string, value: number): boolean {
    switch (key) {
      case "input":
        this.#seen |= 1;
        this.#input += value;
        return true;
      case "output":
        this.#seen |= 2;
        this.#output += value;
        return true;
      case "cacheRead":
        this.#seen |= 4;
        this.#cacheRead += value;
        return true;
      case "cacheWrite":
        this.#seen |= 8;
        this.#cacheWrite += value;
        return true;
      case "totalTokens":
        this.#seen |= 16;
        this.#totalTokens += value;
        return true;
      case "total":
        this.#seen |= 32;
        this.#total += value;
        return true;
      default:
        return this.#addOther(key, value);
    }
  }

  #addOther(key: string, value: number): boolean {
    if (this.#isNested(key) || this.#flags?.has(key) === true) return false;
    this.#numbers ??= new Map();
    this.#numbers.set(key, (this.#numbers.get(key) ?? 0) + value);
    return true;
  }

  #isNumber(key: string): boolean {
    return STANDARD.has(key) || this.#numbers?.has(key) === true;
  }

  #isNested(key: string): boolean {
    return (key === "cost" && this.#cost !== undefined) || this.#nested?.has(key) === true;
  }

  #addFlag(key: string, trueSides: number): void {
    this.#flags ??= new Map();
    this.#flags.set(key, (this.#flags.get(key) ?? 0) + trueSides);
  }

  /** The sum of a nested object; none when the field has been a number. */
  #nestedOf(key: string): UsageSum | undefined {
    if (this.#isNumber(key) || this.#flags?.has(key) === true) return undefined;
    if (key === "cost") {
      this.#cost ??= new UsageSum();
      return this.#cost;
    }
    this.#nested ??= new Map();
    let nested = this.#nested.get(key);
    if (nested === undefined) {
      nested = new UsageSum();
      this.#nested.set(key, nested);
    }
    return nested;
  }

  #addAll(other: UsageSum, sides: number): void {
    this.#seen |= other.#seen;
    this.#input += other.#input;
    this.#output += other.#output;
    this.#cacheRead += other.#cacheRead;
    this.#cacheWrite += other.#cacheWrite;
    this.#totalTokens += other.#totalTokens;
    this.#total += other.#total;
    if (other.#cost !== undefined) this.#addNested("cost", other.#cost, sides);
    if (other.#numbers !== undefined) for (const [key, value] of other.#numbers) this.#addOther(key, value);
    // A flag is true on the other side only if it was true on each of its sides.
    if (other.#flags !== undefined)
      for (const [key, count] of other.#flags) this.#addFlag(key, count === sides ? 1 : 0);
    if (other.#nested !== undefined) {
      for (const [key, nested] of other.#nested) this.#addNested(key, nested, sides);
    }
  }

  #addNested(key: string, nested: UsageSum, sides: number): void {
    const into = this.#nestedOf(key);
    if (into !== undefined) into.#addAll(nested, sides);
  }

  #toObject(sides: number): Record<string, UsageValue> {
    const usage: Record<string, UsageValue> = {};
    const seen = this.#seen;
    if (seen & 1) usage.input = this.#input;
    if (seen & 2) usage.output = this.#output;
    if (seen & 4) usage.cacheRead = this.#cacheRead;
    if (seen & 8) usage.cacheWrite = this.#cacheWrite;
    if (seen & 16) usage.totalTokens = this.#totalTokens;
    if (seen & 32) usage.total = this.#total;
    if (this.#numbers !== undefined) for (const [key, value] of this.#numbers) put(usage, key, value);
    if (this.#flags !== undefined) for (const [key, count] of this.#flags) put(usage, key, count === sides);
    if (this.#cost !== undefined) usage.cost = this.#cost.#toObject(sides);
    if (this.#nested !== undefined) {
      for (const [key, nested] of this.#nested) put(usage, key, nested.#toObject(sides));
    }
    return usage;
  }
}

/** An object with fields; `Array.isArray` throws for a proxy that was revoked. */
function isFieldHolder(value: unknown): value is object {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

/** A copy of a usage that was counted in full. */
export function copyUsage(usage: Usage): Usage {
  const copy: Record<string, UsageValue | undefined> = { ...usage };
  for (const key in copy) {
    const value = copy[key];
    if (value === undefined) delete copy[key];
    else if (typeof value === "object") copy[key] = copyUsage(value as Usage) as UsageValue;
  }
  return copy;
}

const STANDARD = new Set(["input", "output", "cacheRead", "cacheWrite", "totalTokens", "total"]);

function put(usage: Record<string, UsageValue>, key: string, value: UsageValue): void {
  if (key !== "__proto__") usage[key] = value;
  else Object.defineProperty(usage, key, { value, enumerable: true, configurable: true, writable: true });
}
