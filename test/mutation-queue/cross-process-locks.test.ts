// F9: the lock files, their folder, and what is left of them.
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
// @ts-expect-error: the package brings no types.
import native from "fs-native-extensions";
import { createFileMutationQueue } from "nestcall";
import { expect, test } from "vitest";
import { ensureLockFolder, lockFolder, MachineLocks } from "../../src/mutation-queue/cross-process-locks.js";
import { ensureBuilt } from "../examples/built.js";
import { freshFolder } from "../helpers/process.js";
import { startWorker } from "./processes/start-worker.js";

const isPosix = process.platform !== "win32";
const lockFileOf = (key: string) => join(lockFolder(), hash("sha256", key, "hex"));
const identityOf = (file: string) => {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
};

test("F9: a held file has a lock file for its name and one for its identity, in the user's folder alone", async () => {
  const folder = freshFolder();
  const file = join(folder, "file");
  writeFileSync(file, "text");
  const { withFileMutationQueue } = createFileMutationQueue({ crossProcess: true });
  const lockFiles = [lockFileOf(file), lockFileOf(identityOf(file))];
  await withFileMutationQueue(file, () => {
    for (const path of lockFiles) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["file"]);
  });
  if (isPosix) expect(lstatSync(lockFolder()).mode & 0o777).toBe(0o700);
  await expect.poll(() => lockFiles.filter((path) => existsSync(path)), { timeout: 10_000 }).toEqual([]);
});

test("F9: a process that ends leaves no lock file", async () => {
  await ensureBuilt();
  const file = join(freshFolder(), "file");
  writeFileSync(file, "0");
  const worker = await startWorker();
  const lockFiles = [lockFileOf(file), lockFileOf(identityOf(file))];
  await worker.tell("increment", file, 3);
  await worker.end();
  expect(lockFiles.filter((path) => existsSync(path))).toEqual([]);
}, 120_000);

test("F9: the folder is the same whatever the environment says", () => {
  const before = { ...process.env };
  const folder = lockFolder();
  try {
    process.env.XDG_RUNTIME_DIR = freshFolder();
    process.env.TMPDIR = freshFolder();
    process.env.HOME = freshFolder();
    expect(lockFolder()).toBe(folder);
  } finally {
    process.env = before;
  }
});

test.runIf(isPosix)("F9: a folder that is a link or no folder is refused, and one open to others is closed", () => {
  const folder = freshFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("real"));
  symlinkSync(at("real"), at("link"));
  symlinkSync(at("nowhere"), at("dangling"));
  writeFileSync(at("file"), "");
  for (const [name, problem] of [
    ["link", "is a link"],
    ["dangling", "is a link"],
    ["file", "is no folder"],
  ] as const) {
    expect(() => ensureLockFolder(at(name))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringContaining(problem) }),
    );
  }
  expect(() => new MachineLocks(native, at("link"))).toThrow("is a link");
  expect(readdirSync(at("real"))).toEqual([]);
  chmodSync(at("real"), 0o777);
  ensureLockFolder(at("real"));
  expect(lstatSync(at("real")).mode & 0o777).toBe(0o700);
});

test.runIf(isPosix)("F9: a link in the place of a lock file is not followed", () => {
  const folder = freshFolder();
  const locks = new MachineLocks(native, join(folder, "locks"));
  symlinkSync(join(folder, "victim"), join(folder, "locks", hash("sha256", "key", "hex")));
  expect(() => locks.tryLock("key")).toThrow(expect.objectContaining({ code: "ELOOP" }));
  expect(existsSync(join(folder, "victim"))).toBe(false);
});

test("F9: a lock has one holder; whoever removes the file cannot make two", () => {
  const folder = join(freshFolder(), "locks");
  const [first, second] = [new MachineLocks(native, folder), new MachineLocks(native, folder)];
  const lock = first.tryLock("key");
  expect(lock).toBeDefined();
  expect(second.tryLock("key")).toBeUndefined();
  expect(first.tryLock("key"), "the same process").toBeUndefined();
  expect(second.tryLock("another key")?.release()).toBeUndefined();
  second.cleanUp();
  first.cleanUp();
  expect(readdirSync(folder), "a lock that is held is not cleaned up").toEqual([hash("sha256", "key", "hex")]);
  expect(second.tryLock("key")).toBeUndefined();
  lock?.release();
  expect(second.tryLock("key")?.release()).toBeUndefined();
  second.cleanUp();
  expect(readdirSync(folder)).toEqual([]);
});

test("F9: a lock file that was removed between opening and locking it is no lock", () => {
  const folder = join(freshFolder(), "locks");
  const first = new MachineLocks(native, folder);
  const lock = first.tryLock("key");
  let meanwhile = () => {
    lock?.release();
    first.cleanUp();
  };
  const tryLock = (fd: number): boolean => {
    meanwhile();
    meanwhile = () => {};
    return native.tryLock(fd);
  };
  const second = new MachineLocks({ tryLock, unlock: native.unlock }, folder);
  const secondLock = second.tryLock("key");
  expect(secondLock).toBeDefined();
  expect(first.tryLock("key"), "the second has it").toBeUndefined();
  secondLock?.release();
  second.cleanUp();
});

test("F9: the flag of somebody who waits is seen while he lives", () => {
  const folder = join(freshFolder(), "locks");
  const [first, second] = [new MachineLocks(native, folder), new MachineLocks(native, folder)];
  expect(second.isWanted("key")).toBe(false);
  const flag = first.tryFlag("key");
  expect(second.isWanted("key")).toBe(true);
  flag?.release();
  expect(second.isWanted("key")).toBe(false);
  writeFileSync(join(folder, `${hash("sha256", "key", "hex")}.wanted`), ""); // as a killed process leaves it
  expect(second.isWanted("key")).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test("F9: files that killed processes left behind are removed, those in use are not", () => {
  const folder = join(freshFolder(), "locks");
  const first = new MachineLocks(native, folder);
  const lock = first.tryLock("held");
  writeFileSync(join(folder, "left"), "");
  writeFileSync(join(folder, "young"), "");
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of ["left", hash("sha256", "held", "hex")]) utimesSync(join(folder, name), longAgo, longAgo);
  new MachineLocks(native, folder);
  expect(readdirSync(folder).sort()).toEqual([hash("sha256", "held", "hex"), "young"].sort());
  lock?.release();
  first.cleanUp();
});

test("F9: a folder that somebody removed meanwhile is made again", () => {
  const folder = join(freshFolder(), "locks");
  const locks = new MachineLocks(native, folder);
  rmSync(folder, { recursive: true });
  const lock = locks.tryLock("key");
  expect(lock).toBeDefined();
  lock?.release();
  locks.cleanUp();
});
