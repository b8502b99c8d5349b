// How deep a run is in scripts that run scripts: the context of `callTool` carries it.
import { AsyncLocalStorage } from "node:async_hooks";

const depth = new AsyncLocalStorage<number>();

/** 0 for a script that no script's call has started. */
export function currentDepth(): number {
  return depth.getStore() ?? 0;
}

/** Runs what a script of this depth has called. */
export function withinScript<T>(ofDepth: number, fn: () => T): T {
  return depth.run(ofDepth + 1, fn);
}
