// The script of a trace page: reads the data beside it, and draws.
import { harmlessLine } from "../../harmless-text.js";
import type { PageData } from "../page-data.js";
import { AppState, type PaneName } from "./app-state.js";
import { DetailView } from "./detail-view.js";
import { byId, fill, makeLine } from "./dom.js";
import { FilterBar } from "./filter-bar.js";
import { formatMs, plural, statusWord } from "./format.js";
import { Keyboard } from "./keyboard.js";
import { LiveFeed } from "./live-feed.js";
import { OverviewView } from "./overview-view.js";
import { makeSplitter } from "./splitters.js";
import { ThemeSwitch } from "./theme.js";
import { TimelineView } from "./timeline-view.js";
import { TotalsView } from "./totals-view.js";
import { TreeView } from "./tree-view.js";

/** The call that a screen reader was told of last. */
let spokenKey = "";
const data = JSON.parse(byId("data").textContent ?? "") as PageData; // written together with this script
const state = new AppState(data);
const tree = new TreeView(state);
const timeline = new TimelineView(state);
const overview = new OverviewView(state);
const details = new DetailView(state);
const totals = new TotalsView(state);
const filters = new FilterBar(state);
const theme = new ThemeSwitch(showTheme);

byId("title").textContent = harmlessLine(data.title);
fill(
  byId("notes"),
  data.notes.map((note) => makeLine("p", "", note)),
);
byId("notes").hidden = data.notes.length === 0;
if (!state.isLive) byId("subtitle").textContent = subtitle();
makeSplitter("split-x", "--left", true);
makeSplitter("split-y", "--upper", false);
for (const pane of ["call", "totals"] as const) prepareTab(pane);
byId("zoom-in").addEventListener("click", () => timeline.zoom(2 / 3));
byId("zoom-out").addEventListener("click", () => timeline.zoom(1.5));
byId("zoom-call").addEventListener("click", () => timeline.zoomToSelected());
byId("zoom-all").addEventListener("click", () => timeline.zoomToAll());
new Keyboard({ state, tree, timeline, filters, switchTheme: () => theme.next() });
state.onChange(draw);
showTheme();
draw();
if (state.isLive) new LiveFeed(state);

function draw(): void {
  for (const view of [tree, timeline, overview, details, totals, filters]) view.draw();
  for (const pane of ["call", "totals"] as const) drawTab(pane);
  const { selected } = state;
  byId<HTMLButtonElement>("zoom-call").disabled = selected === undefined;
  if (selected === undefined || selected.key === spokenKey) return;
  spokenKey = selected.key;
  const { name = "unknown", status, durationMs } = selected.call;
  const time = durationMs === undefined ? "" : `, ${formatMs(durationMs)}`;
  fill(byId("spoken"), [makeLine("span", "", `${name}, ${statusWord(status, state.isLive)}${time}`)]);
}

/** The canvases have their colours from the style. */
function showTheme(): void {
  timeline.themeChanged();
  overview.themeChanged();
}

function prepareTab(pane: PaneName): void {
  const tab = byId(`tab-${pane}`);
  const show = (shown: PaneName) => {
    state.pane = shown;
    state.changed();
  };
  tab.addEventListener("click", () => show(pane));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = pane === "call" ? "totals" : "call";
    show(other);
    byId(`tab-${other}`).focus();
  });
}

function drawTab(pane: PaneName): void {
  const isShown = state.pane === pane;
  const tab = byId(`tab-${pane}`);
  tab.setAttribute("aria-selected", String(isShown));
  tab.tabIndex = isShown ? 0 : -1;
  byId(`pane-${pane}`).hidden = !isShown;
}

function subtitle(): string {
  const roots = data.roots.length === 1 ? "" : `${plural(data.roots.length, "root call")} · `;
  const [first] = data.roots;
  const when = data.hasClock && first !== undefined ? new Date(first.startedAt).toLocaleString("en-GB") : "";
  return `${roots}${when === "" ? "from a record" : when}`;
}
