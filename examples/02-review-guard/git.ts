// Asks git for the change to review: what is uncommitted, else the last commit that touched the folder.
// It writes nothing to the repository, and starts no hook, diff driver, text converter or file monitor.
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ProcessResult, runProcess } from "./run-process.js";

export interface Change {
  readonly source: "working tree" | "last commit" | "patch file";
  readonly commit?: string;
  readonly subject?: string;
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  readonly patchTruncated: boolean;
}
interface ChangedFile {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
}

/** Bytes of a patch that are kept. */
export const MAX_PATCH_BYTES = 256 * 1024;

const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotePath=false",
  "log.showSignature=false",
];
const SAFE = ["--no-pager", ...SETTINGS.flatMap((setting) => ["-c", setting])];
const DIFF = [
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--relative",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

interface Repository {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
}

/** @throws Error with git's own words, when the folder has no history that git can read. */
export async function readChange(folder: string, signal: AbortSignal): Promise<Change> {
  const repository = { folder, signal };
  const status = await git(repository, ["status", "--porcelain", "--untracked-files=normal", "--", "."]);
  return status.trim() === "" ? await lastCommit(repository) : await workingTree(repository);
}

/** The top folder of the repository that holds `folder`; undefined where git finds no commit that touched it. */
export async function findHistory(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const commit = await git({ folder, signal }, ["log", "-1", "--format=%H", "--", "."]);
    const top = await git({ folder, signal }, ["rev-parse", "--show-toplevel"]);
    return commit.trim() === "" ? undefined : top.trim();
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function lastCommit(repository: Repository): Promise<Change> {
  const log = await git(repository, ["log", "-1", "--format=%H%n%h%n%s", "--", "."]);
  const [id, commit, subject] = log.split("\n");
  if (!id || commit === undefined || subject === undefined) throw new Error("no commit has touched this folder yet");
  const show = ["show", "--format=", "--first-parent", "-m", ...DIFF];
  return { source: "last commit", commit, subject, ...(await readDiff(repository, show, [id, "--", "."])) };
}

/** New files are shown through an index of our own, in which git is told that they will be added. */
async function workingTree(repository: Repository): Promise<Change> {
  const scratch = await mkdtemp(join(tmpdir(), "nestcall-review-"));
  const inGit = async (name: string) =>
    resolve(repository.folder, (await git(repository, ["rev-parse", "--git-path", name])).trim());
  try {
    const env = {
      GIT_INDEX_FILE: join(scratch, "index"),
      GIT_OBJECT_DIRECTORY: join(scratch, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: await inGit("objects"),
    };
    await mkdir(env.GIT_OBJECT_DIRECTORY);
    await copyFile(await inGit("index"), env.GIT_INDEX_FILE).catch(() => {}); // there is none before the first `add`
    const own = { ...repository, env };
    await git(own, ["add", "--intent-to-add", "--", "."]);
    const hasCommit = await git(own, ["rev-parse", "--verify", "--quiet", "HEAD"]).then(
      () => true,
      () => false,
    );
    const base = hasCommit ? "HEAD" : await emptyTree(own);
    return { source: "working tree", ...(await readDiff(own, ["diff", ...DIFF], [base, "--", "."])) };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function emptyTree(repository: Repository): Promise<string> {
  return (await git(repository, ["hash-object", "-t", "tree", "--stdin"])).trim(); // of the empty stdin
}

async function readDiff(repository: Repository, command: readonly string[], what: readonly string[]) {
  const [numbers, patch] = await Promise.all([
    git(repository, [...command, "--numstat", "-z", ...what]),
    runGit(repository, [...command, "--patch", ...what]),
  ]);
  const files = numbers.split("\0").flatMap((entry) => {
    const [insertions, deletions, ...path] = entry.trimStart().split("\t");
    if (path.length === 0) return [];
    // a binary file has "-" for both numbers
    return [{ path: path.join("\t"), insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 }];
  });
  return { files, patch: patch.stdout, patchTruncated: patch.outputBytes > MAX_PATCH_BYTES };
}

async function git(repository: Repository, args: readonly string[]): Promise<string> {
  return (await runGit(repository, args)).stdout;
}

async function runGit(repository: Repository, args: readonly string[]): Promise<ProcessResult> {
  const result = await runProcess("git", [...SAFE, ...args], {
    cwd: repository.folder,
    signal: repository.signal,
    timeoutMs: 10_000,
    maxBytes: MAX_PATCH_BYTES,
    env: {
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      ...repository.env,
    },
  });
  repository.signal.throwIfAborted();
  if (result.timedOut) throw new Error("git did not answer within 10 s");
  if (result.exitCode !== 0)
    throw new Error(result.output.trim().split("\n")[0] || `git ended with ${result.exitCode}`);
  return result;
}
