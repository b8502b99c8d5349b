// What the system said about a file, in words for the model.
import type { ToolReturn } from "../tools/tool.js";

const PROBLEMS: { readonly [code: string]: string } = {
  EACCES: "permission was denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something of that name is already there",
  EFBIG: "the file would be too large for the disk",
  EISDIR: "it is a folder, not a file",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "there is no such file or folder",
  ENOSPC: "there is no space left on the device",
  ENOTDIR: "a part of the path is a file, not a folder",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
};

/** A half sentence, without a path: the model knows the path as it gave it. What the system did not say is thrown. */
export function describeFileProblem(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error; // a fault of ours or of the host
  return PROBLEMS[code] ?? `the system answered ${code}`;
}

/** A failure as the model reads it. */
export function errorResult(text: string): ToolReturn {
  return { content: [{ type: "text", text }], isError: true };
}
