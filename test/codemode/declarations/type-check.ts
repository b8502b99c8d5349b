// Asks the TypeScript compiler about many pieces of text in one run.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "ESNext",
    moduleDetection: "force",
    moduleResolution: "bundler",
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

export interface Piece {
  readonly declarations: string;
  /** Expressions, one statement each. */
  readonly statements: readonly string[];
  /** As a file without import or export, whose names meet those of the standard library. */
  readonly isScript?: boolean;
}
export interface Verdict {
  /** Errors in the declarations. */
  readonly errors: readonly string[];
  /** For each statement its first error, if it has one. */
  readonly statements: readonly (string | undefined)[];
}

/** Each piece alone in a file of its own. */
export async function typeCheck(pieces: readonly Piece[]): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), "nestcall-types-"));
  try {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
    await Promise.all(pieces.map((piece, index) => writeFile(join(folder, `p${index}.ts`), textOf(piece))));
    const scripts = pieces.some(({ isScript }) => isScript === true) ? ["--moduleDetection", "auto"] : [];
    return verdicts(pieces, await runCompiler(folder, scripts));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function textOf({ declarations, statements }: Piece): string {
  return `${declarations}\n${statements.map((statement) => `${statement};\n`).join("")}`;
}

function runCompiler(folder: string, more: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = [TSC, "-p", folder, "--pretty", "false", ...more];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      // 1 and 2 say that there are errors in the files, and which is read from the output.
      if (error !== null && error.code !== 1 && error.code !== 2)
        reject(new Error(`tsc failed: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

function verdicts(pieces: readonly Piece[], output: string): Verdict[] {
  const found = pieces.map(({ statements }) => ({
    errors: [] as string[],
    statements: statements.map((): string | undefined => undefined),
  }));
  for (const [, file, lineText, message = ""] of output.matchAll(/^p(\d+)\.ts\((\d+),\d+\): error (.*(?:\n +.*)*)/gm)) {
    const index = Number(file);
    const first = (pieces[index] as Piece).declarations.split("\n").length + 1; // the file is one that was written
    const statement = Number(lineText) - first;
    const verdict = found[index] as (typeof found)[number];
    if (statement < 0) verdict.errors.push(`${lineText}: ${message}`);
    else verdict.statements[statement] ??= message;
  }
  const rest = output.split("\n").filter((line) => line !== "" && !/^(?:p\d+\.ts\(| )/.test(line));
  if (rest.length > 0) throw new Error(`tsc said something unexpected: ${rest.slice(0, 5).join("\n")}`);
  return found;
}
