// What scripts keep between runs with `store` and `load`: one place for each session of the host.
import type { CodemodeStoreWrites } from "../run-types.js";

/** Where the values of one session are kept; a Map is one. Values are JSON. */
export interface CodemodeStore {
  entries(): Iterable<readonly [string, unknown]>;
  set(key: string, value: unknown): unknown;
  delete(key: string): unknown;
}

/** The values as a run takes them; keys are data, `__proto__` too. */
export function readStore(store: CodemodeStore): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of store.entries()) values[key] = value;
  return values;
}

/** Keeps what a script that ended well has written. Of scripts that ran at the same time, the last one's values stay. */
export function writeStore(store: CodemodeStore, { set, delete: removed }: CodemodeStoreWrites): void {
  for (const key of removed) store.delete(key);
  for (const key of Object.keys(set)) store.set(key, set[key]);
}
