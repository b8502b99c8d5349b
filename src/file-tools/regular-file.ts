// Opening files that are nothing but files: what could block, or do something when opened, never is.
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { describeFileProblem } from "./file-problem.js";

/** What is at a name: nothing, a regular file, or something a file tool keeps away from. */
export type FileAnswer =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly stats: Stats }
  | { readonly kind: "other"; readonly reason: string };
/** What `lookAtFile` saw. */
export type SeenFile = Extract<FileAnswer, { kind: "file" }>;
/** An opened file is the receiver's to close. */
export type OpenAnswer = Exclude<FileAnswer, { kind: "file" }> | (OpenFile & { readonly kind: "file" });
export interface FileContent {
  readonly kind: "content";
  readonly bytes: Buffer;
}
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

// Windows has neither; there a link cannot block and a FIFO has no name in a folder.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Looks without opening. */
export async function lookAtFile(physicalName: string): Promise<FileAnswer> {
  try {
    const stats = await lstat(physicalName);
    return stats.isFile() ? { kind: "file", stats } : { kind: "other", reason: `it is ${kindOf(stats)}` };
  } catch (error) {
    return answerOf(error);
  }
}

/**
 * Opens for reading. What was swapped in since it was looked at neither blocks nor is read: a link is not followed
 * (`O_NOFOLLOW`), the other end of a pipe not waited for (`O_NONBLOCK`), and what was opened is looked at again.
 */
export async function openRegularFile(physicalName: string): Promise<OpenAnswer> {
  const seen = await lookAtFile(physicalName);
  if (seen.kind !== "file") return seen;
  let handle: FileHandle | undefined;
  try {
    handle = await open(physicalName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await handle.stat();
    if (stats.isFile()) return { kind: "file", handle, stats };
    await handle.close();
    return { kind: "other", reason: `it is ${kindOf(stats)}` };
  } catch (error) {
    await handle?.close();
    return answerOf(error);
  }
}

/**
 * The whole content of a file that was seen, with the same care. Who goes on to write compares what is there then with
 * what was seen, so a file that was swapped or has grown meanwhile need not be noticed here.
 */
export async function readRegularFile(
  physicalName: string,
  { stats: seen }: SeenFile,
): Promise<Exclude<FileAnswer, SeenFile> | FileContent> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(physicalName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return { kind: "content", bytes: await readBytes(handle, seen.size) };
  } catch (error) {
    return answerOf(error);
  } finally {
    await handle?.close();
  }
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await handle.read(buffer, filled, size - filled, filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  return buffer;
}

function answerOf(error: unknown): FileAnswer & { readonly kind: "missing" | "other" } {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "missing" };
  return { kind: "other", reason: describeFileProblem(error) };
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder, not a file";
  if (stats.isSymbolicLink()) return "a symbolic link that was put there just now";
  if (stats.isFIFO()) return "a named pipe, not a regular file";
  if (stats.isSocket()) return "a socket, not a regular file";
  return "a device, not a regular file";
}
