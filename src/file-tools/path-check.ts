// W1: a path is checked when the call asks for its files, and again when it has got them.
import { absolutePath, type InsidePath, type PathAnswer, type RefusedPath, resolveInside } from "./confine-path.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { type FileAnswer, lookAtFile } from "./regular-file.js";

/** A path that leads where it did, and what is there. */
export interface CheckedPath extends InsidePath {
  readonly seen: FileAnswer;
}
interface PathArguments {
  readonly path: string;
}

/** The two checks of one tool. It owns the answers of calls that wait; a call's arguments are its key. */
export class PathCheck {
  readonly #options: FileToolOptions;
  readonly #answers = new WeakMap<PathArguments, Promise<PathAnswer>>();

  constructor(options: FileToolOptions) {
    this.#options = options;
  }

  /** For `mutates`: begins the first check, and gives what to lease. */
  begin(args: PathArguments): string[] {
    if (args.path.includes("\0")) return []; // no path at all; `finish` says so
    // Asked again by somebody inside the lease, the first answer must stand.
    if (!this.#answers.has(args)) this.#answers.set(args, resolveInside(this.#options, args.path, "write"));
    return [absolutePath(this.#options, args.path)];
  }

  /**
   * For `execute`, inside the lease: where the path leads now, refused when that is another file than was checked.
   * Another editor's save by rename keeps the name, so it is simply the new content.
   */
  async finish(args: PathArguments): Promise<CheckedPath | RefusedPath> {
    const before = await (this.#answers.get(args) ?? resolveInside(this.#options, args.path, "write"));
    this.#answers.delete(args);
    if (before.kind === "refused") return before;
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
