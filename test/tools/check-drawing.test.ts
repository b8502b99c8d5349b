import { expect, test } from "vitest";
import { checkDrawing } from "../../src/tools/check-drawing.js";
import type { Drawing } from "../../src/tools/drawing.js";

const DRAWINGS: readonly Drawing[] = [
  { type: "text", text: "a", tone: "muted" },
  { type: "markdown", text: "# a" },
  { type: "table", columns: ["a", "b"], rows: [["1", "2"], ["3"]] },
  { type: "diff", text: "+a", path: "a.md" },
  { type: "image", data: "AAAA", mimeType: "image/png", alternative: "dots" },
  { type: "tree", label: "a", tone: "error", children: [{ type: "tree", label: "b", children: [] }] },
];

test("every kind of drawing passes, as a copy without foreign fields", () => {
  const stack: Drawing = { type: "stack", items: DRAWINGS };
  const checked = checkDrawing({ ...stack, secret: 1 });
  expect(checked).toEqual({ drawing: stack });
  expect("drawing" in checked && checked.drawing).not.toBe(stack);
});

test.each([
  [undefined, "the drawing is undefined, not a drawing"],
  ["text", 'the drawing is the string "text", not a drawing'],
  [[], "the drawing is an array, not a drawing"],
  [Promise.resolve({ type: "text", text: "late" }), "the drawing.type is undefined"],
  [{ type: "page" }, 'the drawing.type is the string "page"; known are text, markdown, table'],
  [{ type: "text", text: 5 }, "the drawing.text is 5, not a text"],
  [{ type: "text", text: "a", tone: "red" }, 'the drawing.tone is the string "red"; known are plain, muted'],
  [{ type: "table", columns: ["a"], rows: [["b"], "c"] }, 'the drawing.rows[1] is the string "c", not a list'],
  [{ type: "table", columns: [1], rows: [] }, "the drawing.columns[0] is 1, not a text"],
  [{ type: "image", data: "AAAA" }, "the drawing.mimeType is undefined, not a text"],
  [{ type: "diff", text: "", path: null }, "the drawing.path is null, not a text"],
  [{ type: "tree", label: "a", children: [{ type: "text", text: "b" }] }, "the drawing.children[0].type is the string"],
  [{ type: "stack", items: [{ type: "text", text: "a" }, null] }, "the drawing.items[1] is null, not a drawing"],
])("%o is no drawing, and the problem names the place", (value, problem) => {
  const checked = checkDrawing(value);
  expect("problem" in checked && checked.problem).toContain(problem);
});

test("a getter that throws is a problem, and one that changes its mind is asked once", () => {
  const throwing = {
    get type(): never {
      throw new Error("no");
    },
  };
  expect(checkDrawing(throwing)).toEqual({ problem: "the drawing cannot be read: no" });

  let reads = 0;
  const changing = {
    type: "text",
    get text() {
      reads += 1;
      return reads === 1 ? "first" : 5;
    },
  };
  expect(checkDrawing(changing)).toEqual({ drawing: { type: "text", text: "first" } });
});

test("a cycle, a list without end and a revoked proxy end as problems", () => {
  const cycle: { type: string; items: unknown[] } = { type: "stack", items: [] };
  cycle.items.push(cycle);
  expect(checkDrawing(cycle)).toEqual({ problem: "the drawing has more than 200 levels" });

  const wide = { type: "stack", items: Array.from({ length: 200_000 }, () => ({ type: "text", text: "" })) };
  expect(checkDrawing(wide)).toMatchObject({ problem: expect.stringContaining("more than 100000 parts") });

  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(checkDrawing(proxy)).toMatchObject({ problem: expect.stringContaining("the drawing") });
});
