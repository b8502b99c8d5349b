// `npm run bench -- files`, or `node bench/files.mjs [cross-process]` after a build: turns on files beside what users would
// take otherwise. Every round runs every contestant once, in a rotated order; a ratio is taken inside a round, so a busy
// moment of the machine hits both. BENCH_ROUNDS (default 41) sets the number of rounds.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExecutor, createFileMutationQueue } from "nestcall";
import { createFileTools } from "nestcall/file-tools";
import lockfile from "proper-lockfile";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const parts = { "cross-process": crossProcess, edit };
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  if (parts[name] === undefined) {
    console.error(`There is no part "${name}"; known are ${Object.keys(parts).join(", ")}.`);
    process.exit(2);
  }
  await parts[name]();
}

/** One turn on one file that nobody else wants: the cross-process queue beside `proper-lockfile` (at most 0.3 of it). */
async function crossProcess() {
  const folder = mkdtempSync(join(tmpdir(), "nestcall-bench-"));
  mkdirSync(join(folder, "project", "src"), { recursive: true });
  const file = join(folder, "project", "src", "file.txt");
  writeFileSync(file, "text");
  const across = createFileMutationQueue({ crossProcess: true }).withFileMutationQueue;
  const ordinary = createFileMutationQueue().withFileMutationQueue;
  const times = await interleaved(
    {
      "proper-lockfile": async () => (await lockfile.lock(file))(),
      "nestcall, crossProcess": () => across(file, () => {}),
      "nestcall, one process": () => ordinary(file, () => {}),
    },
    100,
  );
  printTable("cross-process: a turn on one file", times, "proper-lockfile", { "nestcall, crossProcess": 0.3 });
  rmSync(folder, { recursive: true });
}

/** One edit of a source file: the tool in the engine beside the same work done by hand (at most 1.3 of it). */
async function edit() {
  const folder = mkdtempSync(join(tmpdir(), "nestcall-bench-"));
  const names = ["by hand", "nestcall, edit"];
  for (const name of names)
    writeFileSync(join(folder, `${name}.ts`), "export const answer = 41;\n".repeat(1_000).concat("const last = 1;\n"));
  const executor = createExecutor({ tools: Object.values(createFileTools({ cwd: folder })) });
  const texts = Object.fromEntries(names.map((name) => [name, ["const last = 1;", "const last = 2;"]]));
  const byTool = async (name, oldText, newText) => {
    const outcome = await executor.executeTool("edit", { path: `${name}.ts`, edits: [{ oldText, newText }] });
    if (outcome.isError) throw new Error(outcome.error.message);
  };
  const contestant = (name, run) => async () => {
    await run(name, ...texts[name]);
    texts[name].reverse();
  };
  const times = await interleaved(
    {
      "by hand": contestant("by hand", (name, ...change) => editByHand(join(folder, `${name}.ts`), ...change)),
      "nestcall, edit": contestant("nestcall, edit", byTool),
    },
    20,
  );
  printTable("edit: one place in a file of 26 KB", times, "by hand", { "nestcall, edit": 1.3 });
  await executor.close();
  rmSync(folder, { recursive: true });
}

/** Read, replace, temporary file, flush, rename: no check of the path, no turns, no mode, no diff. */
async function editByHand(path, oldText, newText) {
  const text = await readFile(path, "utf8");
  if (text.split(oldText).length !== 2) throw new Error("not found once");
  const temporary = `${path}.${process.pid}.tmp`;
  const handle = await open(temporary, "wx");
  try {
    await handle.writeFile(text.replace(oldText, () => newText));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}

/** Microseconds per operation, one figure for each round, by contestant. */
async function interleaved(contestants, operations) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -5; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length * 5) % names.length];
      const startedAt = performance.now();
      for (let count = 0; count < operations; count += 1) await contestants[name]();
      const microseconds = ((performance.now() - startedAt) * 1000) / operations;
      if (round >= 0) times[name].push(microseconds); // the rounds before warm up
    }
  }
  return times;
}

function printTable(title, times, reference, targets) {
  console.log(`\n${title} (${ROUNDS} rounds, Node ${process.version})`);
  console.log("| contestant | median µs | ratio | target |\n|---|---|---|---|");
  for (const [name, figures] of Object.entries(times)) {
    const ratio = median(figures.map((figure, round) => figure / times[reference][round])).toFixed(2);
    console.log(`| ${name} | ${median(figures).toFixed(0)} | ${ratio} | ${targets[name] ?? ""} |`);
  }
}

function median(figures) {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
