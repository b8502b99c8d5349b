// What the trace adds up to: the cards at the top, the tables of the second tab.

import { type CallTotals, type TraceTotals, totalsOf, usageNumbers } from "../../model/trace-totals.js";
import type { TraceStatus } from "../../trace.js";
import type { AppState } from "./app-state.js";
import { byId, fact, fill, make, makeButton, makeLine } from "./dom.js";
import { formatCount, formatLarge, formatMs, statusWord } from "./format.js";
import { totalsTable } from "./totals-table.js";

/** Bytes that a token stands for, about. */
const BYTES_PER_TOKEN = 4;
const MAX_USAGE_COLUMNS = 5;
const TOKEN_FIELDS = ["input", "output", "cacheRead", "cacheWrite"];

export class TotalsView {
  readonly #state: AppState;
  readonly #cards = byId("totals");
  readonly #pane = byId("pane-totals");
  #of: readonly unknown[] | undefined = undefined;

  constructor(state: AppState) {
    this.#state = state;
  }

  draw(): void {
    const { view } = this.#state;
    if (this.#of === view.calls) return;
    this.#of = view.calls;
    const totals = totalsOf(view.calls.map(({ call }) => call));
    fill(this.#cards, this.#cardsOf(totals));
    fill(this.#pane, this.#tablesOf(totals));
  }

  #cardsOf(totals: TraceTotals): Node[] {
    const { view, dropped } = this.#state;
    const usage = this.#usageOf(totals);
    const tokens = usage.get("totalTokens") ?? TOKEN_FIELDS.reduce((sum, field) => sum + (usage.get(field) ?? 0), 0);
    const cost = usage.get("cost.total") ?? usage.get("cost");
    const saved = this.#savedTokens();
    return [
      ...card("Calls", formatCount(totals.calls), dropped > 0 ? `and ${formatCount(dropped)} without a place` : ""),
      ...card("Time", formatMs(view.endMs)),
      ...card(
        "Tool time",
        formatMs(totals.toolMs),
        "of all calls; the time of nested calls is in that of their callers too",
      ),
      ...(tokens > 0 ? card("Tokens", formatLarge(tokens), "that tools used themselves") : []),
      ...(cost === undefined ? [] : card("Cost", cost.toLocaleString("en-US", { maximumSignificantDigits: 4 }))),
      ...(saved === undefined ? [] : card("Saved tokens", saved.text, saved.words)),
    ];
  }

  /** A record has one usage for all of its calls. */
  #usageOf(totals: CallTotals): ReadonlyMap<string, number> {
    const { usage } = this.#state.data;
    return usage === undefined ? totals.usage : usageNumbers(usage);
  }

  #savedTokens(): { readonly text: string; readonly words: string } | undefined {
    const { savedTokens, view } = this.#state;
    if (savedTokens !== undefined) return { text: formatLarge(savedTokens), words: "as the host counts them" };
    const nested = view.calls.filter(({ parent }) => parent !== undefined);
    const bytes = nested.reduce((sum, { call }) => sum + (call.argumentsBytes ?? 0) + (call.resultBytes ?? 0), 0);
    if (bytes === 0 || nested.every(({ call }) => call.resultBytes === undefined)) return undefined;
    const words = "a guess, at 4 bytes a token: arguments and results of nested calls, which the model did not read";
    return { text: `≈ ${formatLarge(bytes / BYTES_PER_TOKEN)}`, words };
  }

  #tablesOf(totals: TraceTotals): Node[] {
    const fields = usageFields(totals);
    const wordOf = (status: TraceStatus) => statusWord(status, this.#state.isLive);
    const tools = totals.byTool.map((tool) => ({ head: this.#toolCell(tool.name), totals: tool }));
    const depths = totals.byDepth.map((depth) => ({ head: String(depth.depth), totals: depth }));
    const byTool = totalsTable({ title: "By tool", first: "Tool", fields, rows: tools, wordOf });
    const byDepth = totalsTable({ title: "By depth", first: "Depth", fields, rows: depths, wordOf });
    const { usage } = this.#state.data;
    return [byTool, byDepth, ...(usage === undefined ? [] : [wholeUsage(usageNumbers(usage))])];
  }

  /** Leads to the calls of this tool. */
  #toolCell(name: string): Node {
    const button = makeButton("link", "", () => this.#state.setFilter({ tool: name }));
    button.append(makeLine("span", "", name === "" ? "(unknown)" : name));
    return button;
  }
}

function card(name: string, value: string, words = ""): Node[] {
  const box = make("div", "card");
  if (words !== "") box.title = words;
  box.append(make("dt", "", name), make("dd", "", value));
  return [box];
}

/** The usual fields first. */
function usageFields({ usage }: CallTotals): string[] {
  const usual = [...TOKEN_FIELDS, "totalTokens", "cost.total", "cost"];
  const rank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  return [...usage.keys()].sort((one, other) => rank(one) - rank(other)).slice(0, MAX_USAGE_COLUMNS);
}

function wholeUsage(numbers: ReadonlyMap<string, number>): HTMLElement {
  const part = make("section", "part");
  const list = make("dl", "facts");
  for (const [name, value] of numbers) list.append(fact(name, formatCount(value)));
  part.append(make("h4", "", "Usage of the whole"), list);
  return part;
}
