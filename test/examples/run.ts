// Runs programs for the tests of the examples: as children, with what they print, in folders that vanish again.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (child: ChildProcess) => unknown;
}

export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const env = { ...process.env, NESTCALL_REVIEW: "", ...options.env };
  const child = spawn(command, args, { cwd: options.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  options.onStart?.(child);
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

export const runNode = (args: readonly string[], options?: RunOptions) => run(process.execPath, args, options);

/** Runs git, which must succeed, as somebody whom no configuration has to name. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"];
  const { exitCode, stdout, stderr } = await run("git", [...who, ...args], { cwd });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** A folder that is removed when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "nestcall-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
