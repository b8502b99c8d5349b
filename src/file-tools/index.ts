export { createFileTools, type FileTools, type ReadingFileTools } from "./create-file-tools.js";
export type { FileToolsOptions } from "./file-tool-options.js";
