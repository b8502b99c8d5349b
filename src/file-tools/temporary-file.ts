// The temporary files of `replaceFile`: how they are named, and which of them may be cleared away.
import { createHash, randomBytes } from "node:crypto";
import { lstat, readdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Says to people whose file it is, and to version control and `ls` that it is not to be shown. */
const PREFIX = ".nestcall-";
/** No write takes that long: the content is in memory. */
const STALE_MS = 60 * 60 * 1_000;
/** Two containers may share a folder and use the same process numbers. */
const HOST = shortHash(hostname());
const PROCESS_STARTED_AT = Date.now() - process.uptime() * 1_000;
const inUse = new Set<string>();

/** A new name next to the target; `release` it when the file is gone. The name tells target, machine and process. */
export function takeTemporaryName(target: string): string {
  const name = join(
    dirname(target),
    `${prefixFor(target)}${HOST}-${process.pid}-${randomBytes(6).toString("hex")}.tmp`,
  );
  inUse.add(name);
  return name;
}

export function releaseTemporaryName(name: string): void {
  inUse.delete(name);
}

/** Removes what writers of this target left behind that do not live any more. Never rejects: it is a courtesy. */
export async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = prefixFor(target);
  try {
    for (const entry of await readdir(folder)) {
      if (!entry.startsWith(prefix)) continue;
      const path = join(folder, entry);
      if (await isLeftover(path, entry.slice(prefix.length))) await unlink(path);
    }
  } catch {
    // Not readable, or somebody else was faster.
  }
}

/** The whole name of the target would not fit in beside the rest when it is long. */
function prefixFor(target: string): string {
  return `${PREFIX}${shortHash(basename(target))}-`;
}

async function isLeftover(path: string, rest: string): Promise<boolean> {
  const [, host, pid] = /^([0-9a-f]{16})-(\d+)-[0-9a-z]+\.tmp$/.exec(rest) ?? [];
  if (pid === undefined || inUse.has(path)) return false;
  if (host === HOST && Number(pid) !== process.pid && !isAlive(Number(pid))) return true;
  const { mtimeMs } = await lstat(path);
  // In a container every run may have the same number; what is older than this run is of an earlier one.
  if (host === HOST && Number(pid) === process.pid) return mtimeMs < PROCESS_STARTED_AT;
  return mtimeMs < Date.now() - STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: it lives and is somebody else's
  }
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
