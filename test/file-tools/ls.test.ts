// `ls`: one folder, in order, without what git ignores (DESIGN 6).
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileTools } from "../../src/file-tools/index.js";
import { freshFolder } from "../helpers/process.js";
import { fileWorld, textOf, writeFiles } from "./file-world.js";

test("lists sorted, marks folders, links and the like, and leaves out .git and what is ignored", async () => {
  const world = fileWorld({
    "b.txt": "",
    "a/x": "",
    "a.txt": "",
    ".env": "",
    "out/x": "",
    ".gitignore": "out\n",
    ".git/HEAD": "",
  });
  symlinkSync("a.txt", join(world.folder, "link"));
  execFileSync("mkfifo", [join(world.folder, "pipe")]);
  const outcome = await world.call("ls", {});
  expect(textOf(outcome)).toBe(
    ".env\n.gitignore\na.txt\na/\nb.txt\nlink@\npipe?\n\n[1 entry is left out as .gitignore says.]",
  );
  expect(outcome.result.structuredContent).toMatchObject({ total: 7, truncated: false });
  expect(outcome.result.structuredContent).toHaveProperty("entries.3", { name: "a", type: "folder" });
});

test("a limit cuts the list and says how to get more", async () => {
  const world = fileWorld({ a: "", b: "", c: "" });
  const outcome = await world.call("ls", { limit: 2 });
  expect(textOf(outcome)).toBe("a\nb\n\n[The first 2 of 3 entries; raise limit for more.]");
  expect(outcome.result.structuredContent).toMatchObject({ total: 3, truncated: true });
});

test("an empty folder, a file, and what is not there", async () => {
  const world = fileWorld({ file: "" });
  mkdirSync(join(world.folder, "empty"));
  expect(textOf(await world.call("ls", { path: "empty" }))).toBe("(no entries)");
  const file = await world.call("ls", { path: "file" });
  expect([file.isError, textOf(file)]).toEqual([true, '"file" is a file, not a folder.']);
  const missing = await world.call("ls", { path: "no" });
  expect([missing.isError, textOf(missing)]).toEqual([
    true,
    '"no" cannot be searched: there is no such file or folder.',
  ]);
});

test("an ignored folder that is named is listed", async () => {
  const world = fileWorld({ ".gitignore": "node_modules\n", "node_modules/left/index.js": "" });
  expect(textOf(await world.call("ls", { path: "node_modules/left" }))).toBe("index.js");
  expect(textOf(await world.call("ls", { path: "node_modules" }))).toBe("left/");
});

test("E48: what leads out of the roots is refused", async () => {
  const outside = freshFolder();
  writeFiles(outside, { secret: "" });
  const world = fileWorld({ "in/x": "" });
  const confined = fileWorld({ "in/x": "" }, { roots: ["."] });
  symlinkSync(outside, join(confined.folder, "out"));
  for (const path of ["out", "..", outside, "in/../.."]) {
    const outcome = await confined.call("ls", { path });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain("is refused: it leads outside");
  }
  expect(textOf(await confined.call("ls", { path: "in" }))).toBe("x");
  expect(textOf(await world.call("ls", { path: outside }))).toBe("secret"); // without roots nothing is refused
});

test("names cannot break the list or hide in it", async () => {
  const world = fileWorld({ "a\nb": "", "c\u001b[31m": "", "d\u202e": "" });
  expect(textOf(await world.call("ls", {}))).toBe("a\\nb\nc\nd\\u202e");
});

test("the searching tools are read-only", () => {
  const { ls, find, grep } = createFileTools({ cwd: "/", access: "read" });
  for (const { annotations } of [ls, find, grep]) expect(annotations.readOnlyHint).toBe(true);
});
