// Everything can be done by keyboard; the page lists the keys.
import type { AppState } from "./app-state.js";
import { byId, fill, make } from "./dom.js";
import type { FilterBar } from "./filter-bar.js";
import { STATUS_ORDER } from "./format.js";
import type { TimelineView } from "./timeline-view.js";
import type { TreeView } from "./tree-view.js";
import type { ViewCall } from "./view-call.js";

export interface KeyboardTargets {
  readonly state: AppState;
  readonly tree: TreeView;
  readonly timeline: TimelineView;
  readonly filters: FilterBar;
  readonly switchTheme: () => void;
}

const LIST: readonly (readonly [keys: string, words: string])[] = [
  ["↑ ↓ or k j", "the call before, the next call"],
  ["← →", "fold or go to the caller, unfold or go to the first call below"],
  ["Home End PageUp PageDown", "further steps in the list"],
  ["n N", "the next call that is not ok, the one before"],
  ["Enter", "to the details of the call; Esc leads back"],
  ["/", "search"],
  ["1 2 3 4 5 6", "show only calls that are ok, blocked, failed, aborted, unfinished, unknown"],
  ["Esc", "clear search and filters"],
  ["+ −", "zoom into and out of the time"],
  ["f", "zoom to the call"],
  ["0", "the whole time"],
  ["[ ]", "earlier, later"],
  ["g", "details or totals"],
  ["t", "light, dark, or as the system has it"],
  ["?", "these keys"],
];
const HINTS =
  "/ search · ↑↓ move · ←→ fold · n next problem · 1–6 status · + − zoom · f zoom to call · t theme · ? all keys";
const PAN_PART = 0.25;
const ZOOM_STEP = 1.5;

export class Keyboard {
  readonly #targets: KeyboardTargets;
  readonly #actions: Readonly<Record<string, () => void>>;

  constructor(targets: KeyboardTargets) {
    this.#targets = targets;
    const { state, timeline, filters, switchTheme } = targets;
    this.#actions = {
      ArrowDown: () => this.#step(1),
      ArrowUp: () => this.#step(-1),
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowRight: () => this.#inwards(),
      ArrowLeft: () => this.#outwards(),
      Home: () => this.#goTo(0),
      End: () => this.#goTo(state.rows.length - 1),
      PageDown: () => this.#step(targets.tree.pageRows),
      PageUp: () => this.#step(-targets.tree.pageRows),
      n: () => this.#problem(1),
      N: () => this.#problem(-1),
      Enter: () => state.selected !== undefined && byId("pane-call").focus(),
      "/": () => filters.focusSearch(),
      Escape: () => this.#escape(),
      "+": () => timeline.zoom(1 / ZOOM_STEP),
      "=": () => timeline.zoom(1 / ZOOM_STEP),
      "-": () => timeline.zoom(ZOOM_STEP),
      f: () => timeline.zoomToSelected(),
      "0": () => timeline.zoomToAll(),
      "[": () => timeline.pan(-PAN_PART),
      "]": () => timeline.pan(PAN_PART),
      g: () => this.#switchPane(),
      t: switchTheme,
      "?": () => byId<HTMLDialogElement>("keys").showModal(),
    };
    fill(byId("keys-list"), [keyTable()]);
    byId("hints").textContent = HINTS;
    byId("help").addEventListener("click", () => byId<HTMLDialogElement>("keys").showModal());
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || byId<HTMLDialogElement>("keys").open) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement) {
      this.#inSearch(event);
      return;
    }
    if (isOwnKey(target, event.key)) return;
    const status = /^[1-6]$/.test(event.key) ? STATUS_ORDER[Number(event.key) - 1] : undefined;
    const action = status === undefined ? this.#actions[event.key] : () => this.#targets.filters.toggle(status);
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  /** From the search into what it found. */
  #inSearch(event: KeyboardEvent): void {
    if (event.key !== "Escape" && event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Escape") this.#targets.filters.clear();
    this.#targets.tree.focus();
    if (event.key !== "Escape") this.#firstMatch();
  }

  #firstMatch(): void {
    const { state } = this.#targets;
    this.#goTo(state.rows.findIndex(({ isMatch }) => isMatch));
  }

  #escape(): void {
    const { state, filters, tree } = this.#targets;
    const isInDetails = document.activeElement?.closest(".detail") !== null;
    tree.focus();
    if (!isInDetails && state.isFiltered) filters.clear();
  }

  #rowIndex(): number {
    const { state } = this.#targets;
    return state.rows.findIndex(({ at }) => at === state.selected?.at);
  }

  #step(rows: number): void {
    const { length } = this.#targets.state.rows;
    const index = this.#rowIndex();
    this.#goTo(index < 0 ? (rows > 0 ? 0 : length - 1) : Math.min(length - 1, Math.max(0, index + rows)));
  }

  #goTo(index: number): void {
    const { state } = this.#targets;
    const call = state.view.calls[state.rows[index]?.at ?? -1];
    if (call !== undefined) this.#select(call);
  }

  #select(call: ViewCall): void {
    const { state, tree, timeline } = this.#targets;
    state.select(call);
    tree.reveal();
    timeline.reveal();
  }

  #inwards(): void {
    const { state } = this.#targets;
    const row = state.rows[this.#rowIndex()];
    const call = state.selected;
    if (row === undefined || call === undefined || !row.hasChildren) return;
    if (row.isOpen) this.#step(1);
    else state.setOpen(call, true);
  }

  #outwards(): void {
    const { state } = this.#targets;
    const row = state.rows[this.#rowIndex()];
    const call = state.selected;
    if (call === undefined) return;
    const parent = call.parent === undefined ? undefined : state.view.calls[call.parent];
    if (row?.isOpen === true) state.setOpen(call, false);
    else if (parent !== undefined) this.#select(parent);
  }

  /** Among those that the filters show. */
  #problem(step: 1 | -1): void {
    const { state } = this.#targets;
    const { calls } = state.view;
    const from = state.selected?.at ?? (step > 0 ? -1 : calls.length);
    for (let at = from + step; at >= 0 && at < calls.length; at += step) {
      const call = calls[at];
      if (call !== undefined && call.call.status !== "ok" && state.matches[at] === true) {
        this.#select(call);
        return;
      }
    }
  }

  #switchPane(): void {
    const { state } = this.#targets;
    state.pane = state.pane === "call" ? "totals" : "call";
    state.changed();
  }
}

/** What an element does with a key itself: buttons are pressed, lists are opened, panes scroll. */
function isOwnKey(target: HTMLElement, key: string): boolean {
  if (target.closest("select, textarea, [role=separator]") !== null) return key !== "Escape" && key !== "?";
  if (target.closest("button") !== null && (key === "Enter" || key === " ")) return true;
  if (target.closest("[role=tab]") !== null) return key === "ArrowLeft" || key === "ArrowRight";
  return target.closest(".pane") !== null && /^(Arrow|Page|Home|End|Enter)/.test(key);
}

function keyTable(): HTMLElement {
  const table = make("table");
  for (const [keys, words] of LIST) {
    const row = make("tr");
    const head = make("th");
    for (const key of keys.split(" ")) head.append(key === "or" ? " or " : make("kbd", "", key));
    row.append(head, make("td", "", words));
    table.append(row);
  }
  return table;
}
