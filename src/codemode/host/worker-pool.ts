// The workers of a runtime: begun when they are needed, kept for the next scripts, ended when nobody needs them.
import { compileEngine } from "../vm/binary.js";
import type { WasmModule } from "../vm/wasm-exports.js";
import { WorkerThread } from "./worker-thread.js";

const WATCH_EVERY_MS = 50;

export class WorkerPool {
  readonly #size: number;
  readonly #idleMs: number;
  readonly #runsPerThread: number;
  readonly #threads = new Set<WorkerThread>();
  readonly #idleTimers = new Map<WorkerThread, NodeJS.Timeout>();
  #module: WasmModule | undefined;
  #preparing: Promise<void> | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(size: number, idleMs: number, runsPerThread: number) {
    this.#runsPerThread = runsPerThread;
    this.#size = size;
    this.#idleMs = idleMs;
  }

  get threads(): readonly WorkerThread[] {
    return [...this.#threads];
  }

  /** Waits for the compiled engine, from the second time on without waiting. The first worker begins meanwhile. */
  prepare(): Promise<void> | undefined {
    if (this.#module !== undefined) return undefined;
    if (this.#threads.size === 0) this.#start();
    this.#preparing ??= this.#compile();
    return this.#preparing;
  }

  async #compile(): Promise<void> {
    try {
      const module = await compileEngine();
      this.#module = module;
      for (const thread of this.#threads) thread.post({ type: "engine", module });
    } finally {
      this.#preparing = undefined;
    }
  }

  /** The worker for one more script; one that is full only for a script that a script runs. After `prepare`. */
  choose(): WorkerThread {
    let best: WorkerThread | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const thread of this.#threads) {
      const isFull = thread.runs.size >= this.#runsPerThread;
      const load = thread.runs.size + (isFull ? 1_000_000 : 0) + (thread.isHeldUp ? 1000 : 0);
      if (load < bestLoad) [best, bestLoad] = [thread, load];
    }
    if (best === undefined || (bestLoad >= 1 && this.#threads.size < this.#size)) {
      const started = this.#start();
      // While it begins, the others go on; a script that would wait behind one that computes is better off with it.
      if (best === undefined || bestLoad >= 1000) best = started;
    }
    this.#stopIdleTimer(best);
    this.#watch();
    return best;
  }

  #start(): WorkerThread {
    const thread = new WorkerThread(
      (idle) => this.#becameIdle(idle),
      (ended) => this.#forget(ended),
    );
    this.#threads.add(thread);
    if (this.#module !== undefined) thread.post({ type: "engine", module: this.#module });
    this.#becameIdle(thread);
    return thread;
  }

  #becameIdle(thread: WorkerThread): void {
    this.#stopIdleTimer(thread);
    const timer = setTimeout(() => this.#retire(thread), this.#idleMs);
    timer.unref();
    this.#idleTimers.set(thread, timer);
  }

  /** One is kept warm. */
  #retire(thread: WorkerThread): void {
    this.#idleTimers.delete(thread);
    if (thread.runs.size > 0 || this.#threads.size <= 1) return;
    void thread.terminate();
  }

  #forget(thread: WorkerThread): void {
    this.#stopIdleTimer(thread);
    this.#threads.delete(thread);
  }

  #stopIdleTimer(thread: WorkerThread): void {
    clearTimeout(this.#idleTimers.get(thread));
    this.#idleTimers.delete(thread);
  }

  /** Looks after workers for as long as a script is there. */
  #watch(): void {
    this.#watchTimer ??= setInterval(() => {
      const busy = this.threads.filter((thread) => thread.runs.size > 0);
      for (const thread of busy) thread.watch();
      if (busy.length > 0) return;
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
    }, WATCH_EVERY_MS);
    this.#watchTimer.unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No worker is given to anyone from now on. */
  refuse(): void {
    this.#isClosed = true;
  }

  async close(): Promise<void> {
    this.refuse();
    clearInterval(this.#watchTimer);
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }
}
