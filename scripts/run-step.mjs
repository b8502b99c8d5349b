// What the scripts beside this file share: running one program of the build, and refusing to start.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The TypeScript compiler, relative to the root. */
export const compiler = "node_modules/typescript/bin/tsc";

/**
 * Ends this process with a reason when a review runs it, which must not start itself or the whole check once more, and
 * when nothing is installed.
 */
export function refuseToStart() {
  if (process.env.NESTCALL_REVIEW) {
    console.error("A review of this repository is running; it must not start another review or the whole check.");
    process.exit(2);
  }
  if (!existsSync(new URL(`../${compiler}`, import.meta.url))) {
    console.error("The dependencies are not installed: run `npm ci` first.");
    process.exit(2);
  }
}

/**
 * Runs a program of Node.js in the repository's root, passes signals on to it, and waits for its end.
 *
 * @param {readonly string[]} command the program, relative to the root, and its arguments
 * @param {import("node:child_process").StdioOptions} [stdio]
 * @returns {Promise<number>} its exit code; 128 and the number of the signal that ended it
 */
export async function runNode(command, stdio = "inherit") {
  const child = spawn(process.execPath, command, { cwd: root, stdio });
  const signals = ["SIGINT", "SIGTERM"];
  const passOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}
