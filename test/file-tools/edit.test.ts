// W2, and what an edit says when it fails.
import { readdirSync } from "node:fs";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { textOf } from "../helpers/engine.js";
import { type EditWorld, editWorld } from "./edit-world.js";

/** Makes the edits in a file of that content; gives the text of the result, and checks what an error left. */
async function edited(
  content: string | Buffer,
  edits: object[],
): Promise<{ text: string; file: string; world: EditWorld }> {
  const world = editWorld();
  world.put("a.txt", content);
  const outcome = await world.call("edit", { path: "a.txt", edits });
  if (outcome.isError) {
    expect(outcome.error?.code).toBe("TOOL_FAILED");
    expect(textOf(outcome)).toContain('"a.txt"');
    expect(world.bytes("a.txt")).toEqual(Buffer.from(content));
  } else {
    const { diff } = outcome.result.details as { diff: string };
    const plain = (text: string) => text.replace(/^\uFEFF/, "");
    const lf = { autoConvertLineEndings: false };
    expect(applyPatch(plain(Buffer.from(content).toString()), diff, lf)).toBe(plain(world.text("a.txt")));
  }
  expect(readdirSync(world.folder)).toEqual(["a.txt"]);
  return { text: textOf(outcome), file: world.text("a.txt"), world };
}

const one = (oldText: string, newText: string, more: object = {}) => [{ oldText, newText, ...more }];

test("W2: several edits are matched against the file as it was, in any order", async () => {
  const edits = [...one("three", "one"), ...one("one", "three"), ...one("two\n", "")];
  const { file, text } = await edited("one\ntwo\nthree\n", edits);
  expect(file).toBe("three\none\n");
  expect(text).toBe('Edited "a.txt": 3 places, the first in line 1.');
});

test("W2: the result is data, with a diff and the first changed line for the host", async () => {
  const world = editWorld();
  world.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
  const outcome = await world.edit("a.txt", "5\n6\n", "5\nsix\n");
  expect(outcome.result.structuredContent).toEqual({ replacements: 1, firstChangedLine: 6 });
  expect(outcome.result.details).toEqual({
    diff: "--- a/a.txt\n+++ b/a.txt\n@@ -3,6 +3,6 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n",
    firstChangedLine: 6,
  });
});

test("W2: an edit that fails keeps the others from being written, and every failure is told", async () => {
  const edits = [...one("one", "1"), ...one("missing", "2"), ...one("o", "0")];
  const { text } = await edited("one\ntwo\n", edits);
  expect(text).not.toContain("edits[0]");
  expect(text).toContain("edits[1]: oldText is not found.");
  expect(text).toContain("edits[2]: oldText is found 2 times, in lines 1 and 2.");
});

test("W2: occurrences that overlap count", async () => {
  expect((await edited("aaa\n", one("aa", "b"))).text).toContain("found 2 times, in line 1.");
});

test("W2: replaceAll replaces from the left, and needs at least one", async () => {
  expect((await edited("aaaa b aaa", one("aa", "x", { replaceAll: true }))).file).toBe("xx b xa");
  expect((await edited("b", one("aa", "x", { replaceAll: true }))).text).toContain("oldText is not found");
});

test("W2: edits that overlap are told by number and line; edits that touch are not", async () => {
  const overlap = [...one("one\ntwo", "1"), ...one("zero", "0"), ...one("two\nthree", "2")];
  expect((await edited("zero\none\ntwo\nthree\n", overlap)).text).toContain("edits[0] and edits[2] overlap in line 3");
  expect((await edited("abcd", [...one("ab", "1"), ...one("cd", "2")])).file).toBe("12");
  expect((await edited("abc", [...one("abc", "1"), ...one("b", "2")])).text).toContain("edits[0] and edits[1] overlap");
});

test("W2: equal texts are refused", async () => {
  expect((await edited("abc", one("b", "b"))).text).toContain("oldText and newText are the same");
  expect((await edited("a\r\nb\r\n", one("a\n", "a\r\n"))).text).toContain("oldText and newText are the same");
});

test("W2: an empty oldText fits an empty file only", async () => {
  expect((await edited("", one("", "new\n"))).file).toBe("new\n");
  expect((await edited("a", one("", "new\n"))).text).toContain("oldText is empty");
  expect((await edited("", [...one("", "1"), ...one("", "2")])).text).toContain("overlap");
  expect((await edited("", one("a", "b"))).text).toContain("oldText is not found");
});

test.each([
  ["CRLF: a line end in the texts stands for CRLF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
  ["CRLF: a CRLF in the texts stays one", "a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"],
  ["CRLF without a final line end", "a\r\nb", "b", "x\n", "a\r\nx\r\n"],
  ["LF: a CRLF in newText is taken as it is", "a\nb\n", "b", "x\r\ny", "a\nx\r\ny\n"],
  ["mixed: texts are taken as they are", "a\r\nb\nc\r\n", "b\nc", "x\ny", "a\r\nx\ny\r\n"],
  ["one line without an end", "abc", "b", "x\ny", "ax\nyc"],
  ["a byte order mark stays", "\uFEFFa\nb\n", "a\n", "x\n", "\uFEFFx\nb\n"],
  ["a byte order mark and CRLF", "\uFEFFa\r\nb\r\n", "a\nb\n", "x\n", "\uFEFFx\r\n"],
  ["tabs and trailing blanks", "\tif x:  \n\t\ty\n", "\tif x:  \n", "\tif z: \n", "\tif z: \n\t\ty\n"],
  ["to nothing", "abc", "abc", "", ""],
  ["the last line end goes", "a\nb\n", "b\n", "b", "a\nb"],
  ["patterns of replacement mean nothing", "a.b", ".", "$&$1", "a$&$1b"],
  ["code points outside of the plane", "a😀b", "😀", "🎉", "a🎉b"],
])("W2: %s", async (_name, content, oldText, newText, wanted) => {
  expect((await edited(content, one(oldText, newText))).file).toBe(wanted);
});

test.each([
  ["NUL bytes", Buffer.from("a\0b"), "NUL"],
  ["bytes that are not UTF-8", Buffer.from([0x61, 0xff, 0x62]), "not valid UTF-8"],
  ["a code point cut off", Buffer.from([0x61, 0xe2, 0x82]), "not valid UTF-8"],
  ["UTF-16", Buffer.from("\uFEFFab", "utf16le"), "UTF-16"],
])("W2: %s: refused, unchanged", async (_name, content, reason) => {
  expect((await edited(content, one("a", "x"))).text).toContain(reason);
});

test("W2: newText that no text file can hold is refused", async () => {
  expect((await edited("abc", one("b", "\0"))).text).toContain("newText holds a NUL");
  expect((await edited("abc", one("b", "\ud800"))).text).toContain("half of a surrogate pair");
});

test("the nearest place: white space is told and made visible", async () => {
  const { text } = await edited("function f() {\n\treturn 1;  \n}\n", one("function f() {\n  return 1;\n}", "x"));
  expect(text).toContain("The nearest place is line 1; line 2 of oldText differs from line 2 of the file:");
  expect(text).toContain('line 2 of oldText: "··return 1;"');
  expect(text).toContain('the file: "→return 1;··"');
  expect(text).toContain("They differ in white space only.");
});

test("the nearest place: a typing error in one line", async () => {
  const content = "alpha\nconst answer = compute(41);\nomega\n";
  const { text } = await edited(content, one("const anwser = compute(41);", "x"));
  expect(text).toContain("The nearest place is line 2; oldText differs from line 2 of the file:");
  expect(text).toContain('the file: "const answer = compute(41);"');
});

test("the nearest place: line ends of a mixed file, and letters that only look alike", async () => {
  expect((await edited("a first line\r\nb second\n", one("a first line\nb second", "x"))).text).toContain('line␍"');
  expect((await edited("a\u00a0wide blank", one("a wide blank", "x"))).text).toContain("\\u{a0}");
});

test("the nearest place: none, the end of the file, and the text of another edit", async () => {
  expect((await edited("abc\n", one("something else", "x"))).text).toContain("No place in the file is near");
  const { text } = await edited("the first line\n", one("the first line\nthe second line\n", "x"));
  expect(text).toContain('line 1, but line 2 of oldText is "the second line" and the file ends before that.');
  const chained = await edited("one\n", [...one("one", "two"), ...one("two", "three")]);
  expect(chained.text).toContain("It is in newText of edits[0]");
});

test("the nearest place: where the longest part of the text is", async () => {
  const block = (name: string) => `begin ${name}\n  do the same thing\n  and this as well\nend\n`;
  const content = ["a", "b", "c"].map(block).join("");
  const wanted = block("b").replace("as well", "too");
  expect((await edited(content, one(wanted, "x"))).text).toContain("The nearest place is line 5; line 3 of oldText");
});

test("a place found too often: all line numbers, up to fifty", async () => {
  const content = Array.from({ length: 80 }, (_, index) => (index % 20 === 3 ? "same\n" : `${index}\n`)).join("");
  expect((await edited(content, one("same", "x"))).text).toContain("4 times, in lines 4, 24, 44 and 64.");
  const { text } = await edited("same\n".repeat(120), one("same", "x"));
  expect(text).toContain("120 times, in lines 1, 2,");
  expect(text).toContain("50 and 70 more.");
});

test("a missing file, a folder and a path below a file are text results", async () => {
  const world = editWorld();
  world.put("settings.json", "{}");
  const missing = await world.edit("setings.json", "a", "b");
  expect(textOf(missing)).toContain(
    'There is no file "setings.json". Close names in the same folder: "settings.json".',
  );
  expect(textOf(await world.edit(".", "a", "b"))).toContain("it is a folder");
  expect(textOf(await world.edit("settings.json/x", "a", "b"))).toContain("a part of the path is a file");
});

test("the diff: far places are hunks of their own, near ones share one, long ones are left out", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);
  const { world } = await edited(lines.join(""), [
    ...one("line 2\n", "two\nand more\n"),
    ...one("line 5\n", ""),
    ...one("line 40\n", "forty\n"),
  ]);
  world.put("long.txt", `${"x".repeat(300_000)}\n${"y\n".repeat(20)}end\n`);
  const outcome = await world.call("edit", { path: "long.txt", edits: [...one("end", "END"), ...one("x\ny", "z\ny")] });
  expect(outcome.result.details).toMatchObject({ omittedHunks: 2, firstChangedLine: 1 });
});

test("a random list of edits gives a diff that makes the new file of the old", async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const lines = Array.from({ length: 1 + random(40) }, (_, index) => `<${index}>`);
    const end = random(2) === 0 ? "\n" : "";
    const texts = ["", "new", "new\n", "\nnew", "a\nb\n\nc"];
    const picked = lines.filter((_, index) => index === 0 || random(4) === 0);
    const edits = picked.flatMap((line) => one(random(2) === 0 ? line : `${line}`, texts[random(texts.length)] ?? ""));
    await edited(lines.join("\n") + end, edits);
  }
});

test("50 MiB: one edit, a miss, and texts made to be slow to search take seconds, not hours", async () => {
  const world = editWorld();
  const line = `${"a".repeat(99)}\n`;
  world.put("big.txt", `${line.repeat(524_288)}the end\n`);
  const started = performance.now();
  expect((await world.edit("big.txt", "the end", "THE END")).isError).toBe(false);
  expect(textOf(await world.edit("big.txt", "not in it", "x"))).toContain("oldText is not found");
  expect(textOf(await world.edit("big.txt", `b${line.repeat(2_000)}`, "x"))).toContain("oldText is not found");
  expect(textOf(await world.edit("big.txt", line.repeat(2_000), "x"))).toContain("at least 10000 times");
  const all = await world.call("edit", { path: "big.txt", edits: one("a\n", "b\n", { replaceAll: true }) });
  expect(all.result.structuredContent).toEqual({ replacements: 524_288, firstChangedLine: 1 });
  expect(performance.now() - started).toBeLessThan(20_000);
}, 60_000);

test("the nearest place: in a file too long to be searched, around a line of oldText, or not claimed to be nowhere", async () => {
  const world = editWorld();
  world.put("a.txt", `${"filler\n".repeat(150_000)}function far() {\n  return 1;\n}\n`);
  const found = textOf(await world.edit("a.txt", "function far() {\n  return 2;\n}", "x"));
  expect(found).toContain("line 2 of oldText differs from line 150002 of the file:");
  const text = textOf(await world.edit("a.txt", "something quite different", "x"));
  expect(text).toContain("No place in the first 100,000 lines is near to it, and only those were searched");
});

test("the nearest place: a difference behind the 200th line of oldText is shown", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line number ${index}\n`);
  const { text } = await edited(lines.join(""), one(lines.join("").replace("number 250", "number x250"), "x"));
  expect(text).toContain("line 251 of oldText differs from line 251 of the file:");
  expect(text).toContain('"line number x250"');
});

test("the nearest place: the same letters, encoded differently", async () => {
  const { text } = await edited("let caf\u00e9 = 1;\n", one("cafe\u0301 = 1", "x"));
  expect(text).toContain('oldText: "cafe\\u{301} = 1"');
  expect(text).toContain('the file: "let caf\\u{e9} = 1;"');
  expect(text).toContain("looks the same, but its letters are encoded differently");
});

test("W2: what an error leaves out is counted", async () => {
  const missing = Array.from({ length: 9 }, (_, index) => ({ oldText: `missing ${index}`, newText: "" }));
  expect((await edited("abc\n", missing)).text).toContain("The last 4 edits were not looked at.");
  expect((await edited("a\n".repeat(80), one("a", "b"))).text).toContain("49, 50 and 30 more");
  const nested = Array.from({ length: 9 }, (_, index) => ({ oldText: "abcdefghijk".slice(index), newText: "x" }));
  expect((await edited("abcdefghijk", nested)).text).toContain("3 more pairs overlap.");
});
