// How many scripts run at once, and who is next: in the order in which they came. Scripts that a script runs are let in at once,
// else parents would wait for children that wait for parents.

interface Waiting {
  enter(): void;
}

export class Admission {
  readonly #maxScripts: number;
  readonly #maxQueued: number;
  #running = 0;
  readonly #queue = new Set<Waiting>();

  constructor(maxScripts: number, maxQueued: number) {
    this.#maxScripts = maxScripts;
    this.#maxQueued = maxQueued;
  }

  /** Takes a place, or gives how to wait for one; "full" when too many wait. */
  tryEnter(): boolean {
    if (this.#running >= this.#maxScripts) return false;
    this.#running += 1;
    return true;
  }

  get isFull(): boolean {
    return this.#queue.size >= this.#maxQueued;
  }

  /** Calls `enter` when there is a place. Gives the function that leaves the queue. */
  wait(enter: () => void): () => void {
    const waiting: Waiting = { enter };
    this.#queue.add(waiting);
    return () => void this.#queue.delete(waiting);
  }

  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#queue.delete(next);
    next.enter();
  }
}
