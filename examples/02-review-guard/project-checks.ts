// Finds out how a project checks itself: its type check, its tests, and a form of its tests that a program can read.
// Nothing else of the project is ever run.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One program to run in the project's folder. With `shell`, `command` is a whole line for the system's shell. */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}
interface CheckStep extends Command {
  readonly name: "types" | "tests";
}
export interface ProjectChecks {
  /** The name in its package.json. */
  readonly projectName?: string;
  readonly steps: readonly CheckStep[];
  /** Runs the tests once more and writes what they gave to `file`; absent where the runner is none that we can read. */
  readonly reporter?: { readonly kind: "vitest" | "node:test"; command(file: string): Command };
  /** What a reader of the review should know about these checks. */
  readonly notes: readonly string[];
}

interface Manifest {
  readonly name?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
}

const TYPE_SCRIPTS = ["types", "typecheck", "type-check", "check-types", "check:types", "tsc"];
const NODE_TEST = /\bnode\b[^&|;]*?\s--test(?=\s|$)/;
const VITEST_LAST = /\bvitest\b[^&|;]*$/;
const nodeReporter = fileURLToPath(new URL("./node-test-reporter.js", import.meta.url));

export async function findProjectChecks(folder: string, changedFiles: readonly string[]): Promise<ProjectChecks> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return { steps: [], notes: ["There is no readable package.json, so no check was run."] };
  const script = (name: string) => (typeof manifest.scripts?.[name] === "string" ? manifest.scripts[name] : undefined);
  const types = typeCheck(
    folder,
    TYPE_SCRIPTS.find((name) => script(name) !== undefined),
  );
  const tests = manifest.name === "nestcall" ? ownTests(folder, changedFiles) : projectTests(folder, script("test"));
  return {
    ...(typeof manifest.name === "string" ? { projectName: manifest.name } : {}),
    steps: [types, tests.step].filter((step) => step !== undefined),
    ...(tests.reporter === undefined ? {} : { reporter: tests.reporter }),
    notes: [...(types === undefined ? ["The project has no type check."] : []), ...tests.notes],
  };
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return typeof manifest === "object" && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function typeCheck(folder: string, script: string | undefined): CheckStep | undefined {
  if (script !== undefined) return { name: "types", ...npmRun(script) };
  const compiler = findPackageFile(folder, "typescript/bin/tsc");
  if (compiler === undefined || !existsSync(join(folder, "tsconfig.json"))) return undefined;
  return { name: "types", command: process.execPath, args: [compiler, "--noEmit"] };
}

interface Tests {
  readonly step?: CheckStep;
  readonly reporter?: NonNullable<ProjectChecks["reporter"]>;
  readonly notes: readonly string[];
}

function projectTests(folder: string, script: string | undefined): Tests {
  if (script === undefined || script.includes("no test specified")) return { notes: ["The project has no tests."] };
  const step: CheckStep = { name: "tests", ...npmRun("test") };
  const inShell = (line: string): Command => ({ command: line, args: [], shell: true, env: shellPath(folder) });
  if (VITEST_LAST.test(script)) {
    const command = (file: string) => inShell(`${script} ${vitestOptions(file).map(quote).join(" ")}`);
    return { step, reporter: { kind: "vitest", command }, notes: [] };
  }
  if (NODE_TEST.test(script)) {
    const plain = script.replaceAll(/\s--test-reporter(-destination)?[=\s]\S+/g, "");
    const options = (file: string) => [`--test-reporter=${nodeReporter}`, `--test-reporter-destination=${file}`];
    const command = (file: string) =>
      inShell(plain.replace(NODE_TEST, (found) => `${found} ${options(file).map(quote).join(" ")}`));
    return { step, reporter: { kind: "node:test", command }, notes: [] };
  }
  return { step, notes: ["The test script runs neither vitest nor node --test, so single failures are not listed."] };
}

/** This package's own `npm test` runs this review; a bounded part of its unit tests stands in for it. */
const ALWAYS = ["test/acceptance/engine/ids.test.ts", "test/acceptance/engine/batch.test.ts"];
const MAX_TEST_FILES = 8;

function ownTests(folder: string, changedFiles: readonly string[]): Tests {
  const runner = findPackageFile(folder, "vitest/vitest.mjs");
  if (runner === undefined) return { notes: ["vitest is not installed, so no test was run."] };
  const touched = changedFiles
    .map((path) => path.replace(/^src\/(.+)\.ts$/, "test/$1.test.ts"))
    .filter((path) => /^test\/(?!examples\/|package\/).+\.test\.ts$/.test(path) && existsSync(join(folder, path)));
  const files = [...new Set([...ALWAYS.filter((path) => existsSync(join(folder, path))), ...touched])].slice(
    0,
    MAX_TEST_FILES,
  );
  if (files.length === 0) return { notes: ["None of the quick tests is there, so no test was run."] };
  const run = (more: readonly string[]): Command => ({
    command: process.execPath,
    args: [runner, "run", ...more, ...files],
  });
  return {
    step: { name: "tests", ...run([]) },
    reporter: { kind: "vitest", command: (file) => run(vitestOptions(file)) },
    notes: [
      `Of this package's own tests only ${files.length} files ran (npm test would run this review again): ${files.join(", ")}`,
    ],
  };
}

const vitestOptions = (file: string) => ["--reporter=json", `--outputFile=${file}`];

function npmRun(script: string): Command {
  return { command: "npm", args: ["run", "--silent", script], shell: process.platform === "win32" };
}

/** The folders that npm puts in front of PATH for a script, as far as this project needs them. */
function shellPath(folder: string): Record<string, string> {
  const bins = [join(folder, "node_modules", ".bin"), dirname(process.execPath)];
  return { PATH: [...bins, process.env.PATH ?? ""].join(delimiter) };
}

function quote(text: string): string {
  return process.platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A file of an installed package, looked for as Node.js does: here, then in every folder above. */
function findPackageFile(folder: string, path: string): string | undefined {
  const file = join(folder, "node_modules", path);
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findPackageFile(above, path);
}
