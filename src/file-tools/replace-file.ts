// W1: a file gets new content at once or not at all: a temporary file next to it, flushed, renamed over it. The folder is
// not flushed: after a power cut within seconds the old content may be back, whole, and a flush costs a third of an edit.
import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { releaseTemporaryName, removeLeftovers, takeTemporaryName } from "./temporary-file.js";

/** Less than that is written at once, and an abort need not be looked for on the way. */
const CHECKED_BYTES = 512 * 1_024;

export interface ReplaceOptions {
  /** The physical name; its folder exists. */
  readonly target: string;
  readonly content: Uint8Array;
  /** What is there now; mode, owner and group are kept where this process may set them. `undefined`: a new file. */
  readonly before: Stats | undefined;
  /** Refuse when the file is not any more what `before` says: the content was made from it. */
  readonly mustBeUnchanged: boolean;
  readonly signal: AbortSignal;
  /** Called while the disk is at work: what is to be computed then costs no time. Must not throw. */
  readonly whileFlushing?: () => void;
}

/**
 * Writes, flushes and renames; other hard links keep the old content, access lists and extended attributes are not
 * carried over. Whatever fails, and when the signal aborts before the rename, the file stays as it was and the temporary
 * file is removed.
 *
 * @returns `changed` when somebody outside the queue has changed the file since `before`.
 * @throws The system's own error, and the signal's reason.
 */
export async function replaceFile(options: ReplaceOptions): Promise<"replaced" | "changed"> {
  const { target, signal } = options;
  const temporary = takeTemporaryName(target);
  let isRenamed = false;
  try {
    if (!(await writeFlushed(temporary, options))) return "changed";
    signal.throwIfAborted();
    await rename(temporary, target);
    isRenamed = true;
  } finally {
    if (!isRenamed) await unlinkIfThere(temporary);
    releaseTemporaryName(temporary);
  }
  return "replaced";
}

/** Gives whether the target is still what it was; asked while the file is closed, right before the rename. */
async function writeFlushed(temporary: string, options: ReplaceOptions): Promise<boolean> {
  const { content, before, mustBeUnchanged, signal, target } = options;
  const handle = await open(temporary, "wx", firstMode(before));
  try {
    await handle.writeFile(content, content.length > CHECKED_BYTES ? { signal } : undefined);
    // The flush takes longest; what else is to be done is done meanwhile.
    const flushing = Promise.all([handle.sync(), before && handle.stat(), removeLeftovers(target)]);
    options.whileFlushing?.();
    const [, now] = await flushing;
    const hasChanged = before !== undefined && now !== undefined && (await takeOver(handle, now, before));
    if (hasChanged) await handle.sync();
  } catch (error) {
    await handle.close();
    throw error;
  }
  const [isSame] = await Promise.all([mustBeUnchanged ? isStill(target, before) : true, handle.close()]);
  return isSame;
}

/** A file of somebody else may be secret: until it is theirs again, only this user may look into it. */
function firstMode(before: Stats | undefined): number {
  if (before === undefined) return 0o666;
  const isOurs = before.uid === process.geteuid?.() && before.gid === process.getegid?.();
  return isOurs ? before.mode & 0o777 : 0o600;
}

/** Owner and group first: changing them clears the set-id bits of the mode. Gives whether there was something to do. */
async function takeOver(handle: FileHandle, now: Stats, before: Stats): Promise<boolean> {
  let isSameOwner = now.uid === before.uid && now.gid === before.gid;
  if (isSameOwner && ((now.mode ^ before.mode) & 0o7777) === 0) return false;
  if (!isSameOwner) {
    isSameOwner = await mayChown(handle, before.uid, before.gid);
    if (!isSameOwner && now.gid !== before.gid) await mayChown(handle, now.uid, before.gid);
  }
  // A set-id bit must not come to work for another owner.
  await handle.chmod(before.mode & (isSameOwner ? 0o7777 : 0o777));
  return true;
}

async function mayChown(handle: FileHandle, uid: number, gid: number): Promise<boolean> {
  try {
    await handle.chown(uid, gid);
    return true;
  } catch {
    return false;
  }
}

async function isStill(target: string, before: Stats | undefined): Promise<boolean> {
  try {
    const now = await lstat(target);
    return now.ino === before?.ino && now.size === before.size && now.mtimeMs === before.mtimeMs;
  } catch {
    return before === undefined;
  }
}

/** It may never have been made. */
async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // The next write clears away what could not be removed now.
  }
}
