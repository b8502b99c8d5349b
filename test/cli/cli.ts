// The built command as a child process, and configurations for it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../examples/built.js";
import { type Run, type RunOptions, runNode } from "../examples/run.js";
import { freshFolder } from "../helpers/process.js";

export const MAIN = join(root, "dist", "cli", "main.js");

/** Runs `nestcall`; nobody's configuration but that of the test is found. */
export function nestcall(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const folder = options.cwd ?? freshFolder();
  const env = { XDG_CONFIG_HOME: join(folder, "config"), HOME: folder, ...options.env };
  return runNode([MAIN, ...args], { ...options, cwd: folder, env });
}

/** A fresh folder with these files; what is no text becomes JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = freshFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
