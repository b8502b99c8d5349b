// How nestcall calls itself at the servers and clients that it speaks to.
import { readFileSync } from "node:fs";

export function ownInfo(): { readonly name: string; readonly version: string } {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  return { name: "nestcall", version: String((manifest as { readonly version?: unknown }).version) };
}
