// What a call waits for, in words: the same for the tree of running calls and for that of a finished trace.
import { shortenText } from "../errors/text.js";
import { harmlessLine } from "./harmless-text.js";
import type { TraceWait } from "./trace.js";

const MAX_ID_CHARS = 40;
const MAX_NAME_CHARS = 60;
const REASONS = {
  files: "files",
  lane: "the sequential lane",
  concurrency: "a free place",
  approval: "approval",
} as const;

/** `for notes.md held by T/3`; `placeOf` gives the short form of a call's id. */
export function waitWords(
  { reason, paths = [], heldBy }: Pick<TraceWait, "reason" | "paths" | "heldBy">,
  placeOf: (id: string) => string,
): string {
  const [first, ...others] = paths;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const what =
    reason === "files" && first !== undefined
      ? `${fileName(first)}${more}`
      : Object.hasOwn(REASONS, reason)
        ? REASONS[reason]
        : "something";
  return `for ${what}${heldBy === undefined ? "" : ` held by ${placeOf(heldBy)}`}`;
}

/**
 * Short forms of ids: `T/3` for the third call of the root call that `T` stands for. Whatever is below no root that is known
 * keeps its id.
 *
 * @param places - The short forms of root calls by their ids.
 */
export function placesBelow(places: ReadonlyMap<string, string>): (id: string) => string {
  return (id) => {
    // What a host gives a root call may have slashes in it itself.
    for (let end = id.length; end > 0; end = id.lastIndexOf("/", end - 1)) {
      const root = places.get(id.slice(0, end));
      const rest = id.slice(end);
      if (root !== undefined && /^[\d/]*$/.test(rest)) return root + rest;
    }
    return harmlessLine(shortenText(id, MAX_ID_CHARS));
  };
}

function fileName(path: string): string {
  const name = path
    .replace(/[\\/]+$/, "")
    .split(/[\\/]/)
    .at(-1);
  return harmlessLine(shortenText(name === undefined || name === "" ? path : name, MAX_NAME_CHARS));
}
