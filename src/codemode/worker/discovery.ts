// What scripts ask about tools is loaded when the first of them may ask: most never do, and workers begin sooner.
type Discovery = typeof import("../declarations/index.js");

let loaded: Discovery | undefined;

/** Every way to the functions that ask: by their names, or by names that the script puts together. */
const WAYS = /search|describe|globalThis|eval|Function|constructor|\bthis\b|import|\\u/;

export function mayDiscover(source: string): boolean {
  return WAYS.test(source);
}

export function hasDiscovery(): boolean {
  return loaded !== undefined;
}

export async function loadDiscovery(): Promise<void> {
  loaded ??= await import("../declarations/index.js");
}

/** What `loadDiscovery` has loaded. */
export function discovery(): Discovery {
  if (loaded === undefined) throw new Error("a script asks about tools, which was not to be expected");
  return loaded;
}
