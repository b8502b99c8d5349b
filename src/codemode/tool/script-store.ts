// What scripts keep between runs with `store` and `load`: one place for each session of the host.
import { shortenText, thrownText } from "../../errors/text.js";
import type { CodemodeStoreWrites } from "../run-types.js";

/** Where the values of one session are kept; a Map is one. Values are JSON. What `set` and `delete` give is awaited. */
export interface CodemodeStore {
  entries(): Iterable<readonly [string, unknown]>;
  set(key: string, value: unknown): unknown;
  delete(key: string): unknown;
}

/** The stores of a host that names none: they end with their sessions. */
export class SessionStores {
  readonly #stores = new WeakMap<object, CodemodeStore>();

  of(sessionKey: object): CodemodeStore {
    const store = this.#stores.get(sessionKey) ?? new Map<string, unknown>();
    this.#stores.set(sessionKey, store);
    return store;
  }
}

/** The values as a run takes them; keys are data, `__proto__` too. */
export function readStore(store: CodemodeStore): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of store.entries()) values[key] = value;
  return values;
}

/**
 * Keeps what a script that ended well has written. Of scripts that ran at the same time, the last one's values stay.
 *
 * @returns What could not be kept and why; `undefined` when all was. One key that fails keeps no other from being tried.
 */
export async function writeStore(store: CodemodeStore, writes: CodemodeStoreWrites): Promise<string | undefined> {
  const failed: string[] = [];
  let why: string | undefined;
  const attempt = async (key: string, write: () => unknown) => {
    try {
      await write();
    } catch (error) {
      failed.push(key);
      why ??= thrownText(error);
    }
  };
  for (const key of writes.delete) await attempt(key, () => store.delete(key));
  for (const key of Object.keys(writes.set)) await attempt(key, () => store.set(key, writes.set[key]));
  if (failed.length === 0) return undefined;
  const names = shortenText(failed.map((key) => JSON.stringify(key)).join(", "), 500);
  return `What the script stored could not be kept (${names}): ${why}`;
}
