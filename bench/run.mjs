// `npm run bench [-- names]`: nestcall beside its peers and the limits. Copies the scripts of bench/peers into the ignored
// folder bench/.peers, installs the peers and their pinned Node.js there, and runs the benchmarks with our adapter.
// BENCH_ROUNDS, BENCH_ONLY and BENCH_SECTIONS are handed on (bench/peers/README.md).
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const names = process.argv.slice(2);
const alone = ["files", "registry", "gateway", "trace", "otel"];
const known = ["nested-call", "record-cost", "mutation-queue", "batch", "codemode", ...alone];
for (const name of names) {
  if (known.includes(name)) continue;
  console.error(`There is no benchmark "${name}"; known are ${known.join(", ")}.`);
  process.exit(2);
}

function run(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (status !== 0) {
    console.error(`${command} ${args.join(" ")} failed with ${signal ?? `exit code ${status}`}.`);
    process.exit(status ?? 1);
  }
}

run(process.execPath, [here("../node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], { cwd: here("..") });
const wanted = names.length > 0 ? names : known;
for (const name of alone) if (wanted.includes(name)) run(process.execPath, [here(`${name}.mjs`)]);
const besidePeers = wanted.filter((name) => !alone.includes(name));
if (besidePeers.length === 0) process.exit();
mkdirSync(here(".peers"), { recursive: true });
cpSync(here("peers"), here(".peers"), { recursive: true });
const lock = readFileSync(here("peers/package-lock.json"), "utf8");
const installed = here(".peers/node_modules/.installed-lock");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
  // Forced: some peers ask for a newer Node.js than the one that installs; the pinned one runs them.
  run("npm", ["ci", "--force", "--no-audit", "--no-fund"], { cwd: here(".peers") });
  writeFileSync(installed, lock);
}

const contestants = "bare,floor,pi,candidate,limit: Map of chains, no realpath,pi agent loop,pi NestedCallRecorder";
const env = {
  BENCH_ONLY: `${contestants},pi whole call,limit: bounded walk,limit: bounded walk + await`,
  ...process.env,
};
for (const name of besidePeers) {
  console.log(`\n## ${name}`);
  const node = here(".peers/node_modules/.bin/node");
  const isCodemode = name === "codemode";
  const candidate = here(isCodemode ? "codemode-adapter.mjs" : "adapter.mjs");
  const args = isCodemode ? ["--peers", "pi,candidate"] : [];
  run(node, [here(`.peers/${name}.mjs`), ...args], { cwd: here(".peers"), env: { ...env, CANDIDATE: candidate } });
}
