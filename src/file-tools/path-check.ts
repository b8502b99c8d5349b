// W1: a path is checked when the call asks for its files, and again when it has got them.
import { statSync } from "node:fs";
import {
  absolutePath,
  type InsidePath,
  type PathAnswer,
  type RefusedPath,
  refusal,
  resolveInside,
} from "./confine-path.js";
import { describeFileProblem } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { type FileAnswer, lookAtFile } from "./regular-file.js";

/** A path that leads where it did, and what is there. */
export interface CheckedPath extends InsidePath {
  readonly seen: FileAnswer;
}
interface PathArguments {
  readonly path: string;
}

/** What the first check of a call left. */
interface FirstCheck {
  readonly answer: Promise<PathAnswer>;
  /** What the call has a lease for. */
  readonly leased: readonly string[];
  /** Why it has none: half a sentence. */
  readonly problem?: string;
}

/** The two checks of one tool. It owns the answers of calls that wait; a call's arguments are its key. */
export class PathCheck {
  readonly #options: FileToolOptions;
  readonly #checks = new WeakMap<PathArguments, FirstCheck>();

  constructor(options: FileToolOptions) {
    this.#options = options;
  }

  /** For `mutates`: begins the first check, and gives what to lease. */
  begin(args: PathArguments): readonly string[] {
    if (args.path.includes("\0")) return []; // no path at all; `finish` says so
    let check = this.#checks.get(args);
    // Asked again by somebody inside the lease, the first answer must stand.
    if (check === undefined) {
      const path = absolutePath(this.#options, args.path);
      const problem = whyNotFound(path);
      const answer = resolveInside(this.#options, args.path, "write");
      check = problem === undefined ? { answer, leased: [path] } : { answer, leased: [], problem };
      this.#checks.set(args, check);
    }
    return check.leased;
  }

  /**
   * For `execute`, inside the lease: where the path leads now, refused when that is another file than was checked.
   * Another editor's save by rename keeps the name, so it is simply the new content.
   */
  async finish(args: PathArguments): Promise<CheckedPath | RefusedPath> {
    const check = this.#checks.get(args);
    const before = await (check?.answer ?? resolveInside(this.#options, args.path, "write"));
    this.#checks.delete(args);
    if (before.kind === "refused") return before;
    // It could not be looked up a moment ago, so there is no lease for it, whatever it leads to now.
    if (check?.problem !== undefined) return refusal(args.path, check.problem);
    const { physicalName } = before;
    const [now, seen] = await Promise.all([
      resolveInside(this.#options, args.path, "write"),
      lookAtFile(physicalName), // most likely the same name; nothing is opened yet
    ]);
    if (now.kind === "refused") return now;
    if (now.physicalName === physicalName) return { ...now, seen };
    const text = `The path ${JSON.stringify(args.path)} led to another file when its turn came than when the call was made (a link was changed); nothing was written.`;
    return { kind: "refused", text };
  }
}

/**
 * Why the queue could not say which file a path leads to. Asked at once: `mutates` has no time to wait, and a path that
 * is in the system's memory, as one that is about to be resolved will be, takes microseconds.
 */
function whyNotFound(path: string): string | undefined {
  try {
    statSync(path, { throwIfNoEntry: false });
    return undefined;
  } catch (error) {
    return describeFileProblem(error);
  }
}
