// One run on the host's side: what the script asks for is made or replayed, what it ends with is told, whatever happens.
import { thrownText } from "../../errors/text.js";
import type { CodemodeLimits } from "../limits.js";
import {
  type CallMessage,
  type EndingReport,
  FAILURE,
  type Payload,
  type Settlement,
  type SlotReport,
} from "../protocol.js";
import type { CodemodeError, CodemodeFailure, CodemodeRun, CodemodeRunOptions } from "../run-types.js";
import { fromPayload, type ResultPayload, toPayload } from "./result-payload.js";
import { RunCalls, type RunCallsOwner } from "./run-calls.js";
import type { RunJournal } from "./run-journal.js";
import { failed, type RunFacts, resultOf, unawaitedWarning } from "./run-result.js";
import { ScriptTime } from "./script-time.js";
import type { ThreadRun, ToolSetOf, WorkerThread } from "./worker-thread.js";

/** How long the last report of a script that was stopped is waited for: it has the output. */
const LAST_REPORT_MS = 20;

export interface ScriptRunParts {
  readonly id: number;
  readonly source: string;
  readonly options: CodemodeRunOptions;
  readonly limits: CodemodeLimits;
  readonly depth: number;
  readonly toolSet: ToolSetOf;
  readonly journal: RunJournal;
  readonly queuedAt: number;
  /** Whether the script waits for a person. */
  waits(isWaiting: boolean): void;
  /** The run is over; its place is free. */
  done(run: CodemodeRun): void;
  /** The worker died before the script did anything: it may begin again elsewhere. */
  again(): void;
}

type Stop = { readonly status: CodemodeFailure["status"]; readonly error: CodemodeError };

export class ScriptRun implements ThreadRun, RunCallsOwner {
  readonly id: number;
  readonly depth: number;
  readonly resultBytes: number;
  readonly #parts: ScriptRunParts;
  readonly #calls: RunCalls;
  readonly #journal: RunJournal;
  readonly #time: ScriptTime;
  #thread: WorkerThread | undefined;
  /** Messages whose last report has not come. */
  #turns = 0;
  #settled: { readonly id: number; readonly result: ResultPayload }[] = [];
  #ready: Settlement[] = [];
  #recordedOpen = new Set<number>();
  /** New calls that wait for the end of a replay. */
  #held: CallMessage[] = [];
  #ending: EndingReport | undefined;
  #stop: Stop | undefined;
  #stoppedAt: number | undefined;
  #isOver = false;
  #isSecondTry = false;
  #lastReportTimer: NodeJS.Timeout | undefined;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(parts: ScriptRunParts) {
    this.id = parts.id;
    this.depth = parts.depth;
    this.resultBytes = parts.limits.resultBytes;
    this.#parts = parts;
    this.#journal = parts.journal;
    this.#journal.onBroken((error) => this.#journalBroke(error));
    this.#calls = new RunCalls(parts.options.callTool, this);
    this.#time = new ScriptTime(parts.queuedAt, () => this.#wallPassed());
  }

  get stoppedAt(): number | undefined {
    return this.#stoppedAt;
  }

  begin(thread: WorkerThread): void {
    const { source, limits, toolSet } = this.#parts;
    const { seed, startedAt, store, recordedCalls } = this.#journal;
    this.#thread = thread;
    this.#turns = 1;
    this.#time.sent();
    thread.add(this, toolSet);
    const given = { source, toolSet: toolSet.id, limits, seed, startedAt, store, recordedCalls };
    thread.post({ type: "run", run: this.id, ...given });
  }

  // ---- what the worker says

  report(report: SlotReport): void {
    if (report.state !== "running") this.#turns -= 1;
    this.#time.reported(report);
    if (this.#isOver) return;
    if (report.ending !== undefined) this.#ending = report.ending;
    if (this.#stop !== undefined) {
      if (report.state === "done") this.#finishStopped();
      return;
    }
    try {
      for (const call of report.calls) this.#take(call);
    } catch (error) {
      this.#journalBroke(error);
    }
    if (report.state === "done") this.#finishBy(report);
    else this.#goOn(report);
  }

  lost(wasCulprit: boolean): void {
    if (this.#isOver) return;
    if (this.#stop !== undefined) this.#finishStopped();
    else if (wasCulprit) {
      const { cpuMs } = this.#parts.limits;
      const message = `The script timed out: it computed for more than ${cpuMs} ms (cpuMs) and could not be interrupted.`;
      this.#stop = { status: "limit", error: { name: "LimitError", message, limit: "cpu" } };
      this.#finishStopped();
    } else if (this.#calls.isEmpty && !this.#isSecondTry) {
      this.#isSecondTry = true;
      this.#ready = [];
      this.#ending = undefined;
      this.#parts.again();
    } else {
      const message =
        "The sandbox's worker ended while the script ran. Calls that were running may or may not have happened.";
      this.#stop = { status: "engine", error: { name: "EngineError", message } };
      this.#finishStopped();
    }
  }

  #goOn(report: SlotReport): void {
    if (report.state === "draining") this.#drain(report);
    else if (report.state === "parked") this.#time.parked(report.wallLeftMs);
    this.#replay(report.state);
  }

  /** The script has its value, and waits for calls that nobody awaits. */
  #drain({ ending }: SlotReport): void {
    this.#time.stopWall();
    this.#drainTimer ??= setTimeout(() => this.#drained(), Math.min(ending?.drainMs ?? 0, 0x7fff_ffff));
  }

  #drained(): void {
    if (this.#ending === undefined || this.#isOver) return;
    const { outcome } = this.#ending;
    const warning = unawaitedWarning(this.#calls.openNames, true);
    this.#leaveThread();
    this.#finish(() => resultOf(outcome, this.#facts([warning])));
  }

  // ---- calls

  #take(message: CallMessage): void {
    const [id, tool, payload] = message;
    const name = this.#parts.toolSet.tools[tool]?.name ?? "";
    if (this.#isOver || this.#stop !== undefined) return;
    // Only a journal needs the text now; else it is read in the turn in which the call begins.
    const args = this.#journal.keepsTexts ? fromPayload(payload) : payload;
    const compared = this.#journal.compare(id, name, args);
    if (typeof compared === "object") {
      this.#diverge(compared.problem);
      return;
    }
    this.#calls.note(id, name);
    if (compared === "recorded") this.#recordedOpen.add(id);
    else if (compared === "in doubt") this.#calls.start(id, args, true);
    else if (this.#journal.nextResult === undefined) this.#makeNew(id, name, args);
    else if (this.#recordedOpen.size < this.#parts.limits.maxConcurrentCalls) {
      this.#diverge(`The script makes a call ${id} of ${name} that is not in the journal.`);
    } else this.#held.push([id, tool, args]);
  }

  #makeNew(id: number, name: string, args: Payload | undefined): void {
    if (this.#journal.isFinished) {
      this.#diverge(`The recorded run had finished; the script makes a call ${id} of ${name} more.`);
      return;
    }
    this.#journal.pushCall(id, name, args);
    this.#calls.start(id, args, false);
  }

  /**
   * What settles in one turn of the host is taken in the order of the calls: which of several quick tools is a few
   * promises longer must not decide what the script sees first (C5).
   */
  settled(id: number, result: ResultPayload): void {
    if (this.#isOver || this.#stop !== undefined) return;
    if (this.#settled.push({ id, result }) === 1) process.nextTick(() => this.#takeSettled());
  }

  #takeSettled(): void {
    const settled = this.#settled.sort((a, b) => a.id - b.id);
    this.#settled = [];
    for (const { id, result } of settled) {
      if (this.#isOver || this.#stop !== undefined) return;
      const now = this.#time.scriptNow(this.#journal.startedAt);
      try {
        this.#journal.pushResult(id, now, result);
      } catch (error) {
        this.#journalBroke(error);
        return;
      }
      this.#give([id, result.kind, toPayload(result), now]);
    }
  }

  waits(isWaiting: boolean): void {
    this.#time.waits(isWaiting);
    this.#parts.waits(isWaiting);
  }

  /** Everything that settles in one turn of the host goes in one message. */
  #give(settlement: Settlement): void {
    if (this.#ready.push(settlement) === 1) process.nextTick(() => this.#send());
  }

  #send(): void {
    const settlements = this.#ready;
    this.#ready = [];
    if (this.#isOver || this.#stop !== undefined || settlements.length === 0) return;
    this.#turns += 1;
    const buffers = settlements.flatMap(([, , payload]) => (payload instanceof Uint8Array ? [payload.buffer] : []));
    const { pausedMs } = this.#time;
    this.#thread?.post({ type: "settle", run: this.id, settlements, pausedMs }, buffers);
  }

  /** Gives recorded results in their order, each once its call was made. */
  #replay(state: SlotReport["state"]): void {
    const results: ResultEntryLike[] = [];
    for (let next = this.#journal.nextResult; next !== undefined; next = this.#journal.nextResult) {
      if (!this.#recordedOpen.delete(next.id)) break;
      this.#journal.takeResult();
      results.push(next);
    }
    for (const { id, kind, text, now } of results) {
      this.#calls.replayed(id, kind !== FAILURE);
      this.#time.replayed(now);
      this.#give([id, kind, toPayload({ text }), now]);
    }
    const { nextResult } = this.#journal;
    if (nextResult === undefined) this.#makeHeld();
    else if (
      results.length === 0 &&
      this.#turns === 0 &&
      this.#ready.length + this.#settled.length === 0 &&
      state !== "running"
    ) {
      const unmade = this.#journal.firstUnmade ?? { id: nextResult.id, name: "" };
      this.#diverge(`The script did not make the recorded call ${unmade.id} of ${unmade.name}.`);
    }
  }

  #makeHeld(): void {
    const held = this.#held;
    this.#held = [];
    try {
      for (const [id, tool, args] of held) this.#makeNew(id, this.#parts.toolSet.tools[tool]?.name ?? "", args);
    } catch (error) {
      this.#journalBroke(error);
    }
  }

  // ---- the end

  /** Ends the run from outside, at once: the script runs no more, and its calls are aborted. */
  end(status: CodemodeFailure["status"], error: CodemodeError): void {
    if (this.#isOver || this.#stop !== undefined) return;
    this.#stop = { status, error };
    this.#abortCalls(error.message);
    if (this.#thread === undefined) {
      this.#finishStopped();
      return;
    }
    this.#leaveThread();
    this.#lastReportTimer = setTimeout(() => this.#finishStopped(), LAST_REPORT_MS);
  }

  #leaveThread(): void {
    this.#stoppedAt = performance.now();
    this.#thread?.stop(this.id);
  }

  #wallPassed(): void {
    const { wallMs } = this.#parts.limits;
    const message = `The script timed out: it ran for more than ${wallMs} ms, calls included (wallMs).`;
    this.end("limit", { name: "LimitError", message, limit: "wall" });
  }

  #journalBroke(error: unknown): void {
    const message = `The journal could not be written, so the script was ended: ${thrownText(error)}`;
    this.end("engine", { name: "JournalError", message });
  }

  #finishStopped(): void {
    if (this.#stop === undefined) return;
    const { status, error } = this.#stop;
    this.#finish(() => failed(status, error, this.#facts([])));
  }

  #finishBy({ ending }: SlotReport): void {
    if (this.#stop !== undefined) {
      this.#finishStopped();
      return;
    }
    if (ending === undefined) return;
    const { outcome, unawaited } = ending;
    const isOwn = outcome.kind === "value" || outcome.kind === "error" || outcome.kind === "deadlock";
    const unmade = isOwn ? this.#journal.firstUnmade : undefined;
    if (unmade !== undefined) {
      const problem = `The script ended and did not make the recorded call ${unmade.id} of ${unmade.name}.`;
      this.#finish(() => failed("divergence", divergence(problem), this.#facts([])));
      return;
    }
    const names = unawaited.map((id) => this.#calls.nameOf(id));
    const warnings = names.length === 0 ? [] : [unawaitedWarning(names, false)];
    const lost = isOwn ? this.#pushEnd(outcome.kind === "value" ? "ok" : outcome.kind) : undefined;
    if (lost !== undefined) warnings.push(lost);
    this.#finish(() => resultOf(outcome, this.#facts(warnings)));
  }

  #diverge(problem: string): void {
    this.end("divergence", divergence(problem));
  }

  /** What went wrong. The script is over, and its result is known: without its end a journal is replayed to the same end. */
  #pushEnd(status: string): string | undefined {
    try {
      this.#journal.pushEnd(status);
      return undefined;
    } catch (error) {
      return `The journal could not be told that the script has ended: ${thrownText(error)}`;
    }
  }

  #facts(warnings: readonly string[]): RunFacts {
    return { ending: this.#ending, warnings, calls: this.#calls.list(), timings: this.#time.timings() };
  }

  #abortCalls(message: string): void {
    // 7.1: of a run whose worker died nothing is known of the calls in flight.
    if (this.#stop?.status === "engine") this.#calls.giveUp();
    this.#calls.abort(Object.assign(new Error(message), { name: "AbortError" }));
  }

  /** Calls that heed their signal have a turn of the host to end. */
  #finish(result: () => CodemodeRun): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#time.stopWall();
    clearTimeout(this.#lastReportTimer);
    clearTimeout(this.#drainTimer);
    this.#abortCalls("The script has ended.");
    const done = () => this.#parts.done(result());
    if (this.#calls.isRunning) setImmediate(done);
    else done();
  }
}

type ResultEntryLike = NonNullable<RunJournal["nextResult"]>;

function divergence(message: string): CodemodeError {
  return { name: "DivergenceError", message };
}
