// The details of the selected call.

import { usageNumbers } from "../../model/trace-totals.js";
import type { TraceWait } from "../../trace.js";
import type { PageCall } from "../page-data.js";
import type { AppState } from "./app-state.js";
import { byId, fact, fill, make, makeButton, makeLine } from "./dom.js";
import { formatBytes, formatCount, formatMs, plural, statusWord } from "./format.js";
import { holderOf } from "./timeline-paint.js";
import { argumentsView, textView } from "./value-view.js";
import type { ViewCall } from "./view-call.js";

const WAIT_WORDS: Readonly<Record<TraceWait["reason"], string>> = {
  files: "for files",
  lane: "for the sequential lane",
  concurrency: "for its turn",
  approval: "for approval",
};

export class DetailView {
  readonly #state: AppState;
  readonly #pane = byId("pane-call");
  /** What is shown: a selected text, or an opened part, stays while other things change. */
  #shown: { readonly key: string; readonly call: PageCall } | undefined = undefined;

  constructor(state: AppState) {
    this.#state = state;
  }

  draw(): void {
    const { selected } = this.#state;
    if (selected === undefined) {
      this.#shown = undefined;
      fill(this.#pane, [make("p", "empty", "Choose a call in the list or in the timeline.")]);
      return;
    }
    if (this.#shown?.key === selected.key && this.#shown.call === selected.call) return;
    if (this.#shown?.key !== selected.key) this.#pane.scrollTop = 0;
    this.#shown = { key: selected.key, call: selected.call };
    fill(this.#pane, this.#parts(selected));
  }

  #parts(view: ViewCall): Node[] {
    const { call } = view;
    return [
      this.#head(view),
      this.#facts(view),
      ...this.#failure(call),
      ...this.#waits(view),
      ...argumentParts(call),
      ...resultParts(call),
      ...usageParts(call),
    ];
  }

  #head({ call }: ViewCall): HTMLElement {
    const head = make("header", "call-head");
    const line = make("div", "call-title");
    const badge = make("span", `badge is-${call.status}`, statusWord(call.status, this.#state.isLive));
    line.append(makeLine("h3", "", call.name ?? "(unknown)"), badge);
    if (call.code !== undefined && call.code !== "BLOCKED") line.append(makeLine("code", "code", call.code));
    head.append(line, makeLine("p", "call-id", call.id));
    return head;
  }

  #facts(view: ViewCall): HTMLElement {
    const { call, parent, children, startMs } = view;
    const list = make("dl", "facts");
    const add = (name: string, value: Node | string) => list.append(fact(name, value));
    const ranMs = call.durationMs;
    add(
      "Ran",
      ranMs === undefined ? (call.status === "unfinished" ? "no end yet" : "it did not run") : formatMs(ranMs),
    );
    add("Start", this.#startText(startMs));
    const waitedMs = (call.waits ?? []).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    if (waitedMs > 0) add("Waited", formatMs(waitedMs));
    add("Depth", String(call.depth));
    const caller = parent === undefined ? undefined : this.#state.view.calls[parent];
    if (caller !== undefined) add("Called by", this.#link(caller));
    if (children.length > 0) add("Made", plural(children.length, "call"));
    if (call.updates !== undefined) add("Updates", formatCount(call.updates));
    return list;
  }

  #startText(startMs: number): string {
    const { hasClock, source } = this.#state.data;
    if (source === "record") return `about ${formatMs(startMs)} (a guess)`;
    if (!hasClock) return formatMs(startMs);
    const time = new Date(this.#state.view.zero + startMs);
    const clock = time.toLocaleTimeString("en-GB", { hour12: false });
    return `+${formatMs(startMs)} (${clock}.${String(time.getMilliseconds()).padStart(3, "0")})`;
  }

  #link(view: ViewCall): HTMLElement {
    const button = makeButton("link", "", () => this.#state.select(view));
    button.append(makeLine("span", "", `${view.call.name ?? "(unknown)"} ${view.call.id}`));
    return button;
  }

  #failure({ status, error, latestUpdate }: PageCall): Node[] {
    const parts: Node[] = [];
    if (error !== undefined) {
      const title = status === "blocked" ? "Guard decision" : status === "aborted" ? "Why it ended" : "Error";
      parts.push(section(title, textView(error), `failure is-${status}`));
    }
    if (latestUpdate !== undefined && (status !== "ok" || error !== undefined))
      parts.push(section("Latest update", textView(latestUpdate)));
    return parts;
  }

  #waits(view: ViewCall): Node[] {
    if (view.waits.length === 0) return [];
    const list = make("ul", "waits");
    for (const wait of view.waits) list.append(this.#wait(view, wait));
    return [section("Waits", list)];
  }

  #wait(view: ViewCall, { reason, fromMs, toMs, paths = [], heldBy }: TraceWait): HTMLElement {
    const item = make("li");
    item.append(make("strong", "", formatMs(toMs - fromMs)), ` ${WAIT_WORDS[reason]}`);
    if (heldBy !== undefined) {
      const holder = holderOf(this.#state, view, heldBy);
      item.append(", held by ", holder === undefined ? makeLine("code", "", heldBy) : this.#link(holder));
    }
    for (const path of paths) item.append(makeLine("code", "path", path));
    return item;
  }
}

function argumentParts({ arguments: args, argumentsText, argumentsBytes, callHtml }: PageCall): Node[] {
  const parts: Node[] = [];
  if (callHtml !== undefined) parts.push(section("Call", drawn(callHtml)));
  if (argumentsText !== undefined) parts.push(section("Arguments", textView(argumentsText)));
  else if (args !== undefined) parts.push(section("Arguments", argumentsView(args)));
  else if (argumentsBytes !== undefined) {
    const words = `${formatBytes(argumentsBytes)} that were not kept.`;
    parts.push(section("Arguments", make("p", "faint", words)));
  }
  return parts;
}

function resultParts({ result, structured, resultHtml, resultBytes, isResultCut, error }: PageCall): Node[] {
  const parts: Node[] = [];
  if (resultHtml !== undefined) parts.push(drawn(resultHtml));
  else if (result !== undefined) parts.push(textView(result));
  if (structured !== undefined) parts.push(make("h5", "", "Structured"), textView(structured));
  if (isResultCut === true && resultBytes !== undefined) {
    parts.push(make("p", "faint", `Cut: the texts of the result had ${formatBytes(resultBytes)}.`));
  }
  if (parts.length === 0 || (error !== undefined && resultHtml === undefined && structured === undefined)) return [];
  const body = make("div");
  body.append(...parts);
  return [section("Result", body)];
}

function usageParts({ usage }: PageCall): Node[] {
  const numbers = usageNumbers(usage);
  if (numbers.size === 0) return [];
  const list = make("dl", "facts");
  for (const [name, value] of numbers) list.append(fact(name, formatCount(value)));
  return [section("Usage", list)];
}

function section(title: string, body: Node, className = ""): HTMLElement {
  const part = make("section", `part ${className}`);
  part.append(make("h4", "", title), body);
  return part;
}

/** What `drawingToHtml` made: every text in it is escaped there, and nothing in it can run or load. */
function drawn(html: string): HTMLElement {
  const view = make("div", "drawn");
  view.innerHTML = html;
  return view;
}
