// Where a path leads, and whether a tool may go there (DESIGN 6). Nothing is opened here and nothing is remembered.
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, sep } from "node:path";
import { describeFileProblem } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";

export type PathAnswer = InsidePath | RefusedPath;
export interface InsidePath {
  readonly kind: "inside";
  /** Absolute, no link in it, whether there is a file by this name or not. */
  readonly physicalName: string;
}
export interface RefusedPath {
  readonly kind: "refused";
  /** For the model; names the path as given. */
  readonly text: string;
}

const MAX_LINKS = 40;

/**
 * Resolves a path as the system would, links followed, and refuses what lies outside every root. Never rejects.
 * Between this answer and the use of the name another process may still turn a folder into a link; who writes asks
 * again inside the lease, and opens with `O_NOFOLLOW`.
 *
 * @param path - As the model gave it: absolute, or relative to `options.cwd`. `..` is taken physically.
 * @param use - With `read`, the folder of complete outputs is allowed too.
 */
export async function resolveInside(
  options: FileToolOptions,
  path: string,
  use: "read" | "write" = "read",
): Promise<PathAnswer> {
  const { roots, outputFolder } = options;
  if (path === "" || path.includes("\0")) return refusal(path, "it is no path: it is empty or has a NUL in it");
  const allowed = roots === undefined ? [] : use === "read" ? [...roots, outputFolder] : roots;
  const [target, ...folders] = await Promise.allSettled([
    physicalNameOf(absolutePath(options, path)), // asked first: what the path leads to at this moment counts
    ...allowed.map((root) => physicalNameOf(root)),
  ]);
  if (target.status === "rejected") return refusal(path, describeFileProblem(target.reason));
  const physicalName = target.value;
  const isInside = folders.some((folder) => folder.status === "fulfilled" && contains(folder.value, physicalName));
  if (roots === undefined || isInside) {
    const isRefused = namesFolder(path) && (await isNoFolder(physicalName));
    return isRefused ? refusal(path, "it is a file, not a folder") : { kind: "inside", physicalName };
  }
  return refusal(path, `it leads outside the folders that may be used here (${roots.join(", ")})`);
}

/** The path from the root folder on. Not normalised: after a link, `..` is not what its text says. */
export function absolutePath(options: Pick<FileToolOptions, "cwd">, path: string): string {
  return isAbsolute(path) ? path : `${options.cwd}${sep}${path}`;
}

/** Whether it ends as only the path of a folder may: `a/`, `a/.`. */
export function namesFolder(path: string): boolean {
  const end = path.replaceAll(sep, "/");
  return end.endsWith("/") || end.endsWith("/.");
}

/** `false` for what is not there. */
function isNoFolder(physicalName: string): Promise<boolean> {
  return lstat(physicalName).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

function contains(folder: string, name: string): boolean {
  return name === folder || name.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function refusal(path: string, reason: string): RefusedPath {
  return { kind: "refused", text: `The path ${JSON.stringify(path)} is refused: ${reason}.` };
}

/** F2's physical name, but in the letter case that was asked for: a new file must get the name its author gave it. */
async function physicalNameOf(path: string, linksLeft = MAX_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const trimmed = trimEnd(path);
  const target = await linkTextOf(trimmed);
  if (target !== undefined) {
    if (linksLeft === 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    return physicalNameOf(isAbsolute(target) ? target : `${dirname(trimmed)}${sep}${target}`, linksLeft - 1);
  }
  const parent = dirname(trimmed);
  const name = basename(trimmed);
  if (parent === trimmed) return trimmed;
  // A `..` below a missing folder leads nowhere. Its text would, past links that nobody has looked at.
  if (name === "..") throw Object.assign(new Error("nothing to go up from"), { code: "ENOENT" });
  const folder = await physicalNameOf(parent, linksLeft);
  return name === "." ? folder : folder.endsWith(sep) ? folder + name : `${folder}${sep}${name}`;
}

/** The text of a link that leads nowhere; `undefined` for what is no link. */
async function linkTextOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException; // node:fs rejects with nothing else
  return code === "ENOENT" || code === "ENOTDIR";
}

function trimEnd(path: string): string {
  let end = path.length;
  while (end > 1 && (path[end - 1] === "/" || path[end - 1] === sep)) end -= 1;
  return path.slice(0, end);
}
