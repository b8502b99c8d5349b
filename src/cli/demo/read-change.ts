// What the demo reviews: what is not committed in a repository, else its last commit, else a small change of our own.
import { basename } from "node:path";
import { BUNDLED_PATCH } from "./bundled-patch.js";
import { type ChangedFile, readPatch } from "./read-patch.js";
import { runGit } from "./run-git.js";

export interface Change {
  /** What is reviewed, for people. */
  readonly name: string;
  /** Where the change is from. */
  readonly source: string;
  readonly files: readonly ChangedFile[];
}

const DIFF = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"];

export async function readChange(folder: string, signal: AbortSignal): Promise<Change> {
  try {
    return await ofRepository(folder, signal);
  } catch {
    signal.throwIfAborted();
    const name = "a small change that comes with nestcall (no git history can be read here)";
    return { name, source: "bundled change", files: readPatch(BUNDLED_PATCH) };
  }
}

async function ofRepository(folder: string, signal: AbortSignal): Promise<Change> {
  const top = (await runGit(folder, ["rev-parse", "--show-toplevel"], signal)).trim();
  const name = basename(top);
  const [hash, subject = ""] = (await runGit(top, ["log", "-1", "--format=%h%n%s"], signal)).split("\n");
  const open = await runGit(top, ["diff", ...DIFF, "HEAD"], signal);
  if (open.trim() !== "") return { name, source: "what is not committed", files: readPatch(open) };
  const last = await runGit(top, ["show", "--format=", "--first-parent", "-m", ...DIFF, "HEAD"], signal);
  return { name, source: `last commit ${hash}: ${subject}`, files: readPatch(last) };
}
