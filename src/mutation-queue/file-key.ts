// F2: what makes two paths one file: the physical name, and, while the file exists, device, inode and birth time.
// Everything is asked of the system asynchronously, through callbacks: a disk that does not answer stops nobody else.
import fs from "node:fs";
import { basename, dirname, isAbsolute, normalize, sep } from "node:path";

export interface FileKey {
  /** Absolute and physical; for a missing file, its nearest existing ancestor and the rest. */
  readonly name: string;
  /** Absent while there is no file. */
  readonly identity: string | undefined;
  /** Reached by its only name without a link on the way: one look at the file is enough to see that this still holds. */
  readonly isPlain: boolean;
}
export type KeyCallback = (error: Error | undefined, key: FileKey | undefined) => void;

const MAX_LINKS = 40; // as Linux has it

/**
 * The key of an absolute path; calls back once, later. The path is not normalised: `..` is the system's affair. Asks for
 * the file and, once for all files that are looked up meanwhile, for its folder; a link is followed in a second step.
 */
export function lookUpKey(path: string, done: KeyCallback): void {
  const name = basename(path);
  if (!KEEPS_SPELLING || !path.endsWith(`${sep}${name}`) || name === ".." || name === ".") {
    lookUpWhole(path, done);
    return;
  }
  let folder: string | undefined;
  let stats: fs.BigIntStats | undefined;
  let problem: NodeJS.ErrnoException | undefined;
  let left = 2;
  const answered = () => {
    left -= 1;
    if (left > 0) return;
    if (folder === undefined || stats?.isSymbolicLink() === true) lookUpWhole(path, done);
    else if (stats !== undefined) done(undefined, keyOf(path, joined(folder, name), stats));
    else if (problem?.code === "ENOENT") appendName(folder, name, done);
    else lookUpWhole(path, done); // it says what is wrong with the path
  };
  try {
    fs.lstat(path, BIGINT, (error, found) => {
      if (error === null) stats = found;
      else problem = error;
      answered();
    });
  } catch (error) {
    // Node refuses what cannot be a path (a NUL byte) on the spot.
    queueMicrotask(() => done(error as Error, undefined));
    return;
  }
  lookUpExisting(dirname(path), (real) => {
    folder = real;
    answered();
  });
}

const BIGINT = { bigint: true } as const;
/** Elsewhere the disk may know a file by another spelling than the one it was asked for. */
const KEEPS_SPELLING = process.platform !== "win32" && process.platform !== "darwin";
const foldersAsked = new Map<string, ((real: string | undefined) => void)[]>();

/** The physical name of a folder; `undefined` when it has none. Calls made in one go share one answer. */
function lookUpExisting(folder: string, done: (real: string | undefined) => void): void {
  const inFlight = foldersAsked.get(folder);
  if (inFlight !== undefined) {
    inFlight.push(done);
    return;
  }
  const waiting = [done];
  foldersAsked.set(folder, waiting);
  // A link to the folder may be turned between two calls, but not while the caller makes a row of them.
  queueMicrotask(() => foldersAsked.delete(folder));
  fs.realpath.native(folder, (error, real) => {
    for (const each of waiting) each(error === null ? real : undefined);
  });
}

function joined(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : `${folder}${sep}${name}`;
}

/** The key by way of the whole path, links in it followed. */
function lookUpWhole(path: string, done: KeyCallback): void {
  let name: string | undefined;
  let stats: fs.BigIntStats | undefined;
  let left = 2;
  let failed: NodeJS.ErrnoException | undefined;
  const answered = () => {
    left -= 1;
    if (left > 0) return;
    if (failed !== undefined && !isMissing(failed)) done(failed, undefined);
    else if (name === undefined) lookUpMissing(path, MAX_LINKS, done);
    else done(undefined, keyOf(path, name, stats));
  };
  try {
    fs.realpath.native(path, (error, real) => {
      if (error === null) name = real;
      else failed = error;
      answered();
    });
    fs.stat(path, BIGINT, (error, found) => {
      if (error === null) stats = found; // a file that is gone by now has a name and no identity
      answered();
    });
  } catch (error) {
    queueMicrotask(() => done(error as Error, undefined));
  }
}

/** F3: the key of a path whose key was `before`; the same object when nothing has changed. */
export function lookUpKeyAgain(path: string, before: FileKey, done: KeyCallback): void {
  if (!before.isPlain) {
    lookUpKey(path, (error, key) => done(error, key !== undefined && isSameKey(key, before) ? before : key));
    return;
  }
  // A file with one name that is still the same file under the same path without links can only have been moved with
  // its folder, which no lease covers (F10).
  fs.lstat(path, BIGINT, (error, stats) => {
    if (error === null && stats.nlink === 1n && identityOf(stats) === before.identity) done(undefined, before);
    else lookUpKey(path, done);
  });
}

/** F3, without a trip: whether the file of a plain key is still the same. `false` may also mean that one has to ask. */
export function isUnchangedNow(path: string, { isPlain, identity }: FileKey): boolean {
  if (!isPlain) return false;
  try {
    const stats = fs.lstatSync(path, BIGINT);
    return stats.nlink === 1n && identityOf(stats) === identity;
  } catch {
    return false;
  }
}

export function isSameKey(left: FileKey, right: FileKey): boolean {
  return left.name === right.name && left.identity === right.identity;
}

function keyOf(path: string, name: string, stats: fs.BigIntStats | undefined): FileKey {
  if (stats === undefined) return { name, identity: undefined, isPlain: false };
  return { name, identity: identityOf(stats), isPlain: name === path && stats.nlink === 1n };
}

/** A freed inode goes to the next new file at once; the birth time tells the two apart. */
function identityOf(stats: fs.BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

/** No file there, or what should be a folder is a file. Everything else is the caller's to know. */
function isMissing(error: NodeJS.ErrnoException): boolean {
  return error.code === "ENOENT" || error.code === "ENOTDIR";
}

/** The key of a path that leads to no file: through the text of a dangling link, or by the nearest existing ancestor. */
function lookUpMissing(path: string, linksLeft: number, done: KeyCallback): void {
  const trimmed = trimEnd(path);
  fs.readlink(trimmed, (error, target) => {
    if (error === null) {
      if (linksLeft === 0) return done(loopError(path), undefined);
      const next = isAbsolute(target) ? target : `${dirname(trimmed)}${sep}${target}`;
      return followMissing(next, linksLeft - 1, done);
    }
    const parent = dirname(trimmed);
    if (parent === trimmed) return done(undefined, { name: trimmed, identity: undefined, isPlain: false });
    return lookUpFolder(parent, linksLeft, (failed, folder) => {
      if (folder === undefined) return done(failed, undefined);
      return appendName(folder, basename(trimmed), done);
    });
  });
}

/** The target of a link may exist by now. */
function followMissing(path: string, linksLeft: number, done: KeyCallback): void {
  fs.realpath.native(path, (error, real) => {
    if (error === null) lookUpKey(real, done);
    else if (isMissing(error)) lookUpMissing(path, linksLeft, done);
    else done(error, undefined);
  });
}

/** The physical name of a folder, whether it exists or not. */
function lookUpFolder(path: string, linksLeft: number, done: (error: Error | undefined, name?: string) => void): void {
  fs.realpath.native(path, (error, real) => {
    if (error === null) done(undefined, real);
    else if (isMissing(error)) lookUpMissing(path, linksLeft, (failed, key) => done(failed, key?.name));
    else done(error);
  });
}

/** On a disk that ignores letter case, names of missing files that differ only in it are one. */
function appendName(folder: string, rest: string, done: KeyCallback): void {
  const name = normalize(`${folder}${sep}${rest}`); // a `..` below a missing folder has no physical meaning
  const swapped = swapCase(basename(folder));
  const finish = (isFolded: boolean) => {
    const folded = isFolded ? normalize(`${folder}${sep}${rest.normalize("NFC").toLowerCase()}`) : name;
    done(undefined, { name: folded, identity: undefined, isPlain: false });
  };
  if (swapped === basename(folder)) {
    finish(process.platform === "win32");
    return;
  }
  fs.stat(folder, BIGINT, (failed, here) => {
    if (failed !== null) {
      finish(false);
      return;
    }
    fs.stat(`${dirname(folder)}${sep}${swapped}`, BIGINT, (error, there) =>
      finish(error === null && identityOf(here) === identityOf(there)),
    );
  });
}

function swapCase(text: string): string {
  return [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join("");
}

function trimEnd(path: string): string {
  let end = path.length;
  while (end > 1 && (path[end - 1] === "/" || path[end - 1] === sep)) end -= 1;
  return path.slice(0, end);
}

function loopError(path: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`ELOOP: too many symbolic links encountered, '${path}'`);
  return Object.assign(error, { code: "ELOOP", syscall: "readlink", path });
}
