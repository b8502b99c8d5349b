// Which calls of a long or deep tree are drawn, and what is said of the others. Calls that went wrong are drawn first.
import type { CallNode } from "./record-tree.js";

/** What is asked of a call. */
export interface FoldableCall {
  readonly status: CallNode["status"];
  readonly children: readonly FoldableCall[];
}
/** Calls that are counted instead of drawn. */
export interface FoldedCalls {
  readonly ok: number;
  readonly notOk: number;
  readonly total: number;
}
export type ShownCall<T> = { readonly call: T } | { readonly folded: FoldedCalls };

/** The calls in their order, those that have no place folded where they stood. */
export function foldCalls<T extends FoldableCall>(calls: readonly T[], max: number): ShownCall<T>[] {
  if (calls.length <= max) return calls.map((call) => ({ call }));
  const kept = keptCalls(calls, max);
  const shown: ShownCall<T>[] = [];
  let hidden: T[] = [];
  const endFold = () => {
    const [only] = hidden;
    if (hidden.length === 1 && only !== undefined)
      shown.push({ call: only }); // a note would take the same line
    else if (hidden.length > 1) shown.push({ folded: countCalls(hidden) });
    hidden = [];
  };
  for (const call of calls) {
    if (kept.has(call)) {
      endFold();
      shown.push({ call });
    } else hidden.push(call);
  }
  endFold();
  return shown;
}

/** The first and the last ones, and between them those in or above trouble. */
function keptCalls<T extends FoldableCall>(calls: readonly T[], max: number): ReadonlySet<T> {
  const last = Math.floor(max / 4);
  const first = Math.floor(max / 2);
  const troubled = calls.slice(first, -last || undefined).filter((call) => countCalls([call]).notOk > 0);
  return new Set([
    ...calls.slice(0, first),
    ...troubled.slice(0, max - first - last),
    ...calls.slice(calls.length - last),
  ]);
}

/** These calls and all below them. */
export function countCalls(calls: readonly FoldableCall[]): FoldedCalls {
  let [ok, total] = [0, 0];
  const open = [...calls];
  for (let call = open.pop(); call !== undefined; call = open.pop()) {
    total += 1;
    if (call.status === "ok") ok += 1;
    for (const child of call.children) open.push(child);
  }
  return { ok, notOk: total - ok, total };
}
