// What a trace adds up to. Runs in browsers too.
import type { Usage, UsageValue } from "../../records/usage.js";
import type { TraceCall, TraceStatus } from "../trace.js";

/** What is added up of a call. */
export type CountedCall = Pick<TraceCall, "status" | "name" | "depth" | "durationMs" | "usage">;

export interface CallTotals {
  readonly calls: number;
  readonly byStatus: Readonly<Record<TraceStatus, number>>;
  /** How long tools ran, in milliseconds. The time of nested calls is in that of their callers too. */
  readonly toolMs: number;
  readonly longestMs: number;
  /** Numbers of the usage; nested fields with a dot: `cost.total`. */
  readonly usage: ReadonlyMap<string, number>;
}
export interface TraceTotals extends CallTotals {
  /** The most calls first. */
  readonly byTool: readonly (CallTotals & { readonly name: string })[];
  /** From 0. */
  readonly byDepth: readonly (CallTotals & { readonly depth: number })[];
}

/** Adds up calls, all of them, by tool and by depth. */
export function totalsOf(calls: Iterable<CountedCall>): TraceTotals {
  const all = new Sum();
  const tools = new Map<string, Sum>();
  const depths = new Map<number, Sum>();
  for (const call of calls) {
    all.add(call);
    sumOf(tools, call.name ?? "").add(call);
    sumOf(depths, call.depth).add(call);
  }
  return {
    ...all.totals(),
    byTool: Array.from(tools, ([name, sum]) => ({ name, ...sum.totals() })).sort(
      (one, other) => other.calls - one.calls,
    ),
    byDepth: Array.from(depths, ([depth, sum]) => ({ depth, ...sum.totals() })).sort(
      (one, other) => one.depth - other.depth,
    ),
  };
}

/** The numbers of a usage by their names; nested ones with a dot. What is no number is left out. */
export function usageNumbers(usage: Usage | undefined): Map<string, number> {
  const numbers = new Map<string, number>();
  addNumbers(usage, "", numbers);
  return numbers;
}

const MAX_LEVELS = 8;

function addNumbers(value: UsageValue | undefined, name: string, numbers: Map<string, number>, level = 0): void {
  if (typeof value === "number" && Number.isFinite(value)) numbers.set(name, (numbers.get(name) ?? 0) + value);
  if (typeof value !== "object" || value === null || level > MAX_LEVELS) return;
  for (const [field, inner] of Object.entries(value)) {
    addNumbers(inner, name === "" ? field : `${name}.${field}`, numbers, level + 1);
  }
}

function sumOf<K>(sums: Map<K, Sum>, key: K): Sum {
  const known = sums.get(key);
  if (known !== undefined) return known;
  const sum = new Sum();
  sums.set(key, sum);
  return sum;
}

class Sum {
  #calls = 0;
  #toolMs = 0;
  #longestMs = 0;
  readonly #byStatus = { ok: 0, blocked: 0, error: 0, aborted: 0, unfinished: 0, unknown: 0 };
  readonly #usage = new Map<string, number>();

  add({ status, durationMs = 0, usage }: CountedCall): void {
    this.#calls += 1;
    this.#byStatus[status] += 1;
    this.#toolMs += durationMs;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
    if (usage !== undefined) addNumbers(usage, "", this.#usage);
  }

  totals(): CallTotals {
    return {
      calls: this.#calls,
      byStatus: this.#byStatus,
      toolMs: this.#toolMs,
      longestMs: this.#longestMs,
      usage: this.#usage,
    };
  }
}
