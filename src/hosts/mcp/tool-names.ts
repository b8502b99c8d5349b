// What the tools of servers are called here (DESIGN 8.1, TC39). The names depend on the set of tools alone, not on its order
// or on when it was learnt.
import { createHash } from "node:crypto";
import type { McpToolOrigin } from "./mcp-connection.js";

const MAX_NAME_CHARS = 64;
const HASH_CHARS = 8;
const MAX_ROUNDS = 5;

/**
 * A name for each tool. One that is not alone with its name, `-` and `_` taken as one, or would be too long, ends in a
 * hash of both original names.
 *
 * @param origins - Each server and tool once.
 */
export function namesOfTools(origins: readonly McpToolOrigin[]): string[] {
  const plain = origins.map(plainName);
  const names = plain.map((name, index) =>
    name.length > MAX_NAME_CHARS ? hashed(name, originAt(origins, index), 1) : name,
  );
  // A server may have named a tool as another is called with its hash: then that one gets a hash too.
  for (let rounds = 1; ; rounds += 1) {
    const repeated = repeatedNames(names);
    if (repeated.length === 0 || rounds > MAX_ROUNDS) return names;
    for (const index of repeated) names[index] = hashed(plain[index] ?? "", originAt(origins, index), rounds);
  }
}

/** What people call a tool, whatever other tools there are: uncut and without a hash, and so not always its own. */
export function spokenNames(origin: McpToolOrigin): readonly string[] {
  return [...new Set([plainName(origin), `mcp__${origin.server}__${origin.tool}`])];
}

function plainName({ server, tool }: McpToolOrigin): string {
  return `mcp__${safe(server)}__${safe(tool)}`;
}

function originAt(origins: readonly McpToolOrigin[], index: number): McpToolOrigin {
  return origins[index] as McpToolOrigin; // the index is one of this list
}

function safe(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, "_");
}

function hashed(plain: string, { server, tool }: McpToolOrigin, rounds: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex");
  const hash = digest.slice(0, HASH_CHARS * rounds);
  return `${plain.slice(0, MAX_NAME_CHARS - hash.length - 1)}_${hash}`;
}

function repeatedNames(names: readonly string[]): number[] {
  const counts = new Map<string, number>();
  const folded = names.map((name) => name.replaceAll("-", "_"));
  for (const name of folded) counts.set(name, (counts.get(name) ?? 0) + 1);
  return folded.flatMap((name, index) => ((counts.get(name) ?? 0) > 1 ? [index] : []));
}
