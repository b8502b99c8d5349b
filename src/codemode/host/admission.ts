// How many scripts run at once, and who is next: in the order in which they came. Scripts that a script runs are let in at once,
// else parents would wait for children that wait for parents. A script that waits for a person holds no place, else a few
// questions without an answer would stop every script; it keeps its sandbox, of which there is a largest number, too.

/** Of one script, until it leaves. */
export interface Place {
  /** The script waits for a person, or no longer does. Then it has its place again at once, whoever else runs. */
  waits(isWaiting: boolean): void;
  leave(): void;
}

type Enter = (place: Place) => void;

export interface AdmissionLimits {
  readonly maxScripts: number;
  readonly maxQueued: number;
  /** Scripts that run or wait for a person. */
  readonly maxSandboxes: number;
}

export class Admission {
  readonly #limits: AdmissionLimits;
  #running = 0;
  #sandboxes = 0;
  readonly #queue = new Set<{ readonly enter: Enter }>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Takes a place if there is one. */
  tryEnter(): Place | undefined {
    return this.#hasRoom ? this.#take() : undefined;
  }

  get isFull(): boolean {
    return this.#queue.size >= this.#limits.maxQueued;
  }

  /** Calls `enter` when there is a place. Gives the function that leaves the queue. */
  wait(enter: Enter): () => void {
    const waiting = { enter };
    this.#queue.add(waiting);
    return () => void this.#queue.delete(waiting);
  }

  get #hasRoom(): boolean {
    const { maxScripts, maxSandboxes } = this.#limits;
    return this.#running < maxScripts && this.#sandboxes < maxSandboxes;
  }

  #take(): Place {
    this.#running += 1;
    this.#sandboxes += 1;
    let state: "running" | "waiting" | "gone" = "running";
    return {
      waits: (isWaiting) => {
        const next = isWaiting ? "waiting" : "running";
        if (state === "gone" || state === next) return;
        state = next;
        this.#running += isWaiting ? -1 : 1;
        this.#letIn();
      },
      leave: () => {
        if (state === "gone") return;
        if (state === "running") this.#running -= 1;
        this.#sandboxes -= 1;
        state = "gone";
        this.#letIn();
      },
    };
  }

  #letIn(): void {
    for (const waiting of this.#queue) {
      if (!this.#hasRoom) return;
      this.#queue.delete(waiting);
      waiting.enter(this.#take());
    }
  }
}
