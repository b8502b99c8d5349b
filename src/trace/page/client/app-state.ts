// What is looked at, and what of it. Every view reads from here and is told when it has to draw again.
import type { PageData, PagePatch } from "../page-data.js";
import { type CallFilter, filterTest, isFiltering, NO_FILTER } from "./call-filter.js";
import { TimeWindow } from "./time-window.js";
import { Folding, type TreeRow, treeRows } from "./tree-rows.js";
import { type CallView, TraceModel, type ViewCall } from "./view-call.js";

export type PaneName = "call" | "totals";

export class AppState {
  readonly data: PageData;
  readonly model: TraceModel;
  readonly time = new TimeWindow();
  readonly #folding = new Folding();
  readonly #listeners: (() => void)[] = [];
  view: CallView = { calls: [], endMs: 0, zero: 0, laneRows: [] };
  matches: readonly boolean[] = [];
  matchCount = 0;
  rows: readonly TreeRow[] = [];
  filter: CallFilter = NO_FILTER;
  pane: PaneName = "totals";
  /** The key of a root call; `undefined` for all. */
  rootKey: number | undefined = undefined;
  dropped: number;
  savedTokens: number | undefined;
  /** The server's time of the last patch, and the page's own at that moment. */
  #clock: { readonly server: number; readonly own: number } | undefined = undefined;
  #selected: string | undefined = undefined;
  #byKey = new Map<string, ViewCall>();

  constructor(data: PageData) {
    this.data = data;
    this.model = new TraceModel(data);
    this.dropped = data.dropped;
    this.savedTokens = data.savedTokens;
    this.reload();
  }

  get isLive(): boolean {
    return this.data.isLive === true;
  }

  get isFiltered(): boolean {
    return isFiltering(this.filter);
  }

  get selected(): ViewCall | undefined {
    return this.#selected === undefined ? undefined : this.#byKey.get(this.#selected);
  }

  /** Whether some call still runs. */
  get hasRunning(): boolean {
    return this.isLive && this.view.calls.some(({ call }) => call.status === "unfinished");
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Takes the calls from the model anew. */
  reload(): void {
    this.view = this.model.view(this.rootKey, this.#now());
    this.#byKey = new Map(this.view.calls.map((call) => [call.key, call]));
    this.time.setEnd(this.view.endMs);
    this.refilter();
  }

  refilter(): void {
    const test = filterTest(this.filter);
    this.matches = this.view.calls.map(({ call }) => test(call));
    this.matchCount = this.matches.reduce((sum, isMatch) => (isMatch ? sum + 1 : sum), 0);
    this.refold();
  }

  refold(): void {
    this.rows = treeRows(this.view.calls, this.matches, this.isFiltered, this.#folding);
    this.changed();
  }

  setFilter(change: Partial<CallFilter>): void {
    this.filter = { ...this.filter, ...change };
    this.refilter();
  }

  setRoot(rootKey: number | undefined): void {
    this.rootKey = rootKey;
    this.time.showAll();
    this.reload();
  }

  select(call: ViewCall | undefined): void {
    this.#selected = call?.key;
    if (call !== undefined) {
      this.pane = "call";
      this.time.reveal(call.fromMs, call.endMs);
      this.#unfoldTo(call);
    }
    this.changed();
  }

  setOpen(call: ViewCall, isOpen: boolean): void {
    this.#folding.set(call.key, isOpen);
    this.refold();
  }

  apply(patch: PagePatch): void {
    this.model.apply(patch);
    this.dropped = patch.dropped;
    this.savedTokens = patch.savedTokens;
    this.#clock = { server: patch.now, own: performance.now() };
    this.reload();
  }

  /** So that its row is there. */
  #unfoldTo(call: ViewCall): void {
    if (this.rows.some(({ at }) => at === call.at)) return;
    for (let above = call.parent; above !== undefined; above = this.view.calls[above]?.parent) {
      const key = this.view.calls[above]?.key;
      if (key !== undefined) this.#folding.set(key, true);
    }
    this.rows = treeRows(this.view.calls, this.matches, this.isFiltered, this.#folding);
  }

  #now(): number | undefined {
    if (this.#clock === undefined) return undefined;
    return this.#clock.server + (performance.now() - this.#clock.own);
  }
}
