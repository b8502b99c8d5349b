// A folder, the file tools for it, and short ways to call them, for the tests of bash, ls, find and grep.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createFileTools, type FileToolsOptions } from "../../src/file-tools/index.js";
import { createExecutor, type RootCallOptions, type RootCallOutcome } from "../../src/index.js";
import { freshFolder } from "../helpers/process.js";

export interface FileWorld {
  readonly folder: string;
  readonly outputFolder: string;
  call(name: string, args: object, options?: RootCallOptions): Promise<RootCallOutcome>;
}

/** The executor is closed when the test has ended. */
export function fileWorld(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: Partial<FileToolsOptions> = {},
): FileWorld {
  const folder = freshFolder();
  writeFiles(folder, files);
  const outputFolder = join(freshFolder(), "outputs");
  const tools = createFileTools({ cwd: folder, outputFolder, ...options, access: "write" });
  const executor = createExecutor({
    cwd: folder,
    tools: Object.values(tools),
    limits: { abortGraceMs: 5_000 }, // on a busy machine too, a stopped command may say how it ended
  });
  onTestFinished(() => executor.close());
  return { folder, outputFolder, call: (name, args, more) => executor.executeTool(name, args, more) };
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function textOf({ result }: RootCallOutcome): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}

/** Whether a process still runs; one that is dead and not collected yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
