// Picks command lines out of the added lines of a change: package scripts, shell files and workflows, and calls of a
// shell in code. It reads text only; whether a line is dangerous is for `dangerous_commands` to say.
import { basename } from "node:path";
import type { PatchFile } from "./patch.js";

export interface FoundCommand {
  readonly path: string;
  readonly command: string;
}

const SHELL_FILE = /(\.(sh|bash|zsh|ya?ml)|(^|\/)(Dockerfile|Makefile|Justfile)|(^|\/)\.(ci|husky)\/[^/]+)$/;
const CODE_FILE = /\.[cm]?[jt]sx?$/;
const STARTS_PROGRAM = /\b(exec|execSync|execFile|execFileSync|spawn|spawnSync|system)\(/;
const PROGRAM = /(^|[\s;&|"'`$(])(rm|git|curl|wget|sudo|chmod|chown|dd|mkfs\S*|eval|npm|npx|sh|bash)\s/;
const SCRIPT_LINE = /^\s*"[^"]+":\s*"((?:[^"\\]|\\.)*)",?\s*$/;

/** Each line once, in the order of the change. */
export function commandsOfChange(files: readonly PatchFile[]): readonly FoundCommand[] {
  const found = new Map<string, FoundCommand>();
  for (const { path, added } of files) {
    for (const line of added) {
      const command = commandOf(path, line);
      if (command !== undefined && !found.has(command)) found.set(command, { path, command });
    }
  }
  return [...found.values()];
}

function commandOf(path: string, line: string): string | undefined {
  if (basename(path) === "package.json") {
    const script = SCRIPT_LINE.exec(line)?.[1]?.replaceAll('\\"', '"') ?? "";
    return PROGRAM.test(script) ? script : undefined;
  }
  const text = line.trim();
  if (text.startsWith("#") || text.startsWith("//") || !PROGRAM.test(text)) return undefined;
  if (SHELL_FILE.test(path)) return text.replace(/^-?\s*run:\s*/, "");
  return CODE_FILE.test(path) && STARTS_PROGRAM.test(text) ? text : undefined;
}
