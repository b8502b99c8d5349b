// A table of what groups of calls add up to.
import type { CallTotals } from "../../model/trace-totals.js";
import type { TraceStatus } from "../../trace.js";
import { make, makeLine } from "./dom.js";
import { formatCount, formatMs, plural, STATUS_ORDER } from "./format.js";

export interface TotalsTable {
  readonly title: string;
  /** The name of the first column. */
  readonly first: string;
  /** Fields of the usage that get a column. */
  readonly fields: readonly string[];
  readonly rows: readonly { readonly head: Node | string; readonly totals: CallTotals }[];
  readonly wordOf: (status: TraceStatus) => string;
}

/** A trace may have a tool for each call; nobody reads so many rows. */
const MAX_ROWS = 200;

export function totalsTable(table: TotalsTable): HTMLElement {
  const { title, first, fields, rows } = table;
  const made = make("table");
  const head = make("tr");
  for (const [at, name] of [first, "Calls", "Not ok", "Time", "Mean", "Longest", ...fields].entries()) {
    const cell = makeLine("th", at === 0 ? "" : "number", name);
    cell.scope = "col";
    head.append(cell);
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  for (const row of rows.slice(0, MAX_ROWS)) body.append(tableRow(row, table));
  const more = rows.length - MAX_ROWS;
  made.append(make("caption", "", more > 0 ? `${title} (${plural(more, "more row")} left out)` : title), top, body);
  return made;
}

function tableRow({ head, totals }: TotalsTable["rows"][number], { fields, wordOf }: TotalsTable): HTMLElement {
  const { calls, byStatus, toolMs, longestMs, usage } = totals;
  const row = make("tr");
  const name = make("th");
  name.scope = "row";
  name.append(head);
  const notOk = make("td", "number");
  for (const status of STATUS_ORDER) {
    if (status === "ok" || byStatus[status] === 0) continue;
    notOk.append(make("span", `badge is-${status}`, `${formatCount(byStatus[status])} ${wordOf(status)}`));
  }
  const times = [toolMs, toolMs / calls, longestMs].map((ms) => number(ms === 0 ? "–" : formatMs(ms)));
  const usages = fields.map((field) => {
    const amount = usage.get(field);
    return number(amount === undefined ? "" : formatCount(amount));
  });
  row.append(name, number(formatCount(calls)), notOk, ...times, ...usages);
  return row;
}

function number(text: string): HTMLElement {
  return make("td", "number", text);
}
