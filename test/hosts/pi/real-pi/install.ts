// Puts the real Pi into a cache folder, once for each lock file, and finds a Node.js that can run it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../../examples/built.js";
import { type Run, run } from "../../../examples/run.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const FILES = ["package.json", "package-lock.json"];
/** What npm prints when nobody answers. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT/;

/** The package registry cannot be reached, so the test cannot be made here. */
export class Unreachable extends Error {}

/** The folder that has Pi in its `node_modules`. */
export async function installPi(): Promise<string> {
  const lock = await readFile(join(here, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const cache = join(root, "node_modules", ".cache", "nestcall");
  const folder = join(cache, `real-pi-${key}`);
  if (existsSync(folder)) return folder;
  const fresh = join(cache, `real-pi-${key}-${process.pid}`);
  await mkdir(fresh, { recursive: true });
  try {
    for (const file of FILES) await copyFile(join(here, file), join(fresh, file));
    const flags = [
      "--ignore-scripts",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=1",
      "--loglevel=error",
    ];
    expectSuccess("npm ci", await run("npm", ["ci", ...flags], { cwd: fresh }));
    await rename(fresh, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // another run was faster
    });
    return folder;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Runs the session in Node.js 24, which this process need not be. */
export async function runSession(folder: string): Promise<unknown> {
  const script = [join(here, "session.mjs"), folder];
  const isNew = Number(process.versions.node.split(".")[0]) >= 24;
  const env = { NODE_NO_WARNINGS: "1", PI_OFFLINE: "1" };
  const made = isNew
    ? await run(process.execPath, script, { env })
    : await run("npx", ["-y", "node@24", ...script], { cwd: folder, env });
  expectSuccess("the session", made);
  return JSON.parse(made.stdout);
}

function expectSuccess(what: string, { exitCode, stderr, stdout }: Run): void {
  if (exitCode === 0) return;
  const text = `${what} ended with exit code ${exitCode}:\n${stderr}\n${stdout.slice(0, 2000)}`;
  const [code] = UNREACHABLE.exec(stderr) ?? [];
  throw code === undefined ? new Error(text) : new Unreachable(`${what} ended with ${code}`);
}
