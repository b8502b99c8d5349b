// What is under review: a folder, how it checks itself, and where its change is read from.
// Without a path that is the repository of this example, or its bundled project where there is no git history.
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Change, findHistory, MAX_PATCH_BYTES, readChange } from "./git.js";
import { readPatch } from "./patch.js";
import { findProjectChecks, type ProjectChecks } from "./project-checks.js";

export interface ReviewTarget {
  readonly folder: string;
  /** For people. */
  readonly name: string;
  readonly checks: ProjectChecks;
  /** @throws Error that says why there is no change to be read. */
  readonly readChange: (signal: AbortSignal) => Promise<Change>;
}

/** This file runs as `build/examples/02-review-guard/review-target.js`. */
const ownRepository = fileURLToPath(new URL("../../../", import.meta.url));

/** @throws Error for people, when `path` is no folder. */
export async function findReviewTarget(path: string | undefined, signal: AbortSignal): Promise<ReviewTarget> {
  if (path !== undefined) return await gitTarget(await folderAt(path), signal);
  // A copy without history may lie inside somebody else's repository.
  const top = await findHistory(ownRepository, signal);
  const hasHistory = top !== undefined && (await realpath(top)) === (await realpath(ownRepository));
  return hasHistory ? await gitTarget(resolve(ownRepository), signal) : await bundledTarget();
}

async function folderAt(path: string): Promise<string> {
  const folder = resolve(path);
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "ENOENT" ? `There is no folder ${path}.` : `${path} cannot be read: ${error.message}`,
    );
  });
  if (!found.isDirectory()) throw new Error(`${path} is not a folder.`);
  return folder;
}

async function gitTarget(folder: string, signal: AbortSignal): Promise<ReviewTarget> {
  const change = await readChange(folder, signal).catch(() => undefined); // `collect_diff` will tell why
  signal.throwIfAborted();
  const checks = await findProjectChecks(folder, change?.files.map((file) => file.path) ?? []);
  return {
    folder,
    name: checks.projectName ?? basename(folder),
    checks,
    readChange: (signal) => readChange(folder, signal),
  };
}

/** The project beside this example, with its change from a patch file. */
export async function bundledTarget(): Promise<ReviewTarget> {
  const folder = join(ownRepository, "examples", "02-review-guard", "project");
  return {
    folder,
    name: "the bundled project (there is no git history here)",
    checks: await findProjectChecks(folder, []),
    async readChange() {
      const patch = await readFile(join(folder, "last-change.patch"), "utf8");
      const files = readPatch(patch).map(({ added, ...file }) => file);
      return { source: "patch file", files, patch, patchTruncated: patch.length > MAX_PATCH_BYTES };
    },
  };
}
