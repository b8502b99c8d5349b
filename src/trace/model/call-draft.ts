// A call while its events are read.
import { textOfContent } from "../../tools/tool-result.js";
import type { TraceCall, TraceStatus, TraceWait } from "../trace.js";
import type { TraceEndEvent, TraceStartEvent, TraceUpdateEvent, TraceWaitEvent } from "../trace-event.js";

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type WaitDraft = Omit<TraceWait, "toMs">;

export class CallDraft {
  readonly id: string;
  readonly parent: CallDraft | undefined;
  readonly depth: number;
  name: string | undefined;
  readonly startMs: number;
  endMs: number | undefined = undefined;
  /** Where the first call below began: the tool ran by then. */
  firstChildMs: number | undefined = undefined;
  #start: TraceStartEvent | undefined;
  #end: TraceEndEvent | undefined = undefined;
  #update: TraceUpdateEvent | undefined = undefined;
  #updates = 0;
  readonly #waits: WaitDraft[] = [];

  constructor(id: string, parent: CallDraft | undefined, startMs: number, start?: TraceStartEvent) {
    this.id = id;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.startMs = startMs;
    this.name = start?.toolName;
    this.#start = start;
    if (parent !== undefined) parent.firstChildMs ??= startMs;
  }

  get durationMs(): number {
    return this.#end?.durationMs ?? 0;
  }

  addWait({ reason, paths, heldBy }: TraceWaitEvent, fromMs: number): void {
    const holder = heldBy === undefined ? {} : { heldBy };
    this.#waits.push({ reason, fromMs, ...(paths === undefined ? {} : { paths }), ...holder });
  }

  addUpdate(event: TraceUpdateEvent): void {
    this.#update = event;
    // A collector's update stands for those before it; the engine's for itself.
    this.#updates = event.updates === undefined ? this.#updates + 1 : Math.max(this.#updates, event.updates);
  }

  end(event: TraceEndEvent, endMs: number): void {
    this.#end = event;
    this.endMs = endMs;
  }

  /** @param lastMs - Where an unfinished call is drawn to. */
  toCall(index: number, parent: number | undefined, lastMs: number, zeroMs: number): TraceCall {
    const endMs = Math.max(this.startMs, this.endMs ?? lastMs);
    const runMs = this.#runMs(endMs);
    const call: Draft<TraceCall> = {
      index,
      id: this.id,
      depth: this.depth,
      status: this.#status(),
      startMs: rounded(this.startMs - zeroMs),
      endMs: rounded(endMs - zeroMs),
      waits: this.#waitsUntil(runMs ?? endMs, zeroMs),
    };
    if (this.name !== undefined) call.name = this.name;
    if (parent !== undefined) call.parent = parent;
    if (runMs !== undefined) call.runMs = rounded(runMs - zeroMs);
    this.#addArguments(call);
    this.#addResult(call);
    this.#addUpdates(call);
    return call;
  }

  #status(): TraceStatus {
    if (this.#end === undefined) return this.name === undefined ? "unknown" : "unfinished";
    return this.#end.code === "BLOCKED" ? "blocked" : this.#end.status;
  }

  /** A tool runs until its call ends, hooks on its result aside; and it ran before it called others. */
  #runMs(endMs: number): number | undefined {
    const durationMs = this.#end?.durationMs;
    if (durationMs === undefined) return this.#end === undefined ? this.firstChildMs : undefined;
    const latest = Math.min(endMs - durationMs, this.firstChildMs ?? endMs);
    return Math.max(latest, this.startMs, this.#waits.at(-1)?.fromMs ?? this.startMs);
  }

  #waitsUntil(endMs: number, zeroMs: number): TraceWait[] {
    return this.#waits.map((wait, at) => {
      const toMs = this.#waits[at + 1]?.fromMs ?? Math.max(endMs, wait.fromMs);
      return { ...wait, fromMs: rounded(wait.fromMs - zeroMs), toMs: rounded(toMs - zeroMs) };
    });
  }

  #addArguments(call: Draft<TraceCall>): void {
    const { arguments: args, argumentsBytes } = this.#start ?? {};
    if (args !== undefined) call.arguments = args;
    if (argumentsBytes !== undefined) call.argumentsBytes = argumentsBytes;
  }

  #addResult(call: Draft<TraceCall>): void {
    if (this.#end === undefined) return;
    const { code, durationMs, isError, result, resultBytes, isResultCut } = this.#end;
    if (code !== undefined) call.code = code;
    if (durationMs !== undefined) call.durationMs = durationMs;
    const text = textOf(result);
    if (isError && text !== "") call.error = text;
    if (result !== undefined) call.result = result;
    const bytes = resultBytes ?? (result === undefined ? undefined : Buffer.byteLength(text));
    if (bytes !== undefined) call.resultBytes = bytes;
    if (isResultCut === true) call.isResultCut = true;
    if (result?.usage !== undefined) call.usage = result.usage;
  }

  #addUpdates(call: Draft<TraceCall>): void {
    if (this.#updates === 0) return;
    call.updates = this.#updates;
    const text = textOf(this.#update?.partialResult);
    if (text !== "") call.latestUpdate = text;
  }
}

function textOf(result: TraceEndEvent["result"]): string {
  return Array.isArray(result?.content) ? textOfContent(result.content) : "";
}

/** To a microsecond: what is finer is noise of floating-point numbers. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
