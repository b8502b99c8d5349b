// The rows of the tree of calls: what is unfolded, and leads to what was looked for.
import type { ViewCall } from "./view-call.js";

export interface TreeRow {
  readonly at: number;
  readonly isOpen: boolean;
  readonly hasChildren: boolean;
  /** It was looked for itself, rather than something below it. */
  readonly isMatch: boolean;
}

/** A tree of more calls is folded below its root calls at first. */
const OPEN_ALL = 400;

export class Folding {
  /** What a person has folded or unfolded, by key. */
  readonly #choices = new Map<string, boolean>();

  isOpen({ key, parent }: ViewCall, total: number, isFiltered: boolean): boolean {
    return this.#choices.get(key) ?? (isFiltered || total <= OPEN_ALL || parent === undefined);
  }

  set(key: string, isOpen: boolean): void {
    this.#choices.set(key, isOpen);
  }

  clear(): void {
    this.#choices.clear();
  }
}

/**
 * @param matches - For each call, whether it was looked for.
 * @param isFiltered - Whether anything is looked for at all.
 */
export function treeRows(
  calls: readonly ViewCall[],
  matches: readonly boolean[],
  isFiltered: boolean,
  folding: Folding,
): TreeRow[] {
  const isKept = isFiltered ? keptCalls(calls, matches) : undefined;
  const rows: TreeRow[] = [];
  const open = calls.filter(({ parent }) => parent === undefined).reverse();
  for (let call = open.pop(); call !== undefined; call = open.pop()) {
    if (isKept?.[call.at] === false) continue;
    const children = isKept === undefined ? call.children : call.children.filter((child) => isKept[child]);
    const hasChildren = children.length > 0;
    const isOpen = hasChildren && folding.isOpen(call, calls.length, isFiltered);
    rows.push({ at: call.at, isOpen, hasChildren, isMatch: matches[call.at] === true });
    if (!isOpen) continue;
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = calls[children[index] ?? -1];
      if (child !== undefined) open.push(child);
    }
  }
  return rows;
}

/** Those that match, and those that lead to one. */
function keptCalls(calls: readonly ViewCall[], matches: readonly boolean[]): boolean[] {
  const kept = [...matches];
  for (let at = calls.length - 1; at >= 0; at -= 1) {
    const parent = calls[at]?.parent;
    if (kept[at] === true && parent !== undefined) kept[parent] = true;
  }
  return kept;
}
