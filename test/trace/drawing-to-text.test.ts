import type { Drawing } from "nestcall";
import { drawingToText } from "nestcall/trace";
import { expect, test } from "vitest";
import { cellsOf } from "../../src/trace/display-cells.js";

const drawn = (drawing: Drawing, width = 30) => drawingToText(drawing, { width }).split("\n");
const text = (content: string): Drawing => ({ type: "text", text: content });

test.each([
  ["a", 1],
  ["字", 2],
  ["한", 2],
  ["한", 2], // the same letter in three code points
  ["é", 1],
  ["👍", 2],
  ["👍🏽", 2],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["❤️", 2],
  ["❤", 1],
  ["1️⃣", 2],
  ["Ａ", 2],
  ["ｱ", 1],
  ["…", 1],
])("%s takes %i columns", (char, columns) => {
  expect(cellsOf([{ text: char, style: "plain" }]).map(({ width }) => width)).toEqual([columns]);
});

test("a text is broken at blanks, a word without any where the line is full, blanks at its beginning stay", () => {
  expect(drawn(text("one two three four five six seven"))).toEqual(["one two three four five six", "seven"]);
  expect(drawn(text("x".repeat(50)))).toEqual(["x".repeat(30), "x".repeat(20)]);
  expect(drawn(text("  indented"))).toEqual(["  indented"]);
  expect(drawn(text("a\n\nb"))).toEqual(["a", "", "b"]);
  expect(drawn(text("漢".repeat(16)))).toEqual(["漢".repeat(15), "漢"]);
  expect(drawn(text(""))).toEqual([""]);
});

test("a tab goes to the next column that 8 divides, a CR ends a line", () => {
  expect(drawn(text("a\tb\t\tc"))).toEqual(["a       b               c"]);
  expect(drawn(text("one\r\ntwo\rthree"))).toEqual(["one", "two", "three"]);
});

test("what a terminal would obey is taken out, what nobody would see is spelled", () => {
  expect(drawn(text("\u001b[31mred\u001b[0m\u001b]0;title\u0007!"))).toEqual(["red!"]);
  expect(drawn(text("a\u202eb\u0000c\u200bd\u00ade"))).toEqual(["a\\u202eb\\x00c\\u200bd\\u{ad}e"]);
  expect(drawn(text("\ud800"))).toEqual(["\ufffd"]);
  expect(drawn(text(`a${"\u0301".repeat(100)}b`))).toEqual([`a${"\u0301".repeat(11)}…b`]);
});

test("a table has its columns under each other, counted as they are seen", () => {
  const table: Drawing = { type: "table", columns: ["name", "ms"], rows: [["read", "5"], ["字字字", "1,000"], ["x"]] };
  expect(drawn(table)).toEqual(["name    ms", "──────  ─────", "read    5", "字字字  1,000", "x"]);
  expect(drawn({ type: "table", columns: [], rows: [["a", "b"], ["ccc"]] })).toEqual(["a    b", "ccc"]);
  expect(drawn({ type: "table", columns: [], rows: [] })).toEqual([""]);
});

test("a wide column gives way, and its cells are wrapped; without room for columns each row is a list", () => {
  const wide: Drawing = {
    type: "table",
    columns: ["id", "text"],
    rows: [["1", "a cell with more text than there is room"]],
  };
  expect(drawn(wide)).toEqual([
    "id  text",
    "──  ──────────────────────────",
    "1   a cell with more text than",
    "    there is room",
  ]);
  const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
  expect(drawn({ type: "table", columns: names, rows: [names.map((name) => `the ${name}`)] })).toEqual(
    names.map((name) => `${name}: the ${name}`),
  );
});

test("a row takes what its own cells take, however wide the widest row is, and however long a name or a cell", () => {
  const many = 4_000;
  const ragged: Drawing = {
    type: "table",
    columns: [],
    rows: [...Array<string[]>(many).fill(["x"]), Array<string>(many).fill("y")],
  };
  for (const width of [20, 80, 1_000_000, Number.POSITIVE_INFINITY]) {
    const lines = drawn(ragged, width);
    expect(lines.slice(0, 3)).toEqual(["x", "", "x"]);
    expect(lines.slice(-2)).toEqual(["y", "y"]);
    expect(lines).toHaveLength(3 * many);
  }
  const rows = Array<string[]>(many).fill(["x", "y"]);
  const longName: Drawing = {
    type: "table",
    columns: ["a".repeat(100_000), ...Array<string>(20).fill("bbbbbb")],
    rows,
  };
  expect(drawingToText(longName).length).toBeLessThan(many * 250);
  const longCell: Drawing = { type: "table", columns: [], rows: [["x".repeat(100_000), "y"], ...rows] };
  expect(drawingToText(longCell, { width: Number.POSITIVE_INFINITY }).length).toBeLessThan(100_000 + many * 10);
});

test("a diff is coloured by the counts of its hunks, not by what its lines look like", () => {
  const diff = "--- a.sql\n+++ b.sql\n@@ -1,2 +1,2 @@\n--- gone\n+++ new\n same\n\\ No newline at end of file\n";
  const lines = drawingToText({ type: "diff", text: diff, path: "a.sql" }, { colors: true }).split("\n");
  expect(lines).toEqual([
    "\u001b[1ma.sql\u001b[22m",
    "\u001b[1m--- a.sql\u001b[22m",
    "\u001b[1m+++ b.sql\u001b[22m",
    "\u001b[36m@@ -1,2 +1,2 @@\u001b[39m",
    "\u001b[31m--- gone\u001b[39m",
    "\u001b[32m+++ new\u001b[39m",
    " same",
    "\u001b[2m\\ No newline at end of file\u001b[22m",
  ]);
});

test("markdown is read line by line; marks without their other half stay", () => {
  const markdown =
    "# A **head**\n\n- an item that is longer than the line\n  2. `code` and *stars* **\n> said\n```ts\n**x**\n```\n***";
  expect(drawn({ type: "markdown", text: markdown })).toEqual([
    "A head",
    "",
    "- an item that is longer than",
    "  the line",
    "  2. code and *stars* **",
    "│ said",
    "  **x**",
    "─".repeat(30),
  ]);
});

test("a picture is its alternative, else its type and size", () => {
  const image = { type: "image", data: "A".repeat(400), mimeType: "image/png" } as const;
  expect(drawn({ ...image, alternative: "two dots" })).toEqual(["[two dots]"]);
  expect(drawn(image)).toEqual(["[image image/png, 300 bytes]"]);
});

test("a tree has its branches, also beside labels of several lines", () => {
  const leaf = (label: string): Drawing & { type: "tree" } => ({ type: "tree", label, children: [] });
  const tree: Drawing = {
    type: "tree",
    label: "root",
    children: [
      { type: "tree", label: "one\nmore of one", children: [leaf("a label that has to be wrapped")] },
      leaf("two"),
    ],
  };
  expect(drawn(tree)).toEqual([
    "root",
    "├─ one",
    "│  │  more of one",
    "│  └─ a label that has to be",
    "│        wrapped",
    "└─ two",
  ]);
});

test("where branches leave no room, what is below is counted", () => {
  let tree: Drawing & { type: "tree" } = { type: "tree", label: "last", children: [] };
  for (let level = 0; level < 50; level += 1) tree = { type: "tree", label: `l${level}`, children: [tree] };
  const lines = drawn(tree);
  expect(lines.at(-2)).toBe("            └─ l44");
  expect(lines.at(-1)).toBe("               └─ … 45 more");
});

test("a stack is one below the other", () => {
  expect(drawn({ type: "stack", items: [text("a"), { type: "stack", items: [] }, text("b")] })).toEqual(["a", "b"]);
});

test("no width is 80 columns, too little is 20, and a wrong one is refused", () => {
  const long = text("x".repeat(100));
  expect(drawingToText(long).split("\n")[0]).toHaveLength(80);
  expect(drawingToText(long, { width: 3 }).split("\n")[0]).toHaveLength(20);
  expect(drawingToText(long, { width: Number.POSITIVE_INFINITY })).toHaveLength(100);
  expect(() => drawingToText(long, { width: Number.NaN })).toThrow("options.width is a number of columns, not NaN");
  expect(() => drawingToText({ type: "text" } as never)).toThrow(
    "drawingToText takes a drawing; the drawing.text is undefined, not a text.",
  );
});

test("a long text is taken in pieces that no character lies across", () => {
  for (const char of ["👩‍👩‍👧", "👍🏽", "🇩🇪", "한", "𠀀"]) {
    for (let before = 50; before < 80; before += 1) {
      const cells = cellsOf([{ text: `${"é".repeat(before)}${char}é`, style: "plain" }]);
      expect(cells.slice(before)).toMatchObject([{ text: char, width: 2 }, { text: "é" }]);
    }
  }
});

test("long texts of marks, of accents or of one line cost time in proportion to their length", () => {
  const started = performance.now();
  for (const piece of ["`**", "字", "x", "> - ", "\u0301", "\u001b[", "👍🏽", "𠀀", "- -", "  \n"]) {
    drawingToText({ type: "markdown", text: piece.repeat(100_000) });
  }
  expect(performance.now() - started).toBeLessThan(30_000); // about 4 s; a segmenter over the whole takes minutes
}, 60_000);
