// F9: the locks that every process of one user on this machine can see. A lock is the system's own, on an open file, so
// it goes with its holder, however that one ends, and never before. Owns the folder of the lock files and the files in
// it; who wants which lock, and for how long, is the queue's affair.
//
// The files are opened and locked synchronously: that takes microseconds on a local disk, a trip to Node's file threads
// takes longer, and nothing can come between two steps, so an abort never finds half a lock.
import { hash } from "node:crypto";
import fs from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, sep } from "node:path";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { thrownText } from "../errors/text.js";

/** What is used of `fs-native-extensions`: exclusive locks on whole open files. */
interface NativeLocks {
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

let opened: Promise<MachineLocks> | undefined;

/**
 * The locks of this user on this machine, loaded at the first use.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when the optional package is missing, or the folder is not the user's alone.
 */
export function openMachineLocks(): Promise<MachineLocks> {
  opened ??= loadMachineLocks().catch((error: unknown) => {
    opened = undefined; // what is missing may be there next time
    throw error;
  });
  return opened;
}

async function loadMachineLocks(): Promise<MachineLocks> {
  const locks = new MachineLocks(await loadNative(), lockFolder());
  process.once("exit", () => locks.cleanUp());
  return locks;
}

async function loadNative(): Promise<NativeLocks> {
  try {
    // @ts-expect-error: the package brings no types.
    const { tryLock, unlock } = (await import("fs-native-extensions")).default as NativeLocks;
    return { tryLock, unlock };
  } catch (cause) {
    const needed = "createFileMutationQueue({ crossProcess: true }) needs the optional package fs-native-extensions";
    const message = `${needed}, which cannot be loaded; install it with: npm install fs-native-extensions. (${thrownText(cause)})`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, { cause });
  }
}

/** Where the lock files of this user are, whatever the variables of the process say. */
export function lockFolder(): string {
  // Two processes that look in different places do not exclude each other. TMPDIR and XDG_RUNTIME_DIR differ between a
  // shell and what runs with a cleaned environment (an MCP server, a tool's child, a service), so neither is asked.
  if (process.platform === "win32") return join(userInfo().homedir, "AppData", "Local", "nestcall", "locks");
  const base = fs.statSync("/tmp", { throwIfNoEntry: false })?.isDirectory() === true ? "/tmp" : tmpdir();
  return join(base, `nestcall-locks-${process.geteuid?.()}`);
}

/**
 * Makes the folder, or sees that the one that is there is nobody else's.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when it is a link, no folder, or somebody else's.
 */
export function ensureLockFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: process.platform === "win32", mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stats = fs.lstatSync(folder);
  const isOwn = process.geteuid === undefined || stats.uid === process.geteuid();
  if (!stats.isDirectory() || !isOwn) {
    const what = stats.isSymbolicLink()
      ? "is a link"
      : stats.isDirectory()
        ? "belongs to another user"
        : "is no folder";
    const message = `The lock files of a crossProcess queue go to ${folder}, but that ${what}; remove it.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (process.geteuid !== undefined && (stats.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
}

const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
const OPEN_FLAGS = O_RDWR | (O_NOFOLLOW ?? 0); // Windows has no such flag
const BIGINT = { bigint: true } as const;
const BIGINT_OR_NOTHING = { bigint: true, throwIfNoEntry: false } as const;
/** How long the file of a lock stays, at least, when nobody has it: to make a file takes five times as long as to lock it. */
const KEEP_MS = 500;
/** What others left behind is looked through once, and only so far: files that nobody has used for this long. */
const LEFT_BEHIND_MS = 60_000;
const MOST_LEFT_BEHIND = 1_000;

export class MachineLocks {
  readonly #native: NativeLocks;
  readonly #folder: string;
  /** The files of locks that were given back lately, and of those that were given back before. */
  #given = new Set<string>();
  #givenBefore = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(native: NativeLocks, folder: string) {
    ensureLockFolder(folder);
    this.#native = native;
    this.#folder = folder;
    this.#removeLeftBehind();
  }

  /** The lock of a key, or `undefined` while somebody has it: another process, or another open file of this one. */
  tryLock(key: string): MachineLock | undefined {
    const path = this.#pathOf(key);
    const fd = this.#tryLockFile(path);
    return fd === undefined ? undefined : { release: () => this.#giveBack(path, fd) };
  }

  /** Tells others that somebody waits for the key; `undefined` when somebody tells them already. */
  tryFlag(key: string): MachineLock | undefined {
    const path = this.#flagOf(key);
    const fd = this.#tryLockFile(path);
    return fd === undefined ? undefined : { release: () => this.#remove(path, fd) };
  }

  /** Whether somebody who is alive waits for the key. */
  isWanted(key: string): boolean {
    const path = this.#flagOf(key);
    if (!fs.existsSync(path)) return false;
    const fd = this.#tryLockFile(path);
    if (fd !== undefined) this.#remove(path, fd); // whoever made it was killed
    return fd === undefined;
  }

  /** Removes every file that this process made and nobody has now. */
  cleanUp(): void {
    this.#sweep(this.#givenBefore);
    this.#sweep(this.#given);
  }

  #pathOf(key: string): string {
    return `${this.#folder}${sep}${hash("sha256", key, "hex")}`;
  }

  #flagOf(key: string): string {
    return `${this.#pathOf(key)}.wanted`;
  }

  /** An open file that is locked and is the one that others find at the path. */
  #tryLockFile(path: string): number | undefined {
    for (;;) {
      const fd = this.#open(path);
      if (fd === undefined) return undefined;
      let isTaken = false;
      try {
        if (!this.#native.tryLock(fd)) return undefined;
        // It may have been removed between our two steps; whoever comes next would make a new one.
        const there = fs.statSync(path, BIGINT_OR_NOTHING);
        const locked = fs.fstatSync(fd, BIGINT);
        isTaken = there !== undefined && there.ino === locked.ino && there.dev === locked.dev;
        if (isTaken) return fd;
      } finally {
        if (!isTaken) fs.closeSync(fd);
      }
    }
  }

  #open(path: string): number | undefined {
    try {
      return fs.openSync(path, OPEN_FLAGS | O_CREAT, 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows: the file has been removed, and somebody has it open still.
      if (process.platform === "win32" && (code === "EPERM" || code === "EACCES" || code === "EBUSY")) return undefined;
      if (code !== "ENOENT") throw error;
    }
    ensureLockFolder(this.#folder); // somebody cleaned up
    return fs.openSync(path, OPEN_FLAGS | O_CREAT, 0o600);
  }

  #giveBack(path: string, fd: number): void {
    this.#unlock(fd);
    this.#given.add(path);
    this.#givenBefore.delete(path);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#sweepLater(), KEEP_MS);
    this.#timer.unref(); // at the end of the process everything is swept
  }

  #remove(path: string, fd: number): void {
    try {
      fs.unlinkSync(path); // while it is locked: afterwards the file may be somebody else's
    } catch {
      // It is gone already, or it stays; the lock is what counts.
    }
    this.#unlock(fd);
  }

  #unlock(fd: number): void {
    try {
      // A child that was started a moment ago may have the file open until it runs its own program.
      this.#native.unlock(fd);
    } catch {
      // Closing unlocks as well.
    }
    fs.closeSync(fd);
  }

  #sweepLater(): void {
    this.#timer = undefined;
    this.#sweep(this.#givenBefore);
    [this.#given, this.#givenBefore] = [this.#givenBefore, this.#given];
    if (this.#givenBefore.size === 0) return;
    this.#timer = setTimeout(() => this.#sweepLater(), KEEP_MS);
    this.#timer.unref();
  }

  #sweep(paths: Set<string>): void {
    for (const path of paths) this.#removeUnused(path);
    paths.clear();
  }

  /** Removes the file of a lock, unless somebody has it: that one removes it later. */
  #removeUnused(path: string): void {
    try {
      if (!fs.existsSync(path)) return;
      const fd = this.#tryLockFile(path);
      if (fd !== undefined) this.#remove(path, fd);
    } catch {
      // An empty file that stays harms nobody.
    }
  }

  /** A process that was killed leaves its files; nobody has a lock on them. */
  #removeLeftBehind(): void {
    const before = Date.now() - LEFT_BEHIND_MS;
    for (const name of fs.readdirSync(this.#folder).slice(0, MOST_LEFT_BEHIND)) {
      const path = join(this.#folder, name);
      const stats = fs.lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() === true && stats.mtimeMs < before) this.#removeUnused(path);
    }
  }
}

/** A lock that this process has. */
export interface MachineLock {
  /** Gives it back; called once. Never throws. */
  release(): void;
}
