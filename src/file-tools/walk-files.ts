// The walk below a folder that `ls`, `find` and `grep` share: in the order of the paths, without what git ignores.
// A link is an entry and is never followed, so there is no way out of the roots and no loop.
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules, rulesAbove } from "./gitignore.js";
import type { Glob, GlobSubject } from "./glob.js";
import { withTimeLimit } from "./time-guard.js";

type EntryType = "file" | "folder" | "link" | "other";

export interface WalkedEntry extends GlobSubject {
  readonly physicalName: string;
  readonly type: EntryType;
  /** Whether the glob of the walk matches. */
  readonly isMatch: boolean;
}
export interface Walk {
  /** Absolute, no link in it. */
  readonly folder: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly notes: WalkNotes;
  /** What is looked for; default: everything. Folders that do not match are walked all the same. */
  readonly glob?: Glob;
}
/** What a walk could not show; counted as it goes. */
export interface WalkNotes {
  ignored: number;
  unreadable: number;
}

/** What an ignore file or a glob asks for cannot be told in time; the message is for the model. */
export class SlowPattern extends Error {}

interface Folder {
  readonly physicalName: string;
  /** Empty for the folder of the walk, else with a `/` at the end. */
  readonly prefix: string;
  readonly rules: IgnoreRules;
}

/**
 * Gives the entries of all folders, each folder before what is in it.
 *
 * @throws SlowPattern for ignore rules that take too long; the signal's reason; what the system says of the first folder.
 */
export async function* walkFiles(walk: Walk): AsyncGenerator<WalkedEntry> {
  const start = { physicalName: walk.folder, prefix: "", rules: await rulesAbove(walk.folder, walk.cwd) };
  const first = await readFolder(start, walk);
  const open = [first.entries.values()]; // the innermost last: no recursion, however deep the folders are
  const rules = [first.rules];
  for (let entries = open.at(-1); entries !== undefined; entries = open.at(-1)) {
    const { value: entry, done } = entries.next();
    if (done === true) {
      open.pop();
      rules.pop();
      continue;
    }
    yield entry;
    if (entry.type !== "folder") continue;
    const below = {
      physicalName: entry.physicalName,
      prefix: `${entry.path}/`,
      rules: rules.at(-1) ?? IgnoreRules.none,
    };
    const inner = await readFolder(below, walk).catch((error: unknown) => noteUnreadable(error, walk));
    if (inner === undefined) continue;
    open.push(inner.entries.values());
    rules.push(inner.rules);
  }
}

/** The entries of one folder only. */
export async function listFolder(walk: Walk): Promise<WalkedEntry[]> {
  const rules = await rulesAbove(walk.folder, walk.cwd);
  return (await readFolder({ physicalName: walk.folder, prefix: "", rules }, walk)).entries;
}

async function readFolder(folder: Folder, { signal, notes, glob }: Walk) {
  signal.throwIfAborted();
  const found = await readdir(folder.physicalName, { withFileTypes: true });
  // Somebody may have put a link in its place since it was seen; what was read is then of another folder.
  if ((await realpath(folder.physicalName)) !== folder.physicalName) throw new MovedFolder();
  signal.throwIfAborted();
  const names = found.map((entry) => entry.name);
  const rules = await folder.rules.inside(folder.physicalName, names);
  const all = found.filter((entry) => entry.name !== ".git").map((entry) => describeEntry(entry, folder));
  const seen = withTimeLimit(() => all.filter((entry) => !rules.ignore(entry.physicalName, entry.isFolder)));
  if (seen.kind === "too slow") {
    throw new SlowPattern(`A pattern of the .gitignore files above ${folder.prefix || "."} takes too long to match.`);
  }
  notes.ignored += all.length - seen.value.length;
  const sorted = seen.value.toSorted(inOrderOfPaths);
  if (glob === undefined) return { rules, entries: sorted.map((entry) => ({ ...entry, isMatch: true })) };
  const matched = withTimeLimit(() => sorted.map((entry) => ({ ...entry, isMatch: glob(entry) })));
  if (matched.kind === "too slow") throw new SlowPattern("The glob takes too long to match; use a simpler one.");
  return { rules, entries: matched.value };
}

class MovedFolder extends Error {}

function noteUnreadable(error: unknown, { signal, notes }: Walk): undefined {
  if (signal.aborted || error instanceof SlowPattern) throw error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined && !(error instanceof MovedFolder)) throw error;
  if (code !== "ENOENT") notes.unreadable += 1; // one that is gone by now is not missed
  return undefined;
}

type SeenEntry = Omit<WalkedEntry, "isMatch">;

function describeEntry(entry: Dirent, folder: Folder): SeenEntry {
  const type = entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
  return {
    path: `${folder.prefix}${entry.name}`,
    name: entry.name,
    isFolder: type === "folder",
    physicalName: join(folder.physicalName, entry.name),
    type,
  };
}

/** By code units, with the `/` behind a folder's name: the whole walk is then in the order of its paths. */
function inOrderOfPaths(one: SeenEntry, other: SeenEntry): number {
  const [a, b] = [sortKey(one), sortKey(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortKey({ name, isFolder }: SeenEntry): string {
  return isFolder ? `${name}/` : name;
}
