// `find`: globs, ignore files at every level, links, and bounds (DESIGN 6).
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../helpers/process.js";
import { type FileWorld, fileWorld, textOf, writeFiles } from "./file-world.js";

const find = async (world: FileWorld, pattern: string, args: object = {}) =>
  ((await world.call("find", { pattern, ...args })).result.structuredContent as { paths: string[] } | undefined)?.paths;

const TREE = {
  "a.ts": "",
  "b.js": "",
  "src/c.ts": "",
  "src/deep/d.ts": "",
  "src/.hidden.ts": "",
  "test/c.test.ts": "",
};

test.each([
  ["*.ts", ["a.ts", "src/.hidden.ts", "src/c.ts", "src/deep/d.ts", "test/c.test.ts"]],
  ["src/*.ts", ["src/.hidden.ts", "src/c.ts"]],
  ["src/**/*.ts", ["src/.hidden.ts", "src/c.ts", "src/deep/d.ts"]],
  ["./src/**/d.{ts,js}", ["src/deep/d.ts"]],
  ["**/deep", ["src/deep/"]],
  ["[ab].?s", ["a.ts", "b.js"]],
  ["src/", ["src/"]],
  ["a.ts/", []],
  [
    "*",
    ["a.ts", "b.js", "src/", "src/.hidden.ts", "src/c.ts", "src/deep/", "src/deep/d.ts", "test/", "test/c.test.ts"],
  ],
])("the glob %s", async (pattern, paths) => {
  expect(await find(fileWorld(TREE), pattern)).toEqual(paths);
});

test("paths are such as the other tools take", async () => {
  const world = fileWorld(TREE);
  expect(await find(world, "d.ts", { path: "src" })).toEqual(["src/deep/d.ts"]);
  expect(await find(world, "deep/*", { path: "./src/" })).toEqual(["src/deep/d.ts"]);
  expect(await find(world, "d.ts", { path: join(world.folder, "src") })).toEqual([`${world.folder}/src/deep/d.ts`]);
});

test("the order is that of the paths, whatever the folders are called", async () => {
  const paths = await find(fileWorld({ "a/x": "", "a.b": "", "a-b": "", a0: "", "B/y": "" }), "*");
  expect(paths).toEqual(["B/", "B/y", "a-b", "a.b", "a/", "a/x", "a0"]);
});

test(".gitignore: negation, anchors, folders, nested files, and nearer ones win", async () => {
  const world = fileWorld({
    ".gitignore": "*.log\n!keep.log\n/only-top\nbuild/\n",
    "x.log": "",
    "keep.log": "",
    "only-top": "",
    "build/a": "",
    "src/only-top": "",
    "src/build": "a file, and the pattern is about folders",
    "src/.gitignore": "!x.log\nkeep.log\n/gen\n",
    "src/x.log": "",
    "src/y.log": "",
    "src/keep.log": "",
    "src/gen/z": "",
    "src/deep/gen": "",
  });
  expect(await find(world, "*")).toEqual(
    [
      ".gitignore",
      "keep.log",
      "src/",
      "src/.gitignore",
      "src/build",
      "src/deep/",
      "src/deep/gen",
      "src/only-top",
      "src/x.log",
    ].toSorted(),
  );
});

test(".gitignore: files above the folder count, up to the top of the repository; a repository inside begins anew", async () => {
  const outer = freshFolder();
  writeFiles(outer, { ".gitignore": "*.a\n", "repo/.git/HEAD": "", "repo/.gitignore": "*.b\n" });
  writeFiles(outer, {
    "repo/src/x.a": "",
    "repo/src/x.b": "",
    "repo/src/sub/.git": "gitdir: elsewhere",
    "repo/src/sub/x.b": "",
  });
  const world = fileWorld({}, { cwd: join(outer, "repo", "src") });
  expect(await find(world, "x.*")).toEqual(["sub/x.b", "x.a"]);
});

test(".gitignore: outside of a repository, files from cwd down count", async () => {
  const world = fileWorld({ ".gitignore": "src/gen\n", "src/gen/a": "", "src/b": "" });
  expect(await find(world, "*", { path: "src" })).toEqual(["src/b"]);
  expect(await find(world, "*", { path: "src/gen" })).toEqual(["src/gen/a"]); // who names it wants to see it
});

test("links are shown and never followed: no way out of the roots, no loop", async () => {
  const outside = freshFolder();
  writeFiles(outside, { secret: "" });
  const world = fileWorld({ "in/x": "" }, { roots: ["."] });
  symlinkSync(outside, join(world.folder, "in", "out"));
  symlinkSync("..", join(world.folder, "in", "loop"));
  symlinkSync("nowhere", join(world.folder, "in", "dangling"));
  expect(await find(world, "*")).toEqual(["in/", "in/dangling", "in/loop", "in/out", "in/x"]);
  expect(textOf(await world.call("find", { pattern: "*", path: "in/out" }))).toContain("is refused");
});

test("a limit cuts the list and says how to get more; exactly so many are not cut", async () => {
  const world = fileWorld({ a: "", b: "", c: "" });
  const cut = await world.call("find", { pattern: "*", limit: 2 });
  expect(textOf(cut)).toBe("a\nb\n\n[The first 2 paths; raise limit, or narrow path or pattern, for more.]");
  expect(cut.result.structuredContent).toEqual({ paths: ["a", "b"], truncated: true });
  const whole = await world.call("find", { pattern: "*", limit: 3 });
  expect(whole.result.structuredContent).toEqual({ paths: ["a", "b", "c"], truncated: false });
  expect(textOf(await world.call("find", { pattern: "z" }))).toBe("(nothing found)");
});

test("W5: a long list is cut for the model, at a line, and complete in the data", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `${"n".repeat(100)}${String(index).padStart(4, "0")}`);
  const outcome = await fileWorld(Object.fromEntries(names.map((name) => [name, ""]))).call("find", { pattern: "*" });
  expect(outcome.result.structuredContent).toEqual({ paths: names, truncated: false });
  expect(textOf(outcome)).toMatch(/^n+0000\n.*n\d{4}\n\n\[\d+ lines \([\d,]+ bytes\) not shown; ask for less/s);
});

test.each([
  ["[z-a]", "cannot be read"],
  ["*.{ts", "cannot be read"],
  ["/etc/*", "must not begin with /"],
  ["../*", "must not have .."],
])("the bad glob %s is a text result with the reason", async (pattern, reason) => {
  const outcome = await fileWorld().call("find", { pattern });
  expect(outcome.isError).toBe(true);
  expect(textOf(outcome)).toContain(`The glob ${JSON.stringify(pattern)} cannot be used: `);
  expect(textOf(outcome)).toContain(reason);
});

test("a glob and an ignore file that never come to an end are given up", async () => {
  const name = "a".repeat(200);
  const slow = `${"*a".repeat(12)}b`;
  const glob = await fileWorld({ [name]: "" }).call("find", { pattern: slow });
  expect([glob.isError, textOf(glob)]).toEqual([true, "The glob takes too long to match; use a simpler one."]);
  const deep = { [`${"a/".repeat(60)}c`]: "", ".gitignore": `${"**/a/".repeat(13)}b\n` };
  const ignored = await fileWorld(deep).call("find", { pattern: "*" });
  expect(ignored.isError).toBe(true);
  expect(textOf(ignored)).toMatch(/^A pattern of the \.gitignore files above a\/.* takes too long to match\.$/);
});

test("a folder that may not be read does not end the search", async () => {
  const world = fileWorld({ "a/x": "", "b/y": "" });
  mkdirSync(join(world.folder, "c"), { mode: 0 });
  const paths = await find(world, "*");
  expect(paths).toEqual(["a/", "a/x", "b/", "b/y", "c/"]);
});

test("abort ends a long walk", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index}/f`, ""]));
  const controller = new AbortController();
  const outcome = fileWorld(files).call("find", { pattern: "*" }, { signal: controller.signal });
  setImmediate(() => controller.abort());
  expect((await outcome).status).toBe("aborted");
});

test("a nested .gitignore that lets a folder through lets through what is in it", async () => {
  const world = fileWorld({
    ".gitignore": "keep/\nk [1]/\n*.log\n",
    "sub/.gitignore": "!keep/\n!k ?1]/\n",
    "sub/keep/a.txt": "",
    "sub/keep/deep/b.txt": "",
    "sub/keep/deep/keep/c.txt": "",
    "sub/keep/d.log": "",
    "sub/k [1]/e.txt": "",
    "keep/f.txt": "",
    "other/keep/g.txt": "",
  });
  const files = ["sub/keep/a.txt", "sub/keep/deep/b.txt", "sub/keep/deep/keep/c.txt"];
  expect(await find(world, "*.txt")).toEqual(["sub/k [1]/e.txt", ...files].sort());
  expect(await find(world, "*", { path: "sub/keep/deep" })).toEqual([
    "sub/keep/deep/b.txt",
    "sub/keep/deep/keep/",
    "sub/keep/deep/keep/c.txt",
  ]);
  expect(textOf(await world.call("ls", { path: "sub/keep" }))).toContain("a.txt");
  expect(await find(world, "*.log")).toEqual([]);
});
