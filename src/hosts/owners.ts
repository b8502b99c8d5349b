// Whose a tool is. Every door takes its owners from here, so that no two plugins or extensions of one registry are one owner,
// who could replace or withdraw the other's tools.
import { shortenText } from "../errors/text.js";
import type { Registry } from "../registry/registry.js";

const PI = "pi:";
const claimed = new WeakMap<Registry, Set<string>>();

/** The owner of the tools of a Pi extension. A plugin's is its name. */
export function piOwner(extension: string): string {
  return `${PI}${extension}`;
}

/** The name of the Pi extension whose owner this is; any other owner comes back as it is. */
export function withoutDoor(owner: string): string {
  return owner.startsWith(PI) ? owner.slice(PI.length) : owner;
}

/** An owner for a message. */
export function ownerText(owner: string | undefined): string {
  if (owner === undefined) return "the host";
  return `the ${owner.startsWith(PI) ? "Pi extension" : "plugin"} "${shortenText(withoutDoor(owner), 80)}"`;
}

export function isClaimed(registry: Registry, owner: string): boolean {
  return claimed.get(registry)?.has(owner) === true;
}

/** Takes an owner for oneself. Returns a function that gives it back; `undefined` when somebody has it. */
export function claimOwner(registry: Registry, owner: string): (() => void) | undefined {
  const owners = claimed.get(registry) ?? new Set();
  claimed.set(registry, owners);
  if (owners.has(owner)) return undefined;
  owners.add(owner);
  let isHeld = true;
  return () => {
    if (isHeld) owners.delete(owner);
    isHeld = false;
  };
}
