// Hands the events of the executor to the requests that wait for them. Owns one listener, while anybody listens.
import type { Executor } from "../../../executor/create-executor.js";
import { rootIdOf } from "./mcp-approvals.js";
import { progressLine } from "./progress-line.js";

type Say = (line: string) => void;

export class ProgressFeed {
  readonly #executor: Pick<Executor, "subscribe">;
  readonly #listeners = new Map<string, Say>();
  #stop: (() => void) | undefined;

  constructor(executor: Pick<Executor, "subscribe">) {
    this.#executor = executor;
  }

  /** Shows what happens below a root call; one at a time listens to it. Returns a function that ends it. */
  listen(rootId: string, say: Say): () => void {
    this.#listeners.set(rootId, say);
    this.#stop ??= this.#executor.subscribe((event) => {
      const root = rootIdOf(event.toolCallId);
      const listener = this.#listeners.get(root);
      const line = listener === undefined ? undefined : progressLine(root, event);
      if (line !== undefined) listener?.(line);
    });
    return () => {
      if (this.#listeners.get(rootId) === say) this.#listeners.delete(rootId);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }
}

/** Lines in a burst, and in each second after it: a script that makes 10,000 calls must not drown its client. */
const BURST = 50;
const PER_SECOND = 20;
/** Notifications that the client has not taken yet. */
const MAX_UNSENT = 100;

/** Sends lines as far as the client can be expected to take them; the next line that is sent says how many were not. */
export function paced(send: (progress: number, line: string) => Promise<void>): Say {
  let [progress, left, unsent, skipped] = [0, BURST, 0, 0];
  let refilledAt = performance.now();
  return (line) => {
    const now = performance.now();
    left = Math.min(BURST, left + ((now - refilledAt) / 1_000) * PER_SECOND);
    refilledAt = now;
    if (left < 1 || unsent >= MAX_UNSENT) {
      skipped += 1;
      return;
    }
    left -= 1;
    progress += 1;
    unsent += 1;
    const text = skipped === 0 ? line : `${line} (${skipped} lines before this one are not shown)`;
    skipped = 0;
    const done = () => {
      unsent -= 1;
    };
    send(progress, text).then(done, done); // a client that cannot be reached is not told of progress
  };
}
