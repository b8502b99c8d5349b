// One sandbox and the script in it: begins it, gives it results one by one, and says after each turn what has become of it.
import { lowerLimits } from "../limits.js";
import {
  ABSENT,
  type EndingReport,
  FAILURE,
  JSON_TEXT,
  type Outcome,
  type RunMessage,
  type SettleMessage,
  type Settlement,
  type SlotReport,
} from "../protocol.js";
import { type Engine, EngineBroken, type EngineOwner, STOP } from "../vm/engine.js";
import { createImage, createSandbox, hashesOf, resetSandbox, type SandboxImage } from "../vm/sandbox-image.js";
import type { WasmModule } from "../vm/wasm-exports.js";
import { answerBridge, type BridgeTarget } from "./bridge.js";
import { ScriptCalls } from "./script-calls.js";
import { ScriptClock } from "./script-clock.js";
import { ScriptOutput, ScriptStore } from "./script-output.js";
import { importRefusal, startScript } from "./source-forms.js";
import { readSourceText } from "./source-text.js";
import type { ToolSet } from "./tool-set.js";
import { uncalledDeclaration } from "./uncalled-declaration.js";
import type { WorkerControl } from "./worker-control.js";

const JOBS_BETWEEN_POLLS = 50;
const CROSSINGS_BETWEEN_POLLS = 16;
/** A limit is exceeded by at most what is allocated between two polls; the engine refuses larger pieces by itself. */
const MEMORY_MARGIN_BYTES = 2 * 1024 * 1024;
/** Cycles are looked for late: most scripts are over before, and their memory is written back as a whole. */
const GC_THRESHOLD_BYTES = 16 * 1024 * 1024;
/** Calls leave while the script computes on, when it does so for long. */
const FLUSH_AFTER_MS = 5;
const MAX_REJECTIONS = 20;

/** What belongs to one script and is let go with it. */
export interface ScriptState extends BridgeTarget {
  readonly run: number;
  readonly source: string;
  readonly clock: ScriptClock;
  readonly drainMs: number;
  readonly memoryBytes: number;
  readonly rejections: Map<number, number>;
  outcome: Outcome | undefined;
  /** The guest runs no more. */
  isOver: boolean;
  /** Calls that were open when the script had its end; `undefined` until then. */
  unawaited: readonly number[] | undefined;
  enteredAt: number;
}

export class ScriptSlot implements EngineOwner {
  readonly #engine: Engine;
  readonly #image: SandboxImage;
  readonly #control: WorkerControl;
  readonly #post: (report: SlotReport) => void;
  #script: ScriptState | undefined;
  #droppedBytes = 0;
  #crossings = 0;

  constructor(
    module: WasmModule,
    image: SandboxImage | undefined,
    control: WorkerControl,
    post: (report: SlotReport) => void,
  ) {
    this.#control = control;
    this.#post = post;
    this.#image = image ?? createImage(module, this);
    this.#engine = image === undefined ? this.#image.engine : createSandbox(module, this, image);
  }

  get image(): SandboxImage {
    return this.#image;
  }

  get run(): number | undefined {
    return this.#script?.run;
  }

  /** Memory that was let go with grown instances since the last time. */
  takeDroppedBytes(): number {
    const bytes = this.#droppedBytes;
    this.#droppedBytes = 0;
    return bytes;
  }

  inspect(): { memoryHash: string; imageHash: string; memoryBytes: number } {
    return { ...hashesOf(this.#engine, this.#image), memoryBytes: this.#engine.memoryBytes };
  }

  // ---- turns

  begin(message: RunMessage, toolSet: ToolSet): void {
    const text = readSourceText(message.source);
    const { limits, warnings } = lowerLimits(message.limits, text.options);
    const script: ScriptState = {
      run: message.run,
      source: text.code,
      toolSet,
      limits,
      clock: new ScriptClock(limits, message.startedAt),
      drainMs: limits.drainMs,
      memoryBytes: limits.memoryBytes,
      calls: new ScriptCalls(limits, message.recordedCalls),
      output: new ScriptOutput(limits),
      store: new ScriptStore(message.store),
      rejections: new Map(),
      outcome: undefined,
      isOver: false,
      unawaited: undefined,
      enteredAt: 0,
    };
    script.output.warnings.push(...text.warnings, ...warnings);
    this.#script = script;
    this.#turn(script, () => this.#start(script, message));
  }

  settle({ settlements, pausedMs }: SettleMessage): void {
    const script = this.#script;
    if (script === undefined) return;
    script.clock.pausedMs = pausedMs;
    let next = 0;
    this.#turn(
      script,
      () => {
        while (next < settlements.length) {
          const settlement = settlements[next] as Settlement; // inside the list
          next += 1;
          if (!script.calls.settle(settlement[0]) || script.isOver) continue;
          script.clock.now = Math.max(script.clock.now, settlement[3]);
          this.#applySettlement(settlement);
          this.#drain(script);
        }
      },
      () => {
        // The script was left in the middle of the list: what comes after has settled all the same.
        for (const [id] of settlements.slice(next)) script.calls.settle(id);
      },
    );
  }

  /** The host has done with the script. */
  stop(): void {
    if (this.#script !== undefined) this.#finish(this.#script, { kind: "stopped" });
  }

  /** One stay in the guest. `onLeft` is called when it was left by a limit or by `exit`. */
  #turn(script: ScriptState, run: () => void, onLeft?: () => void): void {
    script.enteredAt = performance.now();
    this.#control.enter(script.run, script.clock.enter());
    try {
      run();
    } catch (error) {
      this.#left(script, error);
      onLeft?.();
    }
    script.clock.leave();
    this.#control.leave();
    this.#report(script);
  }

  #start(script: ScriptState, { seed }: RunMessage): void {
    const { exports } = this.#engine;
    exports.qjs_set_memory_limit(script.memoryBytes + MEMORY_MARGIN_BYTES);
    exports.qjs_set_gc_threshold(Math.min(script.memoryBytes / 4, GC_THRESHOLD_BYTES));
    const { argumentBytes, valueBytes, outputBytes, resultBytes } = script.limits;
    const shadowed = declaredByVar(script.source);
    const lengths = finite({ argumentBytes, valueBytes, outputBytes, resultBytes });
    const spec = { ...script.toolSet.installed, seed, shadowed, ...lengths };
    this.#invoke("install", this.#engine.newText(JSON.stringify(spec)));
    const context = {
      engine: this.#engine,
      shift: (columns: number) => this.#invoke("shift", exports.qjs_new_number(columns)),
    };
    const started = startScript(context, script.source);
    if ("error" in started) {
      script.outcome = { kind: "error", error: started.error };
      return;
    }
    const { form, value } = started;
    if (form === "body") this.#invoke("call", value);
    else this.#invoke("conclude", this.#engine.newText(form), value);
    this.#drain(script);
  }

  #applySettlement([id, kind, payload]: Settlement): void {
    const { exports } = this.#engine;
    const value =
      kind === ABSENT || payload === undefined
        ? exports.qjs_get_undefined()
        : kind === JSON_TEXT || kind === FAILURE
          ? this.#engine.newJson(payload)
          : this.#engine.newText(payload);
    const isOk = kind === FAILURE ? exports.qjs_get_false() : exports.qjs_get_true();
    this.#invoke("settle", exports.qjs_new_number(id), isOk, value);
  }

  /** Calls a function of the prelude; the values are freed. */
  #invoke(name: keyof SandboxImage["functions"], ...values: readonly number[]): void {
    const { exports } = this.#engine;
    const result = this.#engine.call(this.#image.functions[name], ...values);
    if (result === undefined) this.#engine.takeException();
    else exports.qjs_free_value(result);
    for (const value of values) exports.qjs_free_value(value);
  }

  #drain(script: ScriptState): void {
    const { exports } = this.#engine;
    let jobs = 0;
    while (exports.qjs_is_job_pending() !== 0) {
      if (exports.qjs_execute_pending_job() < 0) {
        const thrown = this.#engine.takeException();
        script.output.warnings.push(`A callback threw, and nothing caught it: ${thrown.slice(0, 500)}`);
      }
      jobs += 1;
      if (jobs % JOBS_BETWEEN_POLLS === 0) this.poll();
    }
    // C5: noted per result, not per message, of which one may bring several.
    const isEnded = script.outcome?.kind === "value" || script.outcome?.kind === "error";
    if (isEnded) script.unawaited ??= [...script.calls.open];
  }

  /** The guest was left where it stood: by `stopScript`, or because the engine could not go on. */
  #left(script: ScriptState, error: unknown): void {
    script.isOver = true;
    if (error === STOP) return;
    const isMemory = error instanceof EngineBroken && /memory/.test(error.message);
    const message = "The script went deeper than the sandbox's stack allows.";
    script.outcome ??= isMemory ? memoryLimit(script) : { kind: "limit", limit: "stack", message };
  }

  // ---- what has become of the script

  #report(script: ScriptState): void {
    const { calls, clock } = script;
    const taken = script.isOver && script.outcome?.kind !== "value" ? [] : calls.take();
    const isOpen = calls.open.size > 0;
    if (script.outcome === undefined && !isOpen) script.outcome = deadlock();
    const { outcome } = script;
    const mayDrain = outcome?.kind === "value" || outcome?.kind === "error";
    const state = outcome === undefined ? "parked" : isOpen && mayDrain ? "draining" : "done";
    const ending = outcome === undefined ? undefined : this.#ending(script, outcome);
    const report: SlotReport = {
      type: "report",
      run: script.run,
      calls: taken,
      state,
      cpuMs: clock.cpuMs,
      wallMs: clock.wallMs,
      wallLeftMs: clock.wallLeftMs,
      ...(ending === undefined ? {} : { ending }),
    };
    this.#post(report);
    if (state === "done") this.#reset();
  }

  #finish(script: ScriptState, outcome: Outcome): void {
    const { run, clock } = script;
    script.isOver = true;
    const ending = this.#ending(script, outcome);
    const { cpuMs, wallMs } = clock;
    this.#post({ type: "report", run, calls: [], state: "done", cpuMs, wallMs, wallLeftMs: 0, ending });
    this.#reset();
  }

  #ending(script: ScriptState, outcome: Outcome): EndingReport {
    const { output, store, drainMs, unawaited = [] } = script;
    const warnings = [...output.warnings, ...this.#rejectionWarnings(script)];
    if (outcome.kind === "value" && outcome.json === undefined && output.items.length === 0 && script.calls.isUnused) {
      const uncalled = uncalledDeclaration(script.source);
      if (uncalled !== undefined) warnings.push(uncalled);
    }
    const stored = outcome.kind === "value" ? [...store.writes] : [];
    return { outcome, output: output.items, console: output.lines, warnings, stored, drainMs, unawaited };
  }

  #rejectionWarnings(script: ScriptState): readonly string[] {
    if (script.isOver || script.rejections.size === 0) return [];
    const texts: string[] = [];
    for (const reason of [...script.rejections.values()].slice(0, MAX_REJECTIONS)) {
      const text = this.#engine.call(this.#image.functions.rejection, reason);
      if (text === undefined) this.#engine.takeException();
      else texts.push(`A rejection that nothing handled: ${this.#engine.text(text).slice(0, 500)}`);
    }
    const more = script.rejections.size - texts.length;
    return more > 0 ? [...texts, `${more} more rejections that nothing handled.`] : texts;
  }

  #reset(): void {
    this.#script = undefined;
    this.#droppedBytes += resetSandbox(this.#engine, this.#image);
  }

  // ---- asked by the engine

  poll(): void {
    const script = this.#script;
    if (script === undefined) return;
    if (script.isOver) throw STOP;
    if (this.#control.poll(script.run)) this.stopScript(script, { kind: "stopped" });
    const passed = script.clock.passed;
    if (passed !== undefined) this.stopScript(script, timeLimit(passed, script));
    if (this.#engine.exports.qjs_get_allocated_size() >>> 0 > script.memoryBytes) this.stopByMemory(script);
    if (script.calls.canSend && performance.now() - script.enteredAt > FLUSH_AFTER_MS) this.#sendCalls(script);
  }

  #sendCalls({ run, calls, clock }: ScriptState): void {
    const { cpuMs, wallMs, wallLeftMs } = clock;
    this.#post({ type: "report", run, calls: calls.take(), state: "running", cpuMs, wallMs, wallLeftMs });
  }

  /** Ends the guest where it stands. Called from within the engine, whose frames are left behind. */
  stopScript(script: ScriptState, outcome: Outcome): never {
    script.isOver = true;
    // A script that has its value keeps it: only what it left behind ends.
    if (script.outcome === undefined || outcome.kind === "stopped") script.outcome = outcome;
    throw STOP;
  }

  stopByMemory(script: ScriptState): never {
    return this.stopScript(script, memoryLimit(script));
  }

  called(argc: number, argv: number): number {
    const script = this.#script;
    if (script === undefined) return this.#engine.exports.qjs_get_undefined();
    if (script.isOver) throw STOP;
    // What leads out takes longer than the steps between two polls of the engine count for.
    this.#crossings = (this.#crossings + 1) % CROSSINGS_BETWEEN_POLLS;
    if (this.#crossings === 0) this.poll();
    return answerBridge(this.#engine, script, this, argc, argv);
  }

  rejected(promise: number, reason: number, isHandled: boolean): void {
    const { exports } = this.#engine;
    const key = exports.qjs_get_value_ptr(promise);
    exports.qjs_free_value(promise);
    const known = this.#script?.rejections.get(key);
    if (known !== undefined) exports.qjs_free_value(known);
    if (isHandled || this.#script === undefined) {
      this.#script?.rejections.delete(key);
      exports.qjs_free_value(reason);
    } else this.#script.rejections.set(key, reason);
  }

  now(): number {
    return this.#script?.clock.now ?? 0;
  }

  importRefusal(specifier: string): string {
    return importRefusal(JSON.stringify(specifier));
  }
}

function deadlock(): Outcome {
  return {
    kind: "deadlock",
    message: "The script waits for a promise that nothing can settle: no call is running, and there are no timers.",
  };
}

function memoryLimit({ memoryBytes }: ScriptState): Outcome {
  const message = `The script used more than ${memoryBytes} bytes of memory (memoryBytes).`;
  return { kind: "limit", limit: "memory", message };
}

function timeLimit(limit: "cpu" | "wall", { limits }: ScriptState): Outcome {
  const message =
    limit === "cpu"
      ? `The script timed out: it computed for more than ${limits.cpuMs} ms (cpuMs).`
      : `The script timed out: it ran for more than ${limits.wallMs} ms, calls included (wallMs).`;
  return { kind: "limit", limit, message };
}

/** As JSON can hold them, which has no infinity. */
function finite(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, Math.min(value, Number.MAX_SAFE_INTEGER)]),
  );
}

/** Names of the sandbox that the script declares with var, which would otherwise keep their old values. */
function declaredByVar(source: string): readonly string[] {
  if (!/\bvar\b/.test(source)) return [];
  return [...source.matchAll(/\bvar\s+([\w$]+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
