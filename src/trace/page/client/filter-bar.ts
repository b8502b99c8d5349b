// Search and filters, and what they found.

import { harmlessLine } from "../../harmless-text.js";
import type { TraceStatus } from "../../trace.js";
import type { AppState } from "./app-state.js";
import { NO_FILTER } from "./call-filter.js";
import { byId, fill, make, makeButton } from "./dom.js";
import { formatCount, plural, STATUS_MARKS, STATUS_ORDER, statusWord } from "./format.js";

const SEARCH_DELAY_MS = 60;
/** More names than these are found by searching. */
const MAX_TOOLS = 500;

export class FilterBar {
  readonly #state: AppState;
  readonly #search = byId<HTMLInputElement>("search");
  readonly #statuses = byId("statuses");
  readonly #tool = byId<HTMLSelectElement>("tool");
  readonly #depth = byId<HTMLSelectElement>("depth");
  readonly #root = byId<HTMLSelectElement>("root");
  readonly #chips = new Map<TraceStatus, HTMLButtonElement>();
  #options = "";
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(state: AppState) {
    this.#state = state;
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => state.setFilter({ text: this.#search.value }), SEARCH_DELAY_MS);
    });
    this.#tool.addEventListener("change", () => state.setFilter({ tool: nameOfOption(this.#tool.value) }));
    this.#depth.addEventListener("change", () => {
      state.setFilter({ depth: this.#depth.value === "" ? undefined : Number(this.#depth.value) });
    });
    this.#root.addEventListener("change", () => {
      state.setRoot(this.#root.value === "" ? undefined : Number(this.#root.value));
    });
    byId("clear").addEventListener("click", () => this.clear());
    fill(
      this.#statuses,
      STATUS_ORDER.map((status) => this.#chip(status)),
    );
  }

  focusSearch(): void {
    this.#search.focus();
    this.#search.select();
  }

  clear(): void {
    this.#search.value = "";
    clearTimeout(this.#timer);
    this.#state.setFilter(NO_FILTER);
  }

  toggle(status: TraceStatus): void {
    const statuses = new Set(this.#state.filter.statuses);
    if (!statuses.delete(status)) statuses.add(status);
    this.#state.setFilter({ statuses });
  }

  draw(): void {
    const { view, filter, matchCount, isFiltered } = this.#state;
    const counts = new Map<TraceStatus, number>();
    const tools = new Map<string, number>();
    let deepest = 0;
    for (const { call } of view.calls) {
      counts.set(call.status, (counts.get(call.status) ?? 0) + 1);
      tools.set(call.name ?? "", (tools.get(call.name ?? "") ?? 0) + 1);
      deepest = Math.max(deepest, call.depth);
    }
    for (const [status, chip] of this.#chips) this.#drawChip(status, chip, counts.get(status) ?? 0);
    this.#drawOptions(tools, deepest);
    this.#tool.value = filter.tool === undefined ? "" : optionOfName(filter.tool);
    this.#depth.value = filter.depth === undefined ? "" : String(filter.depth);
    byId("clear").hidden = !isFiltered;
    const words = `${formatCount(matchCount)} of ${plural(view.calls.length, "call")}`;
    byId("matches").textContent = isFiltered ? words : "";
  }

  #chip(status: TraceStatus): HTMLButtonElement {
    const chip = makeButton(`chip is-${status}`, "", () => this.toggle(status));
    const number = make("span", "chip-count");
    chip.append(make("span", "mark", STATUS_MARKS[status]), make("span", "chip-word"), number);
    this.#chips.set(status, chip);
    return chip;
  }

  #drawChip(status: TraceStatus, chip: HTMLButtonElement, count: number): void {
    const isPressed = this.#state.filter.statuses.has(status);
    chip.hidden = count === 0 && !isPressed;
    chip.setAttribute("aria-pressed", String(isPressed));
    const [, word, number] = chip.children;
    if (word !== undefined) word.textContent = statusWord(status, this.#state.isLive);
    if (number !== undefined) number.textContent = formatCount(count);
  }

  /** Only when they have changed: an open list would close. */
  #drawOptions(tools: ReadonlyMap<string, number>, deepest: number): void {
    const { roots } = this.#state.model;
    const wanted = JSON.stringify([[...tools], deepest, roots.map(({ key, call }) => [key, call?.status])]);
    if (wanted === this.#options) return;
    this.#options = wanted;
    const named = [...tools].slice(0, MAX_TOOLS).sort(([one], [other]) => one.localeCompare(other));
    fill(this.#tool, [
      option("", "all"),
      ...named.map(([name, count]) => option(optionOfName(name), `${name || "(unknown)"} (${formatCount(count)})`)),
    ]);
    const depths = Array.from({ length: deepest + 1 }, (_, depth) => option(String(depth), String(depth)));
    fill(this.#depth, [option("", "all"), ...depths]);
    fill(this.#root, [option("", `all ${roots.length}`), ...roots.map((root) => this.#rootOption(root)).reverse()]);
    this.#root.value = this.#state.rootKey === undefined ? "" : String(this.#state.rootKey);
    byId("root-pick").hidden = roots.length < 2;
  }

  #rootOption({ key, startedAt, call }: AppState["model"]["roots"][number]): HTMLOptionElement {
    const clock = this.#state.data.hasClock ? `${new Date(startedAt).toLocaleTimeString("en-GB")} ` : "";
    const mark = call === undefined ? "" : STATUS_MARKS[call.status];
    return option(String(key), `${clock}${mark} ${call?.name ?? ""} ${call?.id ?? ""}`);
  }
}

/** A name may be empty, and an empty value stands for all. */
function optionOfName(name: string): string {
  return `=${name}`;
}

function nameOfOption(value: string): string | undefined {
  return value === "" ? undefined : value.slice(1);
}

const OPTION_CHARS = 80;

function option(value: string, text: string): HTMLOptionElement {
  const made = make("option", "", harmlessLine(text).slice(0, OPTION_CHARS));
  made.value = value;
  return made;
}
