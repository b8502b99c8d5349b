// C1 to C5: the runtime in which scripts that a model wrote call tools. It owns the workers, the places and the running scripts.
import { availableParallelism } from "node:os";
import { onAbort } from "../errors/abort-listeners.js";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import { checkTools, refuseSameNames } from "./declarations/index.js";
import { Admission, type Place } from "./host/admission.js";
import { checkRunOptions } from "./host/check-run-options.js";
import { claimJournal, openJournal } from "./host/open-journal.js";
import { failed } from "./host/run-result.js";
import { ScriptRun, type ScriptRunParts } from "./host/script-run.js";
import { seedState } from "./host/seed.js";
import { ToolSets } from "./host/tool-sets.js";
import { WorkerPool } from "./host/worker-pool.js";
import { INSPECT, type RuntimeInspection } from "./inspect-runtime.js";
import { type CodemodeLimits, DEFAULT_LIMITS, MAX_SOURCE_BYTES, withLimits } from "./limits.js";
import { currentDepth } from "./nesting.js";
import type { CodemodeError, CodemodeFailure, CodemodeRun, CodemodeRunOptions } from "./run-types.js";

export interface CodemodeRuntimeOptions {
  /** Of every run that does not set its own. */
  readonly limits?: Partial<CodemodeLimits> | undefined;
  /** Worker threads at most. Default: the number of cores, at most 4. */
  readonly workers?: number | undefined;
  /**
   * Scripts at most that share a worker, nested ones not counted; others wait for a place. Default: no limit but `maxScripts`.
   * A script that cannot be interrupted ends with its worker, and the others there with it: 1 gives each a worker of its own.
   */
  readonly scriptsPerWorker?: number | undefined;
  /** After how many milliseconds without a script a worker ends, if it is not the only one. Default 60,000. */
  readonly idleMs?: number | undefined;
}

export interface CodemodeRuntime {
  /**
   * Runs a script. Resolves whatever the script does; rejects with a `NestcallError` (`INVALID_ARGUMENTS`) for options that
   * are wrong.
   */
  run(source: string, options: CodemodeRunOptions): Promise<CodemodeRun>;
  /** Ends running scripts as `aborted` and the workers with them. Later runs are aborted at once. */
  close(): Promise<void>;
}

/** One per process is enough: scripts share its workers and see nothing of each other. */
export function createCodemodeRuntime(options: CodemodeRuntimeOptions = {}): CodemodeRuntime {
  return new Runtime(options);
}

type ExecutedParts = Omit<ScriptRunParts, "id" | "done" | "again">;

/** Scripts that wait for a person leave their place to others and keep their sandbox. */
const SANDBOXES_PER_PLACE = 8;

class Runtime implements CodemodeRuntime {
  readonly #limits: CodemodeLimits;
  readonly #pool: WorkerPool;
  readonly #admission: Admission;
  readonly #toolSets = new ToolSets();
  readonly #ending = new Set<() => void>();
  #lastRun = 0;

  constructor(options: CodemodeRuntimeOptions) {
    const { workers = Math.min(availableParallelism(), 4), scriptsPerWorker, idleMs = 60_000 } = options;
    this.#limits = withLimits(DEFAULT_LIMITS, options.limits);
    if (!Number.isInteger(workers) || workers < 1)
      throw wrong(`workers must be a whole number, 1 or more; it is ${describeValue(workers)}.`);
    if (scriptsPerWorker !== undefined && (!Number.isInteger(scriptsPerWorker) || scriptsPerWorker < 1))
      throw wrong(`scriptsPerWorker must be a whole number, 1 or more; it is ${describeValue(scriptsPerWorker)}.`);
    const { maxScripts, maxQueuedScripts } = this.#limits;
    const perWorker = scriptsPerWorker ?? Number.POSITIVE_INFINITY;
    this.#pool = new WorkerPool(workers, idleMs, perWorker);
    const maxSandboxes = Math.min(maxScripts * SANDBOXES_PER_PLACE, workers * perWorker);
    this.#admission = new Admission({ maxScripts, maxQueued: maxQueuedScripts, maxSandboxes });
  }

  async run(source: string, options: CodemodeRunOptions): Promise<CodemodeRun> {
    const queuedAt = performance.now();
    checkRunOptions(source, options);
    checkTools(options.tools, "run()");
    refuseSameNames(options.tools, "run()");
    const limits = withLimits(this.#limits, options.limits);
    const store = storeEntries(options.store);
    const depth = currentDepth();
    if (this.#pool.isClosed) return refusal("aborted", abortError("The runtime is closed."), queuedAt);
    if (options.signal?.aborted === true) return refusal("aborted", abortError(abortText(options.signal)), queuedAt);
    const refused = refusedSource(source, depth, limits);
    if (refused !== undefined) return refusal(refused.limit === undefined ? "error" : "limit", refused, queuedAt);
    const letGo = claimJournal(options.journal);
    try {
      const fresh = { seed: seedState(options.seed), startedAt: options.startedAt ?? Date.now(), store };
      const journal = openJournal(options.journal, fresh);
      if ("error" in journal) return refusal(journal.status, journal.error, queuedAt);
      return await this.#admit({ source, options, limits, depth, journal, queuedAt });
    } finally {
      letGo();
    }
  }

  async #admit(parts: Omit<ExecutedParts, "toolSet" | "waits">): Promise<CodemodeRun> {
    const { options, limits, depth, queuedAt } = parts;
    const isNested = depth > 0;
    let place = isNested ? undefined : this.#admission.tryEnter();
    if (!isNested && place === undefined) {
      if (this.#admission.isFull)
        return refusal("limit", queueError("too many scripts wait already (maxQueuedScripts)"), queuedAt);
      const given = await this.#waitForPlace(limits.queueMs, options.signal);
      if ("message" in given) return refusal(given.limit === undefined ? "aborted" : "limit", given, queuedAt);
      place = given;
    }
    const toolSet = this.#toolSets.of(options.tools);
    try {
      return await this.#execute({ ...parts, toolSet, waits: (isWaiting) => place?.waits(isWaiting) });
    } finally {
      place?.leave();
    }
  }

  #waitForPlace(queueMs: number, signal: AbortSignal | undefined): Promise<Place | CodemodeError> {
    return new Promise((resolve) => {
      const settle = (end: Place | CodemodeError) => {
        clearTimeout(timer);
        leave();
        stopListening?.();
        this.#ending.delete(close);
        resolve(end);
      };
      const close = () => settle(abortError("The runtime was closed."));
      const leave = this.#admission.wait(settle);
      const stopListening = signal && onAbort(signal, () => settle(abortError(abortText(signal))));
      const late = () => settle(queueError(`no place was free for ${queueMs} ms (queueMs)`));
      const timer = setTimeout(late, Math.min(queueMs, 0x7fff_ffff));
      this.#ending.add(close);
    });
  }

  async #execute(parts: ExecutedParts): Promise<CodemodeRun> {
    const { signal } = parts.options;
    const preparing = this.#pool.prepare();
    if (preparing !== undefined) await preparing;
    if (this.#pool.isClosed) return refusal("aborted", abortError("The runtime was closed."), parts.queuedAt);
    if (signal?.aborted === true) return refusal("aborted", abortError(abortText(signal)), parts.queuedAt);
    this.#lastRun = (this.#lastRun % 0x7fff_ffff) + 1;
    return new Promise((resolve) => {
      const run = new ScriptRun({
        ...parts,
        id: this.#lastRun,
        done: (result) => {
          stopListening?.();
          this.#ending.delete(close);
          resolve(result);
        },
        again: () => {
          if (this.#pool.isClosed) close();
          else run.begin(this.#pool.choose());
        },
      });
      const close = () => run.end("aborted", abortError("The runtime was closed."));
      const stopListening = signal && onAbort(signal, () => run.end("aborted", abortError(abortText(signal))));
      this.#ending.add(close);
      run.begin(this.#pool.choose());
    });
  }

  async close(): Promise<void> {
    // First the runs, which then know why they end: a worker that is gone tells nothing but that.
    this.#pool.refuse();
    for (const end of [...this.#ending]) end();
    await this.#pool.close();
  }

  /** For tests. */
  async [INSPECT](): Promise<RuntimeInspection> {
    const workers = await Promise.all(
      this.#pool.threads.map(async (thread) => ({
        threadId: thread.threadId,
        slots: (await thread.inspect())?.slots ?? [],
      })),
    );
    return { workers };
  }
}

function storeEntries(store: CodemodeRunOptions["store"]): readonly (readonly [string, string])[] {
  if (store === undefined) return [];
  return Object.entries(store).flatMap(([key, value]) => {
    try {
      const json = JSON.stringify(value) as string | undefined;
      return json === undefined ? [] : [[key, json] as const];
    } catch (error) {
      throw wrong(`store.${key} has no JSON form: ${thrownText(error)}`);
    }
  });
}

function refusedSource(source: string, depth: number, limits: CodemodeLimits): CodemodeError | undefined {
  if (depth > limits.maxDepth) {
    const message = `Scripts run scripts ${depth} deep; the limit is ${limits.maxDepth} (maxDepth).`;
    return { name: "LimitError", message, limit: "depth" };
  }
  const bytes = source.length * 3 <= MAX_SOURCE_BYTES ? 0 : Buffer.byteLength(source);
  if (bytes <= MAX_SOURCE_BYTES) return undefined;
  return {
    name: "SourceError",
    message: `The script has ${bytes} bytes; at most ${MAX_SOURCE_BYTES} (256 KiB) are run.`,
  };
}

function refusal(status: CodemodeFailure["status"], error: CodemodeError, queuedAt: number): CodemodeFailure {
  const timings = { cpuMs: 0, wallMs: 0, queuedMs: performance.now() - queuedAt };
  return failed(status, error, { ending: undefined, warnings: [], calls: [], timings });
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function queueError(why: string): CodemodeError {
  return { name: "LimitError", message: `The script did not run: ${why}.`, limit: "queue" };
}

function abortError(message: string): CodemodeError {
  return { name: "AbortError", message };
}

function abortText(signal: AbortSignal): string {
  return `The run was aborted: ${thrownText(signal.reason)}`;
}
