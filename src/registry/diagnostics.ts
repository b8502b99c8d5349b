// E27: what a host may log about the part of a request that its provider caches. External names were written by
// somebody else and may tell whom a user works with, so they are numbers here, and so are the namespaces they are in.
import { composeDeclarations, type ToolDeclaration } from "./declarations.js";
import { estimateTokens } from "./limits.js";
import type { DeclaredEntry } from "./loadout.js";

export interface ToolDiagnostics {
  /** The tool's name, or `[external 1]`, counted in the order of registration. */
  readonly name: string;
  /** Its namespace's name, or `[namespace 1]` when any external tool belongs to that. */
  readonly namespace?: string;
  readonly external: boolean;
  readonly bytes: number;
  readonly tokens: number;
}
/** A projection for logs, never for providers; frozen, and plain JSON. */
export interface CacheDiagnostics {
  /** In the order of the declarations: what changes early in it costs most of the cache. */
  readonly tools: readonly ToolDiagnostics[];
  /** UTF-8 bytes of all declarations. */
  readonly bytes: number;
  readonly tokens: number;
}

/**
 * What is declared and what it costs, without external names.
 *
 * @param entries - The entries that the declarations were composed of.
 * @param declarations - Default: the entries' own, without handlers or decoration.
 * @param registered - All entries there are: a namespace of an external tool that is not declared is redacted too.
 */
export function diagnose(
  entries: readonly DeclaredEntry[],
  declarations: readonly ToolDeclaration[] = composeDeclarations(entries),
  registered: Iterable<DeclaredEntry> = entries,
): CacheDiagnostics {
  const labels = labelsOf(entries, redactedNamespaces(registered));
  const tools = declarations.map(({ name, bytes, tokens }) =>
    Object.freeze({ ...(labels.get(name) ?? { name: "[unknown]", external: true }), bytes, tokens }),
  );
  const bytes = tools.reduce((sum, tool) => sum + tool.bytes, 0);
  return Object.freeze({ tools: Object.freeze(tools), bytes, tokens: estimateTokens(bytes) });
}

type Label = Pick<ToolDiagnostics, "name" | "namespace" | "external">;

function labelsOf(
  entries: readonly DeclaredEntry[],
  namespaces: ReadonlyMap<string, string>,
): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  let count = 0;
  for (const { tool, external } of entries) {
    if (external) count += 1;
    const namespace = tool.namespace?.name;
    labels.set(tool.name, {
      name: external ? `[external ${count}]` : tool.name,
      ...(namespace === undefined ? {} : { namespace: namespaces.get(namespace) ?? namespace }),
      external,
    });
  }
  return labels;
}

function redactedNamespaces(entries: Iterable<DeclaredEntry>): ReadonlyMap<string, string> {
  const redacted = new Map<string, string>();
  for (const { tool, external } of entries) {
    const name = tool.namespace?.name;
    if (external && name !== undefined && !redacted.has(name)) redacted.set(name, `[namespace ${redacted.size + 1}]`);
  }
  return redacted;
}
