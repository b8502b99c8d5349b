// The host's side of one worker: which runs are there, what it is told, and when it must be ended.
import { Worker } from "node:worker_threads";
import {
  CONTROL,
  CONTROL_BYTES,
  type HostMessage,
  type InspectionMessage,
  MAX_TOOL_SETS,
  type SlotReport,
  stopCell,
  type WorkerData,
  type WorkerMessage,
} from "../protocol.js";
import type { CodemodeTool } from "../run-types.js";

/** How long a worker may not answer once it has to. */
const GRACE_MS = 250;
/** A worker that has run one script for so long gets no others while there is another worker. */
const BUSY_MS = 50;

/** A run as its thread sees it. */
export interface ThreadRun {
  readonly id: number;
  /** When the host asked for its end, as `performance.now` counts. */
  readonly stoppedAt: number | undefined;
  report(report: SlotReport): void;
  /** The worker is gone, and with it the script. `wasCulprit`: it was this script that did not stop. */
  lost(wasCulprit: boolean): void;
}

export interface ToolSetOf {
  readonly id: number;
  readonly tools: readonly CodemodeTool[];
}

export class WorkerThread {
  readonly runs = new Map<number, ThreadRun>();
  readonly #worker: Worker;
  readonly #cells: Int32Array;
  readonly #onIdle: (thread: WorkerThread) => void;
  readonly #onEnd: (thread: WorkerThread) => void;
  readonly #toolSets = new Set<number>();
  readonly #inspections = new Map<number, (message: InspectionMessage | undefined) => void>();
  #lastInspection = 0;
  #hasEnded = false;

  constructor(onIdle: (thread: WorkerThread) => void, onEnd: (thread: WorkerThread) => void) {
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    this.#cells = new Int32Array(control);
    this.#onIdle = onIdle;
    this.#onEnd = onEnd;
    const workerData: WorkerData = { control, timeOrigin: performance.timeOrigin };
    this.#worker = new Worker(new URL("../worker/worker.js", import.meta.url), {
      workerData,
      name: "nestcall-codemode",
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      // The stack must be deep enough for the engine to find its own end first.
      resourceLimits: { stackSizeMb: 16, maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: WorkerMessage) => this.#receive(message));
    this.#worker.on("error", () => this.#end(undefined));
    this.#worker.on("exit", () => this.#end(undefined));
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether a script computes there, and has for a while. */
  get isHeldUp(): boolean {
    if (Atomics.load(this.#cells, CONTROL.running) === 0) return false;
    return performance.now() - Atomics.load(this.#cells, CONTROL.enteredAt) > BUSY_MS;
  }

  add(run: ThreadRun, toolSet: ToolSetOf): void {
    if (this.runs.size === 0) this.#worker.ref();
    this.runs.set(run.id, run);
    if (this.#toolSets.has(toolSet.id)) return;
    this.#toolSets.add(toolSet.id);
    for (const id of this.#toolSets) if (this.#toolSets.size > MAX_TOOL_SETS) this.#toolSets.delete(id);
    this.post({ type: "tools", id: toolSet.id, tools: toolSet.tools });
  }

  post(message: HostMessage, buffers: readonly ArrayBuffer[] = []): void {
    if (!this.#hasEnded) this.#worker.postMessage(message, buffers);
  }

  /** Ends a script, whether it computes or waits. The worker answers with its last report. */
  stop(run: number): void {
    Atomics.store(this.#cells, stopCell(run), run);
    this.post({ type: "stop", run });
  }

  /** Ends the worker if a script there does not stop when it must. */
  watch(): void {
    const running = Atomics.load(this.#cells, CONTROL.running);
    if (running === 0) return;
    const now = performance.now();
    if (now - Atomics.load(this.#cells, CONTROL.lastPoll) < GRACE_MS) return;
    const { stoppedAt } = this.runs.get(running) ?? { stoppedAt: undefined };
    const isOverdue = now > Atomics.load(this.#cells, CONTROL.deadline) + GRACE_MS;
    if (isOverdue || (stoppedAt !== undefined && now > stoppedAt + GRACE_MS)) this.#end(running);
  }

  async inspect(): Promise<InspectionMessage | undefined> {
    if (this.#hasEnded) return undefined;
    this.#lastInspection += 1;
    const id = this.#lastInspection;
    return new Promise((resolve) => {
      this.#inspections.set(id, resolve);
      this.post({ type: "inspect", id });
    });
  }

  async terminate(): Promise<void> {
    this.#end(undefined);
    await this.#worker.terminate();
  }

  #receive(message: WorkerMessage): void {
    if (this.#hasEnded) return;
    if (message.type === "inspection") {
      this.#inspections.get(message.id)?.(message);
      this.#inspections.delete(message.id);
      return;
    }
    const run = this.runs.get(message.run);
    if (message.state === "done") this.#release(message.run);
    run?.report(message);
  }

  #release(run: number): void {
    this.runs.delete(run);
    if (this.runs.size > 0) return;
    this.#worker.unref();
    this.#onIdle(this);
  }

  #end(culprit: number | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.#worker.terminate();
    this.#onEnd(this);
    for (const resolve of this.#inspections.values()) resolve(undefined);
    const runs = [...this.runs.values()];
    this.runs.clear();
    for (const run of runs) run.lost(run.id === culprit);
  }
}
