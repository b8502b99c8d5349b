// E51: what may be used while nothing may be changed.
import type { RegistryEntry } from "./registry-entry.js";

/** A tool of the host itself that says it changes nothing. What a plugin or a server says of its own tools is a claim. */
export function isCoreReadOnly({ tool, owner, external }: RegistryEntry): boolean {
  return owner === undefined && !external && tool.annotations.readOnlyHint === true;
}
