// What `write` and `edit` ask of a file before they touch it.
import { constants, type Stats } from "node:fs";
import { access, mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFileProblem } from "./file-problem.js";

/** Why a file may not be replaced, though its folder would allow it; `undefined` when it may. */
export async function whyNotWritable(physicalName: string, stats: Stats): Promise<string | undefined> {
  const uid = process.geteuid?.();
  const isJudgedByBits = uid === undefined || uid === 0 || uid === stats.uid;
  // A rename asks only for the folder's permission, and root has every one: the bits are what the owner said.
  if (isJudgedByBits) return (stats.mode & 0o200) === 0 ? READ_ONLY : undefined;
  try {
    await access(physicalName, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? READ_ONLY : describeFileProblem(error);
  }
}

const READ_ONLY = "it is read-only (its permission bits do not let it be written)";

/** Makes the folders above a file; tells why they cannot be, or that one of them has become a link meanwhile. */
export async function makeParents(physicalName: string): Promise<string | undefined> {
  const folder = dirname(physicalName);
  try {
    await mkdir(folder, { recursive: true });
    return (await realpath(folder)) === folder ? undefined : "a folder on the way to it has become a link";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? "a part of the path is a file, not a folder" : describeFileProblem(error);
  }
}
