import type { Drawing } from "nestcall";
import { DRAWING_STYLE, drawingToHtml } from "nestcall/trace";
import { expect, test } from "vitest";
import { readHtml } from "./random-drawing.js";

/** Without the element around it and the style. */
function drawn(drawing: Drawing): string {
  const html = drawingToHtml(drawing, { style: false });
  expect(html).toMatch(/^<div class="nestcall-drawing">.*<\/div>$/s);
  readHtml(html);
  return html.slice('<div class="nestcall-drawing">'.length, -"</div>".length);
}

test("texts are escaped, and a reader gets back what they were", () => {
  const text = `a < b && "c" > 'd'\n<script>x</script>`;
  const html = drawn({ type: "text", text, tone: "error" });
  expect(html).toBe(
    '<pre class="nestcall-error">a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;\n&lt;script&gt;x&lt;/script&gt;</pre>',
  );
  expect(readHtml(html).join("")).toBe(text);
});

test("a line end at the beginning is not lost to the parser", () => {
  expect(drawn({ type: "text", text: "\na" })).toBe("<pre>\n\na</pre>");
});

test("each kind of drawing has its elements", () => {
  expect(drawn({ type: "table", columns: ["a"], rows: [["1"], ["<2>"]] })).toBe(
    "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>&lt;2&gt;</td></tr></tbody></table>",
  );
  expect(drawn({ type: "diff", path: "a.md", text: "@@ -1 +1 @@\n-a\n+b\n" })).toBe(
    '<p class="nestcall-path">a.md</p><pre class="nestcall-diff"><span class="nestcall-hunk">@@ -1 +1 @@</span>\n' +
      '<span class="nestcall-removed">-a</span>\n<span class="nestcall-added">+b</span></pre>',
  );
  expect(drawn({ type: "markdown", text: "# T\n- **a** `b`\n```\n<c>\n```" })).toBe(
    '<div class="nestcall-markdown"><p class="nestcall-heading">T</p>' +
      '<p class="nestcall-item">- <strong>a</strong> <code>b</code></p><pre class="nestcall-code">&lt;c&gt;</pre></div>',
  );
  const leaf = { type: "tree", label: "b", tone: "error", children: [] } as const;
  expect(drawn({ type: "tree", label: "a", children: [leaf] })).toBe(
    '<ul class="nestcall-tree"><li><span class="nestcall-label">a</span>' +
      '<ul><li><span class="nestcall-label nestcall-error">b</span></li></ul></li></ul>',
  );
});

test("only pictures of raster formats, with data that is base64, become pictures", () => {
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png", alternative: 'a "dot"' } as const;
  expect(drawn(image)).toBe('<img src="data:image/png;base64,iVBORw0KGgo=" alt="a &quot;dot&quot;">');
  for (const wrong of [{ mimeType: "image/svg+xml" }, { mimeType: "text/html" }, { data: '"><b>' }, { data: "" }]) {
    expect(drawn({ ...image, ...wrong })).toBe('<pre class="nestcall-muted">[a &quot;dot&quot;]</pre>');
  }
});

test("the style is in it once, unless the page has it", () => {
  const drawing: Drawing = { type: "stack", items: [{ type: "text", text: "a" }] };
  expect(drawingToHtml(drawing).split(DRAWING_STYLE)).toHaveLength(2);
  expect(drawingToHtml(drawing, { style: false })).not.toContain("<style>");
  expect(DRAWING_STYLE).not.toMatch(/[<&]|url\(|@import/);
});

test("what is no drawing is refused", () => {
  expect(() => drawingToHtml("<b>" as never)).toThrow('drawingToHtml takes a drawing; the drawing is the string "<b>"');
});
