// News from the server of a live page.
import type { PagePatch } from "../page-data.js";
import type { AppState } from "./app-state.js";
import { byId } from "./dom.js";

/** How often the bars of calls that run grow. */
const GROW_MS = 250;

export class LiveFeed {
  /** Nobody has chosen a root call: the latest is shown. */
  #isFollowing = true;

  constructor(state: AppState) {
    byId("root").addEventListener("change", () => {
      this.#isFollowing = false;
    });
    const source = new EventSource(`events${location.search}`);
    source.addEventListener("patch", (event: MessageEvent<string>) => {
      const patch = JSON.parse(event.data) as PagePatch; // from our own server
      state.apply(patch);
      const latest = state.model.roots.at(-1)?.key;
      const isGone = state.rootKey !== undefined && !patch.keys.includes(state.rootKey);
      if ((this.#isFollowing && state.rootKey !== latest) || isGone) state.setRoot(latest);
    });
    source.addEventListener("open", () => showConnection("live"));
    source.addEventListener("error", () => showConnection("not connected; trying again"));
    setInterval(() => {
      if (state.hasRunning && source.readyState === EventSource.OPEN) state.reload();
    }, GROW_MS);
  }
}

function showConnection(words: string): void {
  byId("subtitle").textContent = words;
  document.documentElement.dataset.live = words === "live" ? "on" : "off";
}
