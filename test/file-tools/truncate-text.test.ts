// W5: where texts are cut, and what is said of the rest.
import { expect, test } from "vitest";
import { countLines, keepEnds, keepHead, keepTail, missingNote } from "../../src/file-tools/truncate-text.js";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
const none = Number.POSITIVE_INFINITY;

test("a text within the limits is whole", () => {
  for (const text of ["", "a", "a\n", lines(1, 2_000), "x".repeat(51_200)]) {
    const whole = { text, isTruncated: false, missingLines: 0, missingBytes: 0 };
    expect(keepHead(text)).toMatchObject(whole);
    expect(keepTail(text)).toMatchObject(whole);
    expect(keepEnds(text, 51_200, () => "…")).toMatchObject(whole);
  }
});

test("lines: the first or the last of them, and how many are missing", () => {
  const text = lines(1, 10);
  const limits = { maxLines: 3, maxBytes: none };
  expect(keepHead(text, { ...limits, maxBytes: 1_000 })).toEqual({
    text: lines(1, 3),
    isTruncated: true,
    missingLines: 7,
    missingBytes: 15,
    totalLines: 10,
    totalBytes: 21,
  });
  expect(keepTail(text, { ...limits, maxBytes: 1_000 })).toMatchObject({ text: lines(8, 10), missingLines: 7 });
  expect(keepTail(text.trimEnd(), { ...limits, maxBytes: 1_000 })).toMatchObject({ text: "8\n9\n10", missingLines: 7 });
});

test("bytes: whole lines are kept, and a line that alone is too long is cut", () => {
  expect(keepHead("aaaa\nbbbb\ncccc\n", { maxLines: 9, maxBytes: 12 })).toMatchObject({
    text: "aaaa\nbbbb\n",
    missingLines: 1,
  });
  expect(keepHead("aaaa\nbbbb\n", { maxLines: 9, maxBytes: 5 })).toMatchObject({ text: "aaaa\n", missingLines: 1 });
  expect(keepHead("aaaa\nbbbb\n", { maxLines: 9, maxBytes: 4 })).toMatchObject({ text: "aaaa", missingLines: 1 });
  expect(keepTail("aaaa\nbbbb\ncccc\n", { maxLines: 9, maxBytes: 12 })).toMatchObject({
    text: "bbbb\ncccc\n",
    missingLines: 1,
  });
  expect(keepTail("aaaa\nbbbb", { maxLines: 9, maxBytes: 3 })).toMatchObject({ text: "bbb", missingLines: 1 });
});

test.each(["é", "€", "😀"])("cuts between code points: %s", (char) => {
  const text = char.repeat(20);
  const size = Buffer.byteLength(char);
  for (let maxBytes = 0; maxBytes <= 20 * size + 1; maxBytes += 1) {
    const kept = char.repeat(Math.min(20, Math.floor(maxBytes / size)));
    expect(keepHead(text, { maxLines: 1, maxBytes }).text).toBe(kept);
    expect(keepTail(text, { maxLines: 1, maxBytes }).text).toBe(kept);
    const ends = keepEnds(text, maxBytes, ({ bytes }) => `<${bytes}>`);
    const half = char.repeat(Math.floor(Math.floor(maxBytes / 2) / size));
    const isWhole = maxBytes >= 20 * size;
    expect(ends.text).toBe(isWhole ? text : `${half}<${20 * size - 2 * Buffer.byteLength(half)}>${half}`);
  }
});

test("what is missing is what is not shown", () => {
  const text = "ab😀\ncd\n€f\n\ng";
  for (let maxBytes = 1; maxBytes <= 20; maxBytes += 1) {
    for (let maxLines = 1; maxLines <= 6; maxLines += 1) {
      for (const cut of [keepHead(text, { maxLines, maxBytes }), keepTail(text, { maxLines, maxBytes })]) {
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
        expect(countLines(cut.text)).toBeLessThanOrEqual(maxLines);
        expect(Buffer.byteLength(cut.text) + cut.missingBytes).toBe(Buffer.byteLength(text));
        expect(cut.isTruncated).toBe(cut.missingBytes > 0);
        expect(cut.text.isWellFormed()).toBe(true);
        if (cut.text !== "") expect(countLines(cut.text) + cut.missingLines).toBe(5);
      }
    }
  }
});

test("the note names both numbers and the place of the rest", () => {
  const cut = keepHead(lines(1, 3_000));
  expect(missingNote(cut, 'the complete output is in "/x"')).toBe(
    '[1,000 lines (5,000 bytes) not shown; the complete output is in "/x"]',
  );
  expect(missingNote(keepHead("a"), "x")).toBe("");
  expect(missingNote(keepHead("ab", { maxLines: 1, maxBytes: 1 }), "x")).toBe("[1 bytes not shown; x]");
});

test("P26: 1 MiB and one byte more: the ends are halves around the marker", () => {
  const mib = 1_048_576;
  expect(keepEnds("x".repeat(mib), mib, () => "|").isTruncated).toBe(false);
  const cut = keepEnds(`${"x".repeat(mib)}y`, mib, ({ bytes }) => `|${bytes}|`);
  expect(cut.text).toBe(`${"x".repeat(mib / 2)}|1|${"x".repeat(mib / 2 - 1)}y`);
});
