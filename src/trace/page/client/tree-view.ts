// The tree of calls. Only the rows in view have elements.
import type { PageCall } from "../page-data.js";
import type { AppState } from "./app-state.js";
import { summaryOf } from "./call-filter.js";
import { byId, fill, make, makeLine, oncePerFrame } from "./dom.js";
import { formatMs, STATUS_MARKS, statusWord } from "./format.js";
import type { TreeRow } from "./tree-rows.js";
import type { ViewCall } from "./view-call.js";

const ROW_PX = 26;
const INDENT_PX = 16;
/** Deeper calls are not moved any further to the right. */
const MAX_INDENTS = 14;
const ROWS_BESIDE = 8;

export class TreeView {
  readonly #state: AppState;
  readonly #scroller = byId("tree");
  readonly #space = this.#scroller.firstElementChild as HTMLElement;
  readonly draw = oncePerFrame(() => this.#draw());

  constructor(state: AppState) {
    this.#state = state;
    this.#scroller.addEventListener("scroll", this.draw);
    this.#scroller.addEventListener("click", (event) => this.#clicked(event));
    new ResizeObserver(this.draw).observe(this.#scroller);
  }

  focus(): void {
    this.#scroller.focus({ preventScroll: true });
  }

  /** Rows that fit. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.#scroller.clientHeight / ROW_PX) - 1);
  }

  /** Brings the row of the selected call into view. */
  reveal(): void {
    const at = this.#state.selected?.at;
    const index = this.#state.rows.findIndex((row) => row.at === at);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.#scroller;
    const top = index * ROW_PX;
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) this.#scroller.scrollTop = top + ROW_PX - clientHeight;
  }

  #draw(): void {
    const { rows } = this.#state;
    const { scrollTop, clientHeight } = this.#scroller;
    const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - ROWS_BESIDE);
    const last = Math.min(rows.length, Math.ceil((scrollTop + clientHeight) / ROW_PX) + ROWS_BESIDE);
    this.#space.style.height = `${rows.length * ROW_PX}px`;
    const shown = rows.slice(first, last).flatMap((row, index) => {
      const call = this.#state.view.calls[row.at];
      return call === undefined ? [] : [this.#rowElement(row, call, first + index)];
    });
    if (rows.length === 0) shown.push(make("p", "empty", this.#emptyText()));
    fill(this.#space, shown);
    const selected = this.#state.selected;
    if (selected === undefined) this.#scroller.removeAttribute("aria-activedescendant");
    else this.#scroller.setAttribute("aria-activedescendant", `row-${selected.at}`);
  }

  #emptyText(): string {
    if (this.#state.view.calls.length > 0) return "No call fits the filter.";
    return this.#state.isLive ? "Waiting for the first call…" : "There are no calls in this trace.";
  }

  #rowElement({ at, isOpen, hasChildren, isMatch }: TreeRow, view: ViewCall, index: number): HTMLElement {
    const { call } = view;
    const isSelected = this.#state.selected?.at === at;
    const row = make("div", `row is-${call.status}${isSelected ? " selected" : ""}${isMatch ? "" : " aside"}`);
    row.id = `row-${at}`;
    row.dataset.at = String(at);
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", String(call.depth + 1));
    row.setAttribute("aria-selected", String(isSelected));
    if (hasChildren) row.setAttribute("aria-expanded", String(isOpen));
    row.style.transform = `translateY(${index * ROW_PX}px)`;
    row.style.paddingLeft = `${8 + Math.min(call.depth, MAX_INDENTS) * INDENT_PX}px`;
    const fold = make("span", "fold", hasChildren ? (isOpen ? "▾" : "▸") : "");
    const mark = make("span", "mark", STATUS_MARKS[call.status]);
    mark.title = statusWord(call.status, this.#state.isLive);
    const name = makeLine("span", "name", call.name ?? "(unknown)");
    const summary = makeLine("span", "summary", summaryOf(call));
    const time = make("span", "ms", timeText(view));
    row.append(fold, mark, make("span", "hidden", statusWord(call.status, this.#state.isLive)), name, summary, time);
    if (waitedMs(call) > 0) row.insertBefore(make("span", "waited", `waited ${formatMs(waitedMs(call))}`), time);
    if (hasChildren && !isOpen) row.insertBefore(make("span", "count", `+${countBelow(view, this.#state)}`), time);
    return row;
  }

  #clicked(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const call = this.#state.view.calls[Number(target.closest<HTMLElement>(".row")?.dataset.at ?? -1)];
    if (call === undefined) return;
    const row = this.#state.rows.find(({ at }) => at === call.at);
    if (target.classList.contains("fold") && row?.hasChildren === true) this.#state.setOpen(call, !row.isOpen);
    else this.#state.select(call);
  }
}

function timeText({ call }: ViewCall): string {
  if (call.durationMs !== undefined) return formatMs(call.durationMs);
  return call.status === "unfinished" ? "…" : "–";
}

/** A wait for a turn is no news: of many calls that are made at once all have one. */
function waitedMs({ waits = [] }: PageCall): number {
  return waits.reduce((sum, { reason, fromMs, toMs }) => (reason === "concurrency" ? sum : sum + toMs - fromMs), 0);
}

function countBelow({ children }: ViewCall, state: AppState): number {
  let count = 0;
  const open = [...children];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count += 1;
    for (const child of state.view.calls[at]?.children ?? []) open.push(child);
  }
  return count;
}
