// Reads the source of the package, for the tests of its structure.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

export interface ImportLine {
  /** What is imported: a file below `src`, as `tools/tool.ts`, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  /** Nothing of it is left when the types are gone. */
  readonly isTypeOnly: boolean;
}
export interface SourceFile {
  /** Below `src`, with slashes: `tools/tool.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly text: string;
  readonly imports: readonly ImportLine[];
}

/** Every file of `src`. */
export function readSource(): SourceFile[] {
  const source = join(ROOT, "src");
  const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.sort().map((name) => {
    const path = name.split(sep).join("/");
    const text = readFileSync(join(source, name), "utf8");
    return { path, text, lines: text.split("\n").length - 1, imports: importsOf(path, text) };
  });
}

const FROM = /^(?:import|export)\s+(type\s)?([^"';]*?)\s*from\s*"([^"]+)"/gm;
const BARE = /^import\s*"([^"]+)"/gm;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;

export function importsOf(path: string, text: string): ImportLine[] {
  const withNames = [...text.matchAll(FROM)].map(([, type, names = "", from = ""]) =>
    importOf(path, from, type !== undefined || hasTypesOnly(names)),
  );
  const others = [...text.matchAll(BARE), ...text.replace(COMMENT, "").matchAll(DYNAMIC)].map(([, from = ""]) =>
    importOf(path, from, false),
  );
  return [...withNames, ...others];
}

/** `{ type A, type B }` */
function hasTypesOnly(names: string): boolean {
  const inner = /^\{(.*)\}$/s.exec(names.trim())?.[1];
  if (inner === undefined) return false;
  const parts = inner.split(",").map((part) => part.trim());
  return parts.every((part) => part === "" || part.startsWith("type "));
}

function importOf(path: string, from: string, isTypeOnly: boolean): ImportLine {
  if (!from.startsWith(".")) return { target: packageOf(from), isPackage: true, isTypeOnly };
  const target = posix.join(posix.dirname(path), from).replace(/\.js$/, ".ts");
  return { target, isPackage: false, isTypeOnly };
}

function packageOf(from: string): string {
  if (from.startsWith("node:")) return "node:";
  return from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");
}
