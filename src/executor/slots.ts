// B5: turns for the calls of one parent. A call that waits for its children holds nothing that they need.
import type { CallScope } from "./call-scope.js";
import { emitWait } from "./events.js";

export class Slots {
  readonly waiting: (() => void)[] = [];
  running = 0;
}

export function tryTurn(scope: CallScope, slots: Slots): boolean {
  if (slots.running >= scope.engine.limits.maxConcurrency) return false;
  slots.running += 1;
  return true;
}

export function turnOf(scope: CallScope, slots: Slots): Promise<void> {
  emitWait(scope, { reason: "concurrency" });
  return new Promise((resolve) => slots.waiting.push(resolve));
}

export function leaveTurn(slots: Slots): void {
  const next = slots.waiting.shift();
  if (next === undefined) slots.running -= 1;
  else next(); // the turn goes on to the next one
}
