// What pages were told of the collector's root calls, and what is new. Nothing is done while nobody looks.
import type { RendererSource } from "../call-tree-drawing.js";
import type { TraceCollector } from "../collector/create-trace-collector.js";
import { pageRoots } from "../page/build-page-data.js";

interface ToldRoot {
  readonly startedAt: number;
  /** The JSON of each call. */
  readonly calls: readonly string[];
}

export interface LiveTraceOptions {
  readonly collector: TraceCollector;
  readonly registry: RendererSource | undefined;
  readonly savedTokens: (() => number | undefined) | undefined;
}

export class LiveTrace {
  readonly #options: LiveTraceOptions;
  readonly #told = new Map<number, ToldRoot>();

  constructor(options: LiveTraceOptions) {
    this.#options = options;
  }

  /** The JSON of a `PagePatch` with everything, as it stands in what was told already. */
  whole(): string {
    const changes = Array.from(this.#told, ([key, { startedAt, calls }]) =>
      changeJson(key, startedAt, [...calls.entries()]),
    );
    return this.#patch(true, changes);
  }

  /** The JSON of a `PagePatch` with what is new of these root calls, and notes that it was told. */
  news(keys: ReadonlySet<number>): string {
    const kept = new Set(this.#keys());
    for (const key of this.#told.keys()) if (!kept.has(key)) this.#told.delete(key);
    const changes: string[] = [];
    for (const key of keys) if (kept.has(key)) changes.push(...this.#changes(key));
    return this.#patch(false, changes);
  }

  /** All root calls that were not told of yet. */
  untold(): number[] {
    return this.#keys().filter((key) => !this.#told.has(key));
  }

  #changes(key: number): string[] {
    const { collector, registry } = this.#options;
    const [root] = pageRoots(collector.trace([key]), registry);
    if (root === undefined) return [];
    const calls = root.calls.map((call) => JSON.stringify(call));
    const before = this.#told.get(key)?.calls ?? [];
    this.#told.set(key, { startedAt: root.startedAt, calls });
    const changed = [...calls.entries()].filter(([place, json]) => before[place] !== json);
    return changed.length === 0 ? [] : [changeJson(key, root.startedAt, changed)];
  }

  #keys(): number[] {
    return this.#options.collector.roots().map(({ key }) => key);
  }

  /** A host that cannot count does not stop the page. */
  #savedTokens(): number | undefined {
    try {
      return this.#options.savedTokens?.();
    } catch {
      return undefined;
    }
  }

  #patch(isWhole: boolean, changes: readonly string[]): string {
    const { collector } = this.#options;
    const dropped = collector.roots().reduce((sum, root) => sum + root.dropped, 0);
    const rest = { isWhole, keys: this.#keys(), dropped, savedTokens: this.#savedTokens(), now: Date.now() };
    return `${JSON.stringify(rest).slice(0, -1)},"changes":[${changes.join(",")}]}`;
  }
}

function changeJson(key: number, startedAt: number, calls: readonly (readonly [number, string])[]): string {
  const places = calls.map(([place, json]) => `[${place},${json}]`);
  return `{"key":${key},"startedAt":${startedAt},"calls":[${places.join(",")}]}`;
}
