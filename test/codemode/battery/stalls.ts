// How long the host stood still, by an interval timer. What the machine withheld is told apart by a second thread with a
// timer of its own, which does nothing else: where that one is late too, nobody here is to blame.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

const EVERY_MS = 5;
/** Keeps the longest delay of its timer, in microseconds, until it is asked to begin anew. */
const WITNESS = `
  const { workerData } = require("node:worker_threads");
  const cells = new Int32Array(workerData);
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    const late = Math.round((now - last - ${EVERY_MS}) * 1000);
    last = now;
    if (late > Atomics.load(cells, 0)) Atomics.store(cells, 0, late);
  }, ${EVERY_MS});`;

export class StallWatch {
  readonly #cells = new Int32Array(new SharedArrayBuffer(4));
  readonly #witness = new Worker(WITNESS, { eval: true, workerData: this.#cells.buffer });

  constructor() {
    this.#witness.unref();
  }

  /** Gives a function that ends the watch: the longest delay of the host, less that of the machine, in milliseconds. */
  begin(): () => number {
    Atomics.store(this.#cells, 0, 0);
    let [last, longest] = [performance.now(), 0];
    const look = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last - EVERY_MS);
      last = now;
    };
    const timer = setInterval(look, EVERY_MS);
    return () => {
      clearInterval(timer);
      look();
      return Math.max(0, longest - Atomics.load(this.#cells, 0) / 1000);
    };
  }

  /** Waits until nothing was late for a while, at most 10 seconds: somebody else may be busy on this machine. */
  async calm(): Promise<void> {
    for (let look = 0; look < 50; look += 1) {
      const end = this.begin();
      await sleep(200);
      if (end() < 10 && Atomics.load(this.#cells, 0) < 10_000) return;
    }
  }

  async close(): Promise<void> {
    await this.#witness.terminate();
  }
}
