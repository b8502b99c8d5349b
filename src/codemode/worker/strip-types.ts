// Types are taken out only after a syntax error, here in the worker: a parser that a hostile source keeps busy must not hold
// up the host.

import * as nodeModule from "node:module";
import { createRequire } from "node:module";

export type Stripped =
  | { readonly code: string }
  | { readonly problem: string; readonly line?: number; readonly isMissing?: true };

interface Sucrase {
  transform(code: string, options: object): { readonly code: string };
}
type NodeStrip = (code: string, options: object) => string;

let sucrase: Sucrase | undefined | null;

/** JavaScript on the same lines, or why there is none. */
export function stripTypes(code: string): Stripped {
  const strip = stripper();
  if (strip === undefined) {
    return { problem: "TypeScript needs the package sucrase (npm install sucrase).", isMissing: true };
  }
  try {
    return { code: strip(code) };
  } catch (error) {
    const { message = "", loc } = error as { readonly message?: string; readonly loc?: { readonly line?: unknown } };
    const line = typeof loc?.line === "number" ? loc.line : Number(/\((\d+):\d+\)/.exec(message)?.[1]);
    const problem = message.replace(/^Error transforming .*?: /, "").replace(/ \(\d+:\d+\)$/, "");
    return { problem, ...(line >= 1 ? { line } : {}) };
  }
}

function stripper(): ((code: string) => string) | undefined {
  if (sucrase === undefined) {
    try {
      sucrase = createRequire(import.meta.url)("sucrase") as Sucrase;
    } catch {
      sucrase = null;
    }
  }
  if (sucrase !== null) {
    const { transform } = sucrase;
    const options = { transforms: ["typescript"], disableESTransforms: true, keepUnusedImports: true };
    return (code) => transform(code, options).code;
  }
  // Node 22.13 and newer; it refuses enums.
  const nodeStrip = (nodeModule as unknown as { readonly stripTypeScriptTypes?: NodeStrip }).stripTypeScriptTypes;
  return nodeStrip === undefined ? undefined : (code) => nodeStrip(code, { mode: "strip" });
}
