// For tests: what the workers of a runtime hold.
import type { SlotInspection } from "./protocol.js";

/** Found by name, so that it also works between two copies of the package. */
export const INSPECT: unique symbol = Symbol.for("nestcall.codemode.inspect") as never;

export interface RuntimeInspection {
  readonly workers: readonly { readonly threadId: number; readonly slots: readonly SlotInspection[] }[];
}

/** Workers, and the sandboxes of each with the hashes of their memory and of the image that they start from. */
export async function inspectRuntime(runtime: object): Promise<RuntimeInspection> {
  const inspect = (runtime as { readonly [INSPECT]?: () => Promise<RuntimeInspection> })[INSPECT];
  return inspect === undefined ? { workers: [] } : inspect.call(runtime);
}
