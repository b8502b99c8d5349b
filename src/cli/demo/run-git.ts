// git, read-only: nothing that a repository or a user has configured is run.
import { execFile } from "node:child_process";

const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotePath=false",
  "log.showSignature=false",
];
const SAFE = ["--no-pager", ...SETTINGS.flatMap((setting) => ["-c", setting])];
const MAX_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 10_000;

/** What git prints. @throws Error when it fails, is not there, or prints more than 4 MiB. */
export function runGit(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const options = { cwd: folder, signal, env, maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS, encoding: "utf8" } as const;
  return new Promise((resolve, reject) => {
    execFile("git", [...SAFE, ...args], options, (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
  });
}
