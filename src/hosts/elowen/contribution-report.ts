// E54: what a plugin declared beside what it brings. The registry of this moment is what counts.
import type { Registry } from "../../registry/registry.js";
import type { ToolCollision } from "../../registry/registry-entry.js";
import { matchesName } from "../../tools/name-pattern.js";
import type { CheckedManifest } from "./manifest.js";

export interface ContributionReport {
  readonly plugin: string;
  /** The tools that are the plugin's, in the order of registration. */
  readonly tools: readonly string[];
  /** Entries of `provides.tools` that none of them fits. */
  readonly declaredNotRegistered: readonly string[];
  /** Tools that no entry of `provides.tools` fits. */
  readonly registeredNotDeclared: readonly string[];
  /** Names that the plugin wanted and another owner has. */
  readonly collisions: readonly ToolCollision[];
  /** Entries of the manifest that are about none of the plugin's tools, so that a misspelt name shows. */
  readonly withoutEffect: readonly ManifestEntry[];
}

export interface ManifestEntry {
  readonly field: "showOutput" | "planSafe" | "deferLoading" | "provides.readOnlyTools";
  readonly entry: string;
}

export function contributionReport(registry: Registry, manifest: CheckedManifest): ContributionReport {
  const { name: plugin, tools: declared, showOutput, planSafe, deferLoading, readOnlyTools } = manifest;
  const own = [...registry.entries()].filter(({ owner, tool }) => owner === plugin && tool.exposure !== "hidden");
  const tools = own.map(({ name }) => name);
  const isUnused = (entry: string) => !tools.some((name) => matchesName(entry, name));
  const unused = (field: ManifestEntry["field"], entries: readonly string[]) =>
    entries.filter(isUnused).map((entry) => ({ field, entry }));
  return {
    plugin,
    tools,
    declaredNotRegistered: declared.filter(isUnused),
    registeredNotDeclared: tools.filter((name) => !declared.some((entry) => matchesName(entry, name))),
    collisions: registry.getCollisions().filter(({ rejectedOwner }) => rejectedOwner === plugin),
    withoutEffect: [
      ...unused("showOutput", showOutput),
      ...unused("planSafe", planSafe),
      ...unused("deferLoading", deferLoading),
      ...unused("provides.readOnlyTools", readOnlyTools),
    ],
  };
}
