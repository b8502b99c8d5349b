// The calls that are looked at: of one root call or of all, in one list, with times from one zero.
import { assignLanes } from "../../model/lanes.js";
import { shownFromMs } from "../../model/shown-span.js";
import type { TraceWait } from "../../trace.js";
import type { PageCall, PageData, PagePatch } from "../page-data.js";

export interface ViewCall {
  /** Its place in the list. */
  readonly at: number;
  /** The same as long as the page is open. */
  readonly key: string;
  readonly rootKey: number;
  readonly call: PageCall;
  readonly parent: number | undefined;
  readonly children: readonly number[];
  readonly startMs: number;
  /** Where its bar begins. */
  readonly fromMs: number;
  readonly runMs: number | undefined;
  readonly endMs: number;
  readonly waits: readonly TraceWait[];
  readonly lane: number;
  readonly row: number;
}

/** A list of calls with what is true of all of it. */
export interface CallView {
  readonly calls: readonly ViewCall[];
  readonly endMs: number;
  /** Milliseconds since the Unix epoch at its zero. */
  readonly zero: number;
  /** How many rows each lane has. */
  readonly laneRows: readonly number[];
}

interface ModelRoot {
  readonly key: number;
  readonly startedAt: number;
  readonly calls: PageCall[];
}

type Draft = { -readonly [K in keyof ViewCall]: ViewCall[K] } & { children: number[] };

export class TraceModel {
  readonly #roots = new Map<number, ModelRoot>();

  constructor({ roots }: PageData) {
    for (const { key, startedAt, calls } of roots) this.#roots.set(key, { key, startedAt, calls: [...calls] });
  }

  /** The root calls, the earliest first. */
  get roots(): readonly { readonly key: number; readonly startedAt: number; readonly call: PageCall | undefined }[] {
    const roots = Array.from(this.#roots.values()).sort((one, other) => one.key - other.key);
    return roots.map(({ key, startedAt, calls }) => ({ key, startedAt, call: calls[0] }));
  }

  apply({ isWhole, keys, changes }: PagePatch): void {
    if (isWhole) this.#roots.clear();
    for (const { key, startedAt, calls } of changes) {
      const root = this.#roots.get(key) ?? { key, startedAt, calls: [] };
      this.#roots.set(key, root);
      for (const [place, call] of calls) root.calls[place] = call;
    }
    for (const key of this.#roots.keys()) if (!keys.includes(key)) this.#roots.delete(key);
  }

  /**
   * @param rootKey - `undefined` for all.
   * @param now - Where calls that still run are drawn to, in milliseconds since the Unix epoch; absent when nothing runs.
   */
  view(rootKey: number | undefined, now?: number): CallView {
    const roots = Array.from(this.#roots.values()).filter(({ key }) => rootKey === undefined || key === rootKey);
    const zero = roots.reduce((least, { startedAt }) => Math.min(least, startedAt), Number.POSITIVE_INFINITY);
    const drafts: Draft[] = [];
    for (const root of roots) addRoot(root, root.startedAt - zero, now === undefined ? undefined : now - zero, drafts);
    return { ...placeInLanes(drafts), endMs: drafts.reduce((most, { endMs }) => Math.max(most, endMs), 0), zero };
  }
}

function addRoot({ key: rootKey, calls }: ModelRoot, offsetMs: number, nowMs: number | undefined, all: Draft[]): void {
  const first = all.length;
  for (const [place, call] of calls.entries()) {
    const at = all.length;
    const parent = call.parent === undefined ? undefined : first + call.parent;
    const isRunning = call.status === "unfinished" && nowMs !== undefined;
    const endMs = isRunning ? Math.max(call.endMs + offsetMs, nowMs) : call.endMs + offsetMs;
    const waits = (call.waits ?? []).map((wait) => shifted(wait, offsetMs));
    const startMs = call.startMs + offsetMs;
    const fromMs = shownFromMs({ startMs, endMs, waits });
    all.push({
      at,
      key: `${rootKey}:${place}`,
      rootKey,
      call,
      parent,
      children: [],
      startMs,
      fromMs,
      runMs: call.runMs === undefined ? undefined : call.runMs + offsetMs,
      endMs: Math.max(endMs, fromMs),
      waits,
      lane: 0,
      row: 0,
    });
    if (parent !== undefined) all[parent]?.children.push(at);
  }
}

function shifted(wait: TraceWait, offsetMs: number): TraceWait {
  return { ...wait, fromMs: wait.fromMs + offsetMs, toMs: wait.toMs + offsetMs };
}

function placeInLanes(drafts: readonly Draft[]): Pick<CallView, "calls" | "laneRows"> {
  const spans = drafts.map(({ fromMs: startMs, endMs, parent }) => ({ startMs, endMs, parent }));
  const laneRows: number[] = [];
  for (const [at, { lane, row }] of assignLanes(spans).entries()) {
    const draft = drafts[at];
    if (draft === undefined) continue;
    draft.lane = lane;
    draft.row = row;
    laneRows[lane] = Math.max(laneRows[lane] ?? 0, row + 1);
  }
  return { calls: drafts, laneRows };
}
