// The page as a text: one file, its policy, its data, whatever the calls say.
import { createHash } from "node:crypto";
import { createExecutor } from "nestcall";
import { renderTracePage, traceOf } from "nestcall/trace";
import { expect, test } from "vitest";
// @ts-expect-error: a script has no types
import { buildPageScript } from "../../../scripts/build-page.mjs";
import { CLIENT_SCRIPT } from "../../../src/trace/page/client-script.js";
import type { PageData } from "../../../src/trace/page/page-data.js";
import { at, tool } from "../../helpers/engine.js";
import { eventsOfCalls, sampleEvents } from "../sample-events.js";

function dataOf(page: string): PageData {
  const [, json = ""] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json) as PageData;
}

test("the script that the page carries is the one that its sources give (npm run build:page)", () => {
  const built = (buildPageScript as () => string)();
  expect(built).toContain(JSON.stringify(CLIENT_SCRIPT));
}, 60_000);

test("the policy allows the one script and the one style by their hashes, pictures as data, and nothing else", () => {
  const page = renderTracePage(traceOf(sampleEvents()));
  const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const scripts = Array.from(page.matchAll(/<script>(.*?)<\/script>/gs), ([, text]) => text ?? "");
  expect(scripts).toHaveLength(1);
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy.replaceAll("&#39;", "'").split("; ")).toEqual([
    "default-src 'none'",
    `script-src '${hash(scripts[0] ?? "")}'`,
    `style-src '${hash(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page).not.toMatch(/\s(?:style|on\w+)="/);
  expect(page.replaceAll(/<script.*?<\/script>/gs, "")).not.toMatch(/https?:|url\(/);
});

test("whatever calls say, it stays inside of the data", () => {
  const evil = "</script><script>alert(1)</script><!--";
  const page = renderTracePage(
    traceOf(
      eventsOfCalls([
        {
          id: "T",
          name: evil,
          args: { [evil]: evil },
          at: [0, 1, 2],
          status: "error",
          code: "TOOL_FAILED",
          text: evil,
        },
      ]),
    ),
    { title: evil },
  );
  expect(page.match(/<\/?script/g)).toHaveLength(4);
  expect(page).toContain("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--</title>");
  const { title, roots } = dataOf(page);
  expect([title, at(at(roots, 0).calls, 0).error]).toEqual([evil, { text: evil }]);
});

test("calls are drawn by their tools where these draw in a way of their own", () => {
  const drawn = tool("drawn", () => "x", {
    renderCall: () => ({ type: "text", text: "drawn <b>by itself</b>" }),
    renderResult: () => ({ type: "table", columns: ["a"], rows: [["<i>1</i>"]] }),
  });
  const { registry } = createExecutor({ tools: [drawn, tool("plain", () => "x")] });
  registry.registerToolRenderer((name, next) =>
    name === "resolved" ? { renderCall: () => ({ type: "text", text: "by a resolver" }) } : next(),
  );
  const calls = ["drawn", "plain", "resolved"].map((name, index) => ({
    id: `T${index}`,
    name,
    args: { n: 1 },
    at: [0, 1, 2] as const,
    text: "x",
  }));
  const { roots } = dataOf(renderTracePage(traceOf(eventsOfCalls(calls)), { registry }));
  const [own, plain, resolved] = roots.map((root) => at(root.calls, 0));
  expect([own?.line, own?.callHtml, own?.resultHtml]).toEqual([
    "drawn <b>by itself</b>",
    '<div class="nestcall-drawing"><pre>drawn &lt;b&gt;by itself&lt;/b&gt;</pre></div>',
    expect.stringContaining("<td>&lt;i&gt;1&lt;/i&gt;</td>"),
  ]);
  expect([plain?.line, plain?.callHtml, plain?.resultHtml]).toEqual([undefined, undefined, undefined]);
  expect(resolved?.line).toBe("by a resolver");
});

test("values that are too many for a page are cut, the longest first", () => {
  const text = "x".repeat(1024 * 1024);
  const calls = Array.from({ length: 60 }, (_, index) => ({
    id: `T${index}`,
    name: "t",
    args: { text: index % 2 ? "short" : text },
    at: [0, 1, 2] as const,
    text: index % 2 ? "short" : text,
  }));
  const page = renderTracePage(traceOf(eventsOfCalls(calls)));
  expect(page.length).toBeLessThan(34 * 1024 * 1024);
  const { roots } = dataOf(page);
  expect(at(at(roots, 0).calls, 0).argumentsText).toMatchObject({
    text: expect.stringMatching(/^\{"text":"xxx/),
    left: expect.any(Number),
  });
  expect(at(at(roots, 1).calls, 0)).toMatchObject({ arguments: { text: "short" }, result: { text: "short" } });
});

test("what an observer holds of arguments without a JSON form does not stop the page", () => {
  const events = eventsOfCalls([{ id: "T", name: "t", args: {}, at: [0, 1, 2] }]).map((event) =>
    event.type === "tool_execution_start" ? { ...event, arguments: { big: 10n } } : event,
  );
  const { roots } = dataOf(renderTracePage(traceOf(events)));
  expect(at(at(roots, 0).calls, 0).argumentsText).toEqual({ text: "(they have no JSON form)" });
});

test.each([
  [undefined, {}, "renderTracePage takes a trace, as traceOf, parseTrace or a collector give it, not undefined"],
  [traceOf([]), { title: 5 }, "takes a text as options.title, not 5"],
  [traceOf([]), { savedTokens: -1 }, "takes a number from 0 up as options.savedTokens, not -1"],
])("a wrong argument is refused", (trace, options, message) => {
  expect(() => renderTracePage(trace as never, options as never)).toThrow(message);
});
