// `grep`: expressions, what is searched, context, cuts, and time (DESIGN 6).
import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../helpers/process.js";
import { type FileWorld, fileWorld, textOf, writeFiles } from "./file-world.js";

const grep = async (world: FileWorld, pattern: string, args: object = {}) =>
  textOf(await world.call("grep", { pattern, ...args }));

test("finds lines, by path and line, and gives them as data too", async () => {
  const world = fileWorld({ "b.ts": "one\ntwo\n", "a/c.ts": "two\r\nthree\ntwo" });
  const outcome = await world.call("grep", { pattern: "^two$" });
  expect(textOf(outcome)).toBe("a/c.ts:1: two\na/c.ts:3: two\nb.ts:2: two");
  const more = { before: [], after: [] };
  expect(outcome.result.structuredContent).toEqual({
    matches: [
      { path: "a/c.ts", line: 1, text: "two", ...more },
      { path: "a/c.ts", line: 3, text: "two", ...more },
      { path: "b.ts", line: 2, text: "two", ...more },
    ],
    truncated: false,
  });
  expect(await grep(world, "four")).toBe("(no match)");
});

test.each([
  ["a.c", {}, ["abc", "a.c", "ABC a.c"]],
  ["a.c", { literal: true }, ["a.c", "ABC a.c"]],
  ["abc", { ignoreCase: true }, ["abc", "ABC a.c"]],
  ["(?i)^abc", {}, ["abc", "ABC a.c"]],
  ["A.C", { literal: true, ignoreCase: true }, ["a.c", "ABC a.c"]],
  ["(x", { literal: true }, ["f(x)"]],
  ["f\\(\\-?x", {}, ["f(x)"]], // an escape that only the older rules allow
  ["^\\p{L}+$", {}, ["abc", "日本"]],
  ["^..$", {}, ["日本", "😀😀"]],
])("the pattern %s with %j", async (pattern, args, lines) => {
  const world = fileWorld({ f: "abc\na.c\nABC a.c\nf(x)\n日本\n😀😀\n" });
  const found = (await grep(world, pattern, args)).split("\n").map((line) => line.replace(/^f:\d+: /, ""));
  expect(found).toEqual(lines);
});

test("one file, a glob, ignored files, and what is no text", async () => {
  const world = fileWorld({
    "a.ts": "here",
    "a.js": "here",
    "src/b.ts": "here",
    "out/c.ts": "here",
    ".gitignore": "out\n",
    ".git/config": "here",
    binary: Buffer.from("here\0here"),
    latin1: Buffer.from("caf\xe9 here", "latin1"),
  });
  symlinkSync("a.ts", join(world.folder, "link"));
  execFileSync("mkfifo", [join(world.folder, "pipe")]); // opening it would wait for ever
  expect(await grep(world, "here")).toBe(
    "a.js:1: here\na.ts:1: here\nlatin1:1: caf\uFFFD here\nsrc/b.ts:1: here\n\n[1 file is no UTF-8 text, so not searched.]\n[1 entry is left out as .gitignore says.]",
  );
  expect(await grep(world, "here", { glob: "*.ts" })).toContain("a.ts:1: here\nsrc/b.ts:1: here");
  expect(await grep(world, "here", { glob: "src/**" })).toContain("src/b.ts:1: here\n\n[");
  expect(await grep(world, "here", { path: "out/c.ts" })).toBe("out/c.ts:1: here");
  expect(await grep(world, "here", { path: "src" })).toBe("src/b.ts:1: here");
});

test("context: parts that meet become one, parts and files are set apart", async () => {
  const world = fileWorld({ f: "1\n2\nx3\n4\nx5\n6\n7\n8\n9\nx10\n", g: "x1\n2\n" });
  expect(await grep(world, "x", { context: 1 })).toBe(
    "f-2- 2\nf:3: x3\nf-4- 4\nf:5: x5\nf-6- 6\n--\nf-9- 9\nf:10: x10\n--\ng:1: x1\ng-2- 2",
  );
});

test("a limit cuts the matches and says how to get more; exactly so many are not cut", async () => {
  const world = fileWorld({ f: "x\nx\nx\n" });
  const cut = await world.call("grep", { pattern: "x", limit: 2 });
  expect(textOf(cut)).toBe(
    "f:1: x\nf:2: x\n\n[Only the first 2 matches: the limit is 2; raise it, or narrow path, glob or pattern.]",
  );
  expect(cut.result.structuredContent).toMatchObject({ truncated: true });
  const whole = await world.call("grep", { pattern: "x", limit: 3 });
  expect(whole.result.structuredContent).toMatchObject({ truncated: false });
});

test("W5: a long line is cut around its match, between code points", async () => {
  const line = `${"😀".repeat(1_000)}needle${"😀".repeat(1_000)}`;
  const text = await grep(fileWorld({ f: line }), "needle");
  expect(text).toMatch(/^f:1: … (😀)+needle(😀)+ … \[3,50\d characters of this line are not shown\]$/u);
  expect(text.isWellFormed()).toBe(true);
});

test("W5: the whole result stays within what a model may get", async () => {
  const outcome = await fileWorld({ f: `${"x".repeat(400)}\n`.repeat(1_000) }).call("grep", {
    pattern: "x",
    limit: 1_000,
  });
  expect(Buffer.byteLength(textOf(outcome))).toBeLessThan(51 * 1_024);
  expect(textOf(outcome)).toContain("the text is full; narrow path, glob or pattern");
  expect(outcome.result.structuredContent).toMatchObject({ truncated: true });
});

test("lines that cross the blocks of a large file are whole, characters too", async () => {
  const line = `${"日".repeat(100)}\n`; // 301 bytes: the borders fall everywhere
  const world = fileWorld({ f: `${line.repeat(5_000)}last 日本` });
  expect(await grep(world, "^last 日本$")).toBe("f:5001: last 日本");
  expect(await grep(world, "\uFFFD")).toBe("(no match)");
});

test("a file with a line of more than a mebibyte is passed over, with a word", async () => {
  const world = fileWorld({ f: "x".repeat(3 * 1_024 * 1_024), g: "x" });
  expect(await grep(world, "x")).toBe("g:1: x\n\n[1 file has a line too long to be searched, such as f.]");
});

test("a bad expression is a text result with the reason", async () => {
  const outcome = await fileWorld().call("grep", { pattern: "a(" });
  expect(outcome.isError).toBe(true);
  expect(textOf(outcome)).toBe(
    'The expression "a(" cannot be used: /a(/: Unterminated group. For a plain text say literal: true.',
  );
});

test("an expression that never comes to an end is given up, and after three files the search", async () => {
  const bait = `${"a".repeat(60)}!\n`;
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}`, bait]));
  const outcome = await fileWorld({ ...files, ".a": "aaa\n" }).call("grep", { pattern: "^(a+)+$" });
  expect(textOf(outcome)).toMatch(/^\.a:1: aaa\n\n\[The expression takes too long to match in f0, f1, f2; /);
  expect(outcome.result.structuredContent).toMatchObject({ truncated: true });
  const nothing = await fileWorld({ f: bait }).call("grep", { pattern: "^(a+)+$" });
  expect(nothing.isError).toBe(true);
});

test("abort ends a search between two files", async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, "y\n"]));
  const controller = new AbortController();
  const outcome = fileWorld(files).call("grep", { pattern: "x" }, { signal: controller.signal });
  setImmediate(() => controller.abort());
  expect((await outcome).status).toBe("aborted");
});

test("E48: a link that leads out of the roots is refused, and not followed on the way", async () => {
  const outside = freshFolder();
  writeFiles(outside, { secret: "needle" });
  const world = fileWorld({ f: "needle" }, { roots: ["."] });
  symlinkSync(join(outside, "secret"), join(world.folder, "link"));
  symlinkSync(outside, join(world.folder, "folder"));
  expect(await grep(world, "needle")).toBe("f:1: needle");
  for (const path of ["link", "folder", "folder/secret"]) {
    expect(await grep(world, "needle", { path })).toContain("is refused: it leads outside");
  }
});

test("control characters of a file cannot reach a terminal or hide text", async () => {
  expect(await grep(fileWorld({ f: "a\u001b[8mx\u001b[0m\u202eb\n" }), "x")).toBe("f:1: ax\\u202eb");
});

test("what was given up on or could not be read makes the result truncated", async () => {
  const world = fileWorld({ f: `${"x".repeat(1_500_000)}needle${"x".repeat(1_500_000)}\n` });
  for (const args of [{}, { path: "f" }]) {
    const outcome = await world.call("grep", { pattern: "needle", ...args });
    expect(textOf(outcome)).toContain("[1 file has a line too long to be searched, such as f.]");
    expect(outcome.result.structuredContent).toEqual({ matches: [], truncated: true });
  }
});

// The one regular file that its owner, root too, may not read.
const WRITE_ONLY = "/proc/sys/vm/compact_memory";

test.runIf(existsSync(WRITE_ONLY))("files that may not be read are told", async () => {
  const world = fileWorld();
  const named = await world.call("grep", { pattern: "x", path: WRITE_ONLY });
  expect([named.isError, textOf(named)]).toEqual([true, `"${WRITE_ONLY}" cannot be searched: permission was denied.`]);
  const walk = await world.call("grep", { pattern: "no such text", path: "/proc/sys/vm", glob: "compact_memory" });
  expect(textOf(walk)).toBe(`(no match)\n\n[1 file could not be read, so not searched, such as ${WRITE_ONLY}.]`);
  expect(walk.result.structuredContent).toEqual({ matches: [], truncated: true });
});

test.each([
  ["NUL bytes", Buffer.from("here\0")],
  ["UTF-16", Buffer.from("\uFEFFhere", "utf16le")],
])("a file that was named and has %s is an error with the reason", async (reason, content) => {
  const outcome = await fileWorld({ f: content }).call("grep", { pattern: "here", path: "f" });
  expect(outcome.isError).toBe(true);
  expect(textOf(outcome)).toMatch(new RegExp(`^"f" cannot be searched: it .*${reason}`));
});

test("a lone CR in a line forges no further line", async () => {
  const outcome = await fileWorld({ f: "a\rg:1: needle\tb\r\nc\rd\n" }).call("grep", { pattern: "needle", context: 1 });
  expect(textOf(outcome)).toBe("f:1: a\\rg:1: needle\tb\nf-2- c\\rd");
  expect(outcome.result.structuredContent).toMatchObject({
    matches: [{ text: "a\\rg:1: needle\tb", after: ["c\\rd"] }],
  });
});

test("W5: the first match is shown, however large its context is", async () => {
  const long = `${"日".repeat(499)}\n`;
  const world = fileWorld({ f: `${long.repeat(25)}needle\n${long.repeat(25)}needle\n` });
  const outcome = await world.call("grep", { pattern: "needle", context: 20 });
  expect(textOf(outcome)).toContain("\nf:26: needle\n");
  expect(textOf(outcome)).toContain("[Only the first 1 match: the text is full");
  expect(textOf(outcome)).toContain("[The context of the first match is cut");
  expect(Buffer.byteLength(textOf(outcome))).toBeLessThan(51 * 1_024);
});
