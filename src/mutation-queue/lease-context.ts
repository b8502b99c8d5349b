// F5: which lease the running code is inside of. Only code that holds something pays for it: the storage is touched
// when a lease is entered, and a call without one runs in its caller's context.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Lease } from "./lease.js";

const storage = new AsyncLocalStorage<Lease | undefined>();
const NONE = undefined;

/** The innermost lease that this code runs inside of; it may have ended. */
export function currentLease(): Lease | undefined {
  return storage.getStore();
}

/** For code that only looks on: what it starts is not the holder's work, and has none of its rights. */
export function runOutsideLeases<T>(fn: () => T): T {
  return storage.run(NONE, fn);
}

export function runInsideLease<T>(lease: Lease, fn: () => T): T {
  return storage.run(lease, fn);
}
