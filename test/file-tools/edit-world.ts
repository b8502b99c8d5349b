// A fresh folder with an executor of the file tools in it, removed after the test.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createExecutor, type Executor, type RootCallOutcome } from "nestcall";
import { onTestFinished } from "vitest";
import { createFileTools, type FileTools, type FileToolsOptions } from "../../src/file-tools/index.js";

export interface EditWorld {
  /** Its physical name. */
  readonly folder: string;
  readonly tools: FileTools;
  readonly executor: Executor;
  path(name: string): string;
  /** Writes a file, and makes the folders above it; gives its absolute path. */
  put(name: string, content: string | Buffer): string;
  text(name: string): string;
  bytes(name: string): Buffer;
  call(name: "read" | "write" | "edit", args: object): Promise<RootCallOutcome>;
  /** One edit without `replaceAll`. */
  edit(path: string, oldText: string, newText: string): Promise<RootCallOutcome>;
}

export function editWorld(options: Partial<Omit<FileToolsOptions, "access">> = {}): EditWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "nestcall-edit-")));
  const tools = createFileTools({ cwd: folder, ...options });
  const executor = createExecutor({ tools: Object.values(tools) });
  onTestFinished(async () => {
    await executor.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string) => join(folder, name);
  const call = (name: string, args: object) => executor.executeTool(name, args);
  return {
    folder,
    tools,
    executor,
    path,
    put(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    text: (name) => readFileSync(path(name), "utf8"),
    bytes: (name) => readFileSync(path(name)),
    call,
    edit: (file, oldText, newText) => call("edit", { path: file, edits: [{ oldText, newText }] }),
  };
}
