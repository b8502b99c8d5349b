// Seeded randomness for tests that make up their own cases: the same seed gives the same case.

export interface Random {
  /** From 0 up to, and not, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** An item by its weight: `{ often: 9, seldom: 1 }`. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

/** mulberry32: small, fast, and good enough to make up cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[between(0, items.length - 1)] as T, // the index is inside
    weighted: <K extends string>(weights: Readonly<Record<K, number>>) => {
      const entries = Object.entries(weights) as [K, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return (entries[0] as [K, number])[0];
    },
  };
}

/** `NESTCALL_SEED` when it is set, so that a failure can be repeated; else another one each run. */
export function seedOfThisRun(): number {
  const given = process.env.NESTCALL_SEED;
  if (given === undefined || given === "") return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`NESTCALL_SEED is a whole number, not ${given}.`);
  return seed;
}

/** Runs one case for each seed from `first` on; a failure says which seed it was. */
export async function forEachSeed(first: number, count: number, run: (seed: number) => Promise<void>): Promise<void> {
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      await run(seed);
    } catch (error) {
      throw new Error(`Failed with NESTCALL_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}
