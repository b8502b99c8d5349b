// B5: turns for the calls of one parent. A turn is given back when the call has settled: a tool that was left behind must
// not keep others from running, and a call that waits for its children holds nothing that they need.
import type { CallScope } from "./call-scope.js";
import { emitWait } from "./events.js";

interface Waiting {
  readonly scope: CallScope;
  readonly goOn: () => void;
}

export class Slots {
  readonly waiting: Waiting[] = [];
  running = 0;
}

/** Takes a turn at once, when there is one. */
export function tryTurn(scope: CallScope, slots: Slots): boolean {
  const isFull = slots.running >= scope.engine.limits.maxConcurrency;
  if (isFull && !isInsideFunctionLease(scope)) return false;
  slots.running += 1;
  scope.turn = slots;
  return true;
}

/**
 * Whether the calling tool made this call while it held files by a function: calls that have a turn may wait for those
 * files, so a call that they depend on does not wait for a turn.
 */
function isInsideFunctionLease({ parent, outerLease }: CallScope): boolean {
  if (outerLease === undefined || !outerLease.isAlive) return false;
  return outerLease !== parent?.lease && outerLease !== parent?.outerLease;
}

/** Waits for a turn; also ends when the call has settled without one. */
export function turnOf(scope: CallScope, slots: Slots): Promise<void> {
  emitWait(scope, { reason: "concurrency" });
  return new Promise((goOn) => slots.waiting.push({ scope, goOn }));
}

/** The turn of a call that has settled goes on to the next one. */
export function leaveTurn(scope: CallScope): void {
  const slots = scope.turn;
  if (slots === undefined) return;
  scope.turn = undefined;
  for (let next = slots.waiting.shift(); next !== undefined; next = slots.waiting.shift()) {
    next.goOn();
    if (next.scope.isSettled) continue; // it was stopped while it waited
    next.scope.turn = slots;
    return;
  }
  slots.running -= 1;
}
