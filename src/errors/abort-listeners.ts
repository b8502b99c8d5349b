// T5: one listener on a signal, whoever and however many wait for it, and none when nobody does. A thousand waits on
// one signal would otherwise print a warning, and every listener left behind would keep its call alive.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once when the signal aborts, in the order of the registrations; `callback` must not throw.
 * A signal that has aborted already never calls it: ask `signal.aborted` first.
 *
 * @returns A function that takes the callback away; safe to call twice.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = waiting.get(signal);
  if (callbacks === undefined) {
    callbacks = new Set();
    waiting.set(signal, callbacks);
    listen(signal, callbacks);
  }
  // A fresh function each time, so that one callback registered twice is called twice.
  const entry = () => callback();
  callbacks.add(entry);
  return () => {
    callbacks.delete(entry);
    if (callbacks.size === 0) unlisten.get(callbacks)?.();
  };
}

const unlisten = new WeakMap<Set<() => void>, () => void>();

function listen(signal: AbortSignal, callbacks: Set<() => void>): void {
  const stop = () => {
    signal.removeEventListener("abort", run);
    waiting.delete(signal);
    unlisten.delete(callbacks);
  };
  const run = () => {
    stop();
    const entries = [...callbacks];
    callbacks.clear();
    for (const entry of entries) entry();
  };
  unlisten.set(callbacks, stop);
  signal.addEventListener("abort", run, { once: true });
}
