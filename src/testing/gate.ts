/** A promise that the test opens by hand. Nobody has to wait for it: a rejection without a waiter harms nothing. */
export interface Gate<T = void> {
  readonly promise: Promise<T>;
  /** Lets everybody through who waits. */
  open(value: T): void;
  /** Makes everybody fail who waits. */
  fail(reason: unknown): void;
}

export function createGate<T = void>(): Gate<T> {
  let open!: (value: T) => void; // both are assigned by the executor of the promise, which runs at once
  let fail!: (reason: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => {}); // whoever waits hears of it; the process need not
  return { promise, open, fail };
}

/** Lets everything run that waits for nothing but its turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
