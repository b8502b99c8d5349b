// DESIGN 2: imports go one way. Reads the import lines of src.
import { expect, test } from "vitest";
import { importsOf, readSource } from "../helpers/source-files.js";

/** What the files of a folder may import, besides those of their own folder. */
const ALLOWED: { readonly [folder: string]: readonly string[] } = {
  errors: [],
  records: ["errors"],
  "mutation-queue": ["errors"],
  tools: ["errors"],
  registry: ["errors", "records", "mutation-queue", "tools"],
  executor: ["errors", "records", "mutation-queue", "tools", "registry"],
  "file-tools": ["errors", "records", "mutation-queue", "tools", "registry", "executor"],
  codemode: ["errors", "records", "mutation-queue", "tools", "registry", "executor", "guards", "file-tools"],
  guards: ["errors", "records", "mutation-queue", "tools", "registry", "executor"],
  testing: ["errors", "records", "mutation-queue", "tools", "registry", "executor"],
  trace: ["errors", "records", "mutation-queue", "tools", "registry", "executor", "guards"],
  hosts: ["errors", "records", "mutation-queue", "tools", "registry", "executor", "guards", "file-tools", "codemode"],
  cli: ["errors", "records", "tools", "registry", "executor", "guards", "codemode", "hosts", "trace"],
};
/** The one step aside: a result says what usage is. */
const TYPES_ASIDE: readonly string[] = ["tools -> records/usage.ts"];
const PACKAGES = ["node:", "typebox", "p-limit", "abort-controller-x", "nanoid", "fs-native-extensions"];
/** Packages of other entries, and a peer that is only loaded when it is asked for. */
const PACKAGES_OF: { readonly [folder: string]: readonly string[] } = {
  cli: ["jiti"],
  codemode: ["quickjs-wasi", "sucrase"],
  "file-tools": ["diff", "ignore", "picomatch"],
  hosts: ["@modelcontextprotocol/client", "@modelcontextprotocol/node", "@modelcontextprotocol/server"],
  "mutation-queue": ["fs-native-extensions"],
  trace: ["get-east-asian-width", "@opentelemetry/api"],
};

const files = readSource();
const folderOf = (path: string) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");
const mayPullIn = (folder: string, target: string) =>
  PACKAGES.includes(target) || PACKAGES_OF[folder]?.includes(target) === true;
const isDoor = (path: string) => folderOf(path) === ""; // src/index.ts shows what is below it

test("2: every folder of src has a place in the order", () => {
  const folders = new Set(files.map(({ path }) => folderOf(path)).filter((folder) => folder !== ""));
  expect([...folders].filter((folder) => !(folder in ALLOWED))).toEqual([]);
});

test("2: no import points back or sideways", () => {
  const wrong: string[] = [];
  for (const { path, imports } of files) {
    const folder = folderOf(path);
    for (const { target, isPackage, isTypeOnly } of imports) {
      if (isPackage || isDoor(path) || folderOf(target) === folder) continue;
      const isAside = isTypeOnly && TYPES_ASIDE.includes(`${folder} -> ${target}`);
      if (!isAside && !ALLOWED[folder]?.includes(folderOf(target))) wrong.push(`${path} -> ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("2: every import leads to a file of src, or to a package that its folder may pull in", () => {
  const known = new Set(files.map(({ path }) => path));
  const wrong = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, isPackage }) => !(isPackage ? mayPullIn(folderOf(path), target) : known.has(target)))
      .map(({ target }) => `${path} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("2: no file imports itself over others, types aside", () => {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ isPackage, isTypeOnly }) => !isPackage && !isTypeOnly).map(({ target }) => target),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  expect(cycles).toEqual([]);
});

test("STYLE 3: no file of src has more than 400 lines", () => {
  expect(files.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test("STYLE 2: the main entry lists every public name", () => {
  const index = files.find(({ path }) => path === "index.ts");
  expect(index?.text).toMatch(/^export /m);
  expect(index?.text).not.toMatch(/export \*/);
});

test("STYLE 2: there are no default exports in src", () => {
  expect(files.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([]);
});

test("the reader of import lines finds every form of them", () => {
  const text = [
    'import { a, type B } from "../tools/tool.js";',
    'import {\n  type C,\n  type D,\n} from "./hook.js";',
    'import type { E } from "../records/usage.js";',
    'export { f } from "./ending.js";',
    'export type * from "../errors/text.js";',
    'import "node:fs";',
    'const g = () => import("p-limit");',
    'import { Value } from "typebox/value";',
  ].join("\n");
  expect(importsOf("executor/x.ts", text).map(({ target, isTypeOnly }) => `${target} ${isTypeOnly}`)).toEqual([
    "tools/tool.ts false",
    "executor/hook.ts true",
    "records/usage.ts true",
    "executor/ending.ts false",
    "errors/text.ts true",
    "typebox false",
    "node: false",
    "p-limit false",
  ]);
});
