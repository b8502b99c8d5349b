// Functions of a host or an extension that nobody waits for: what they throw or reject with must end nothing.
import { isThenable } from "../errors/thenable.js";

/** Calls one, and hands on what it throws or rejects with. `onFailure` must not throw. */
export function callUnheard(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const answer = call();
    if (isThenable(answer)) Promise.resolve(answer).then(undefined, onFailure);
  } catch (error) {
    onFailure(error);
  }
}

/** The same promise, which ends nothing when it is rejected and nobody waits for it. */
export function mayBeUnheard<T>(answer: T): T {
  if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
  return answer;
}
