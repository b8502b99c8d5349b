// Where a search begins, and how the paths that it finds are written.
import { stat } from "node:fs/promises";
import type { ToolReturn } from "../tools/tool.js";
import { resolveInside } from "./confine-path.js";
import { describeFileProblem, errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { SlowPattern } from "./walk-files.js";

export type SearchPlace =
  | {
      readonly kind: "folder" | "file";
      readonly physicalName: string;
      /** What comes before a found path, so that the other tools can take it as it is: the path as given. */
      readonly prefix: string;
    }
  | { readonly kind: "refused"; readonly text: string };

/** @param path - As the model gave it; absent is the working folder. */
export async function searchPlace(options: FileToolOptions, path = "."): Promise<SearchPlace> {
  const place = await resolveInside(options, path);
  if (place.kind === "refused") return place;
  const { physicalName } = place;
  try {
    const stats = await stat(physicalName);
    if (stats.isFile()) return { kind: "file", physicalName, prefix: path };
    if (stats.isDirectory()) return { kind: "folder", physicalName, prefix: prefixOf(path) };
    return { kind: "refused", text: `${JSON.stringify(path)} is neither a folder nor a regular file.` };
  } catch (error) {
    return { kind: "refused", text: `${JSON.stringify(path)} cannot be searched: ${describeFileProblem(error)}.` };
  }
}

function prefixOf(path: string): string {
  const trimmed = path.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  if (trimmed === "." || trimmed === "") return path.startsWith("/") ? "/" : "";
  return `${trimmed}/`;
}

/** What stopped a search: the model's affair as a text, everything else is thrown. */
export function searchFailure(error: unknown, signal: AbortSignal, path = "."): ToolReturn {
  if (signal.aborted) throw error;
  if (error instanceof SlowPattern) return errorResult(error.message);
  return errorResult(`${JSON.stringify(path)} cannot be searched: ${describeFileProblem(error)}.`);
}
