import { createBashTool } from "./bash-tool.js";
import { createEditTool } from "./edit-tool.js";
import { checkFileToolOptions, type FileToolsOptions } from "./file-tool-options.js";
import { createFindTool } from "./find-tool.js";
import { createGrepTool } from "./grep-tool.js";
import { createLsTool } from "./ls-tool.js";
import { createReadTool } from "./read-tool.js";
import { createWriteTool } from "./write-tool.js";

/** The tools that change nothing. */
export interface ReadingFileTools {
  readonly read: ReturnType<typeof createReadTool>;
  readonly ls: ReturnType<typeof createLsTool>;
  readonly find: ReturnType<typeof createFindTool>;
  readonly grep: ReturnType<typeof createGrepTool>;
}
/** Every file tool, by its name. */
export interface FileTools extends ReadingFileTools {
  readonly write: ReturnType<typeof createWriteTool>;
  readonly edit: ReturnType<typeof createEditTool>;
  readonly bash: ReturnType<typeof createBashTool>;
}

/**
 * Makes the file tools for one folder. Hand all of them to an executor with `tools: Object.values(fileTools)`.
 *
 * `write` and `edit` declare the file that they change, so calls of one file take turns, whatever tool or script makes
 * them; `bash` declares nothing. What a call asks for and does not get (a refused path, a missing file, an edit that does
 * not fit) is a text result with `isError`, which names the path as given.
 *
 * @returns With `access: "read"` no tool that can change something: neither `write` and `edit` nor `bash`.
 * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted.
 */
export function createFileTools(options: FileToolsOptions & { readonly access: "read" }): ReadingFileTools;
export function createFileTools(options: FileToolsOptions & { readonly access?: "write" | undefined }): FileTools;
export function createFileTools(options: FileToolsOptions): ReadingFileTools & Partial<FileTools>;
export function createFileTools(given: FileToolsOptions): ReadingFileTools & Partial<FileTools> {
  const options = checkFileToolOptions(given);
  const reading: ReadingFileTools = {
    read: createReadTool(options),
    ls: createLsTool(options),
    find: createFindTool(options),
    grep: createGrepTool(options),
  };
  if (options.access === "read") return Object.freeze(reading);
  return Object.freeze({
    ...reading,
    write: createWriteTool(options),
    edit: createEditTool(options),
    bash: createBashTool(options),
  });
}
