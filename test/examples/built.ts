// The built package and examples, for tests that run them as a user would. Builds what is missing or older than its
// source; test files that run at the same time take turns.
import { execFile } from "node:child_process";
import { mkdir, readdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const example = (name: string) => join(root, "build", "examples", name);

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const builds = [
  { project: "tsconfig.build.json", source: "src", output: "dist" },
  { project: "examples/tsconfig.json", source: "examples", output: "build/examples" },
];

/** Builds everything, or only the named projects. */
export async function ensureBuilt(only?: readonly string[]): Promise<void> {
  const lock = join(root, "node_modules", ".nestcall-test-build");
  const giveUpAt = Date.now() + 60_000; // a lock that a killed run left behind
  while (
    !(await mkdir(lock).then(
      () => true,
      () => false,
    )) &&
    Date.now() < giveUpAt
  )
    await sleep(100);
  try {
    for (const { project, source, output } of builds) {
      if (only?.includes(project) === false) continue;
      const [written, built] = [await newest(join(root, source), ".ts"), await newest(join(root, output), ".js")];
      if (written >= built) await promisify(execFile)(process.execPath, [compiler, "-p", project], { cwd: root });
    }
  } finally {
    await rmdir(lock).catch(() => {});
  }
}

async function newest(folder: string, ending: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(ending));
  return Math.max(0, ...(await Promise.all(files.map(async (name) => (await stat(join(folder, name))).mtimeMs))));
}
