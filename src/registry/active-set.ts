// Which tools the model is shown in a session, and who hears when that changes. A session and what it is narrowed to for
// one call share theirs.
import type { ActiveToolsListener } from "../tools/tool-session.js";
import type { RegistryEntry } from "./registry-entry.js";

/** What was chosen for a name, and the entry it was chosen for: registering the name again may undo it. */
interface Choice {
  readonly entry: RegistryEntry;
  readonly isActive: boolean;
}

/** The names that are shown, as somebody sees them who has subscribed. */
export interface Watcher {
  shownNames(): readonly string[];
  isShown(name: string): boolean;
}

export class ActiveSet {
  /** Stands for the session where its set must not be given away. */
  readonly key: object = Object.freeze({});
  readonly #choices = new Map<string, Choice>();
  readonly #tell: (listener: ActiveToolsListener, added: readonly string[], removed: readonly string[]) => void;
  /** Replaced, never changed, so that a listener may come or go while an event is delivered. */
  #listeners: readonly { readonly listener: ActiveToolsListener; readonly watcher: Watcher }[] = [];
  /** Grows with every change of what was chosen. */
  revision = 0;

  constructor(tell: ActiveSet["tell"]) {
    this.#tell = tell;
  }

  get tell(): (listener: ActiveToolsListener, added: readonly string[], removed: readonly string[]) => void {
    return this.#tell;
  }

  get isHeard(): boolean {
    return this.#listeners.length > 0;
  }

  isActive(entry: RegistryEntry): boolean {
    if (entry.tool.exposure === "hidden") return false;
    const choice = this.#choices.size === 0 ? undefined : this.#choices.get(entry.name);
    if (choice === undefined) return entry.startsActive;
    if (choice.entry === entry) return choice.isActive;
    return entry.startsActive || (choice.isActive && entry.defaultActive); // registered again since
  }

  choose(entry: RegistryEntry, isActive: boolean): void {
    this.#choices.set(entry.name, { entry, isActive });
    this.revision += 1;
  }

  subscribe(listener: ActiveToolsListener, watcher: Watcher): () => void {
    const own = { listener, watcher };
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
    };
  }

  /** Runs what may change the set, and tells everybody what came and went in their eyes. */
  change<T>(change: () => T): T {
    const before = this.#listeners.map((one) => ({ ...one, had: new Set(one.watcher.shownNames()) }));
    const result = change();
    for (const { listener, watcher, had } of before) {
      const shown = watcher.shownNames();
      const has = new Set(shown);
      const added = shown.filter((name) => !had.has(name));
      const removed = [...had].filter((name) => !has.has(name));
      if (added.length > 0 || removed.length > 0) this.#tell(listener, added, removed);
    }
    return result;
  }

  /** Looks whether a name is shown; the function that comes back tells those for whom that has changed since. */
  watchName(name: string): () => void {
    const before = this.#listeners.map((one) => ({ ...one, was: one.watcher.isShown(name) }));
    return () => {
      for (const { listener, watcher, was } of before) {
        const is = watcher.isShown(name);
        if (is !== was) this.#tell(listener, is ? [name] : [], is ? [] : [name]);
      }
    };
  }
}
