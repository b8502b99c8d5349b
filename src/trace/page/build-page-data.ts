// A trace as the data of a page.
import { Renderers } from "../../registry/renderers.js";
import type { RendererSource } from "../call-tree-drawing.js";
import type { Trace, TraceCall } from "../trace.js";
import { pageCall } from "./page-call.js";
import type { PageData, PageRoot } from "./page-data.js";

export interface PageDataOptions {
  readonly title: string;
  readonly registry?: RendererSource | undefined;
  readonly savedTokens?: number | undefined;
}

/** UTF-16 units that all arguments and results of a page may take; beyond that the longest are cut. */
const MAX_VALUE_CHARS = 32 * 1024 * 1024;
/** What is left of every value, however many there are. */
const MIN_VALUE_CHARS = 256;
/** A value that is longer than this is cut in any case. */
const MAX_CHARS_OF_ONE = 4 * 1024 * 1024;

export function buildPageData(trace: Trace, options: PageDataOptions): PageData {
  const { title, savedTokens } = options;
  const { source, startedAt, dropped, notes, usage } = trace;
  const hasUsage = source === "record" && usage !== undefined;
  return {
    title,
    source,
    hasClock: startedAt !== undefined,
    roots: pageRoots(trace, options.registry),
    dropped,
    notes,
    ...(hasUsage ? { usage } : {}),
    ...(savedTokens === undefined ? {} : { savedTokens }),
  };
}

/** The root calls of a trace, numbered from 0. */
export function pageRoots(trace: Trace, registry: RendererSource | undefined): PageRoot[] {
  const { calls, startedAt = 0 } = trace;
  const options = {
    renderers: registry === undefined ? undefined : new Renderers({ toolOf: (name) => registry.renderersOf(name) }),
    maxValueChars: valueRoom(calls),
  };
  return groupByRoot(calls).map((group, key) => {
    const root = group[0] as TraceCall; // no group is empty
    const shown = group.map((call) => pageCall(call, root, options));
    return { key, startedAt: startedAt + root.startMs, calls: shown };
  });
}

/** The calls of each root call, which stand together. */
function groupByRoot(calls: readonly TraceCall[]): TraceCall[][] {
  const groups: TraceCall[][] = [];
  for (const call of calls) {
    if (call.parent === undefined) groups.push([]);
    groups.at(-1)?.push(call);
  }
  return groups;
}

/** How long a value may be so that all of them have a place. */
function valueRoom(calls: readonly TraceCall[]): number {
  const sizes = calls.flatMap(({ argumentsBytes = 0, resultBytes = 0, error, result }) => [
    argumentsBytes,
    result === undefined ? (error?.length ?? 0) : resultBytes,
  ]);
  let room = MAX_CHARS_OF_ONE;
  const isTooMuch = () => sizes.reduce((sum, size) => sum + Math.min(size, room), 0) > MAX_VALUE_CHARS;
  while (room > MIN_VALUE_CHARS && isTooMuch()) room /= 2;
  return room;
}
