// A file that is not there: what else is, whose name is close.
import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { closestNames } from "../tools/closest-names.js";
import { resolveInside } from "./confine-path.js";
import type { FileToolOptions } from "./file-tool-options.js";

/** For the model; names the path as given and up to three close names of the same folder, if that may be read. */
export async function missingFileText(options: FileToolOptions, path: string, physicalName: string): Promise<string> {
  const text = `There is no file ${JSON.stringify(path)}.`;
  const names = await namesIn(options, dirname(physicalName));
  if (names === undefined) return `${text} Its folder does not exist either, or may not be read.`;
  const close = closestNames(basename(physicalName), names, 3);
  if (close.length === 0) return text;
  return `${text} Close names in the same folder: ${close.map((name) => JSON.stringify(name)).join(", ")}.`;
}

/** A root itself may be missing; what lies around it is nobody's business. */
async function namesIn(options: FileToolOptions, folder: string): Promise<string[] | undefined> {
  const place = await resolveInside(options, folder);
  if (place.kind === "refused") return undefined;
  try {
    return await readdir(place.physicalName);
  } catch {
    return undefined;
  }
}
