// The page in a real browser, from a file: what it shows, how it is used by keyboard, that it loads nothing and is quick.
import { createExecutor } from "nestcall";
import { renderTracePage, traceOf } from "nestcall/trace";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test as testOf } from "vitest";
import { tool } from "../../helpers/engine.js";
import { eventsOfCalls, sampleEvents } from "../sample-events.js";
import { fileOf, launchBrowser, noBrowser, rowsOf, selectedOf, textIn, watchedPage } from "./browser.js";

const test = testOf.skipIf(noBrowser !== undefined);
let browser: Browser;

beforeAll(async () => {
  if (noBrowser === undefined) browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
});

async function open(html: string, options?: Parameters<typeof watchedPage>[1]) {
  const { page, heard } = await watchedPage(browser, options);
  const url = await fileOf(html);
  await page.goto(url);
  return { page, heard, url };
}

const sample = () =>
  renderTracePage(traceOf(sampleEvents()), { title: "Review of policy-quick-path", savedTokens: 1234 });

test("it opens without a request, an error or a word in the console, and shows how every call ended", async () => {
  const { page, heard, url } = await open(sample());
  const rows = await rowsOf(page);
  expect(rows).toHaveLength(21);
  expect(rows).toEqual(
    expect.arrayContaining(["bash blocked", "run_tests failed", "web_search aborted", "http_get unfinished"]),
  );
  expect(await textIn(page, "#totals")).toContain("Saved tokens\n1,234");
  expect(await page.title()).toBe("Review of policy-quick-path");
  await page.keyboard.press("n"); // a picture or two later
  expect(heard).toEqual([`request: ${url}`]);
});

test("the details of a blocked call tell the guard's decision and the wait; links lead to other calls", async () => {
  const { page } = await open(sample());
  await page.getByRole("treeitem", { name: /bash/ }).click();
  const details = page.locator("#pane-call");
  expect(await textIn(page, "#pane-call")).toMatch(
    /Guard decision\s+bash was not approved: policy rule “no-force-push”/,
  );
  expect(await textIn(page, "#pane-call")).toMatch(/624 ms for approval/);
  await page.getByRole("treeitem", { name: /edit/ }).nth(1).click();
  expect(await textIn(page, "#pane-call")).toContain("141 ms for files, held by edit call_review_7/4");
  await details.getByRole("button", { name: "edit call_review_7/4" }).click();
  expect(await selectedOf(page)).toBe("call_review_7/4");
  await page
    .getByRole("treeitem", { name: /ask_model/ })
    .first()
    .click();
  expect(await textIn(page, "#pane-call")).toMatch(/Usage\s+input\s+3,120/);
});

test("search and filters work by keyboard alone", async () => {
  const { page } = await open(sample());
  await page.keyboard.press("/");
  await page.keyboard.type("force-push");
  await expect.poll(() => rowsOf(page)).toEqual(["review ok", "bash blocked"]);
  expect(await page.locator("#matches").textContent()).toBe("1 of 21 calls");
  await page.keyboard.press("Enter");
  expect(await selectedOf(page)).toBe("call_review_7/6");
  await page.keyboard.press("Escape");
  await expect.poll(() => rowsOf(page)).toHaveLength(21);
  await page.keyboard.press("3");
  await page.keyboard.press("4");
  await expect.poll(() => rowsOf(page)).toEqual(["review ok", "inspect ok", "run_tests failed", "web_search aborted"]);
  await page.keyboard.press("Escape");
  await page.locator("#tool").focus();
  await page.keyboard.type("read ");
  await expect.poll(() => rowsOf(page)).toHaveLength(8);
  await page.locator("#depth").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.locator("#matches").textContent()).toBe("0 of 21 calls");
  await page.keyboard.press("Escape");
  await expect.poll(() => rowsOf(page)).toHaveLength(21);
});

test("the keys move through the calls, fold them, and zoom", async () => {
  const { page } = await open(sample());
  const keys = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };
  await keys("ArrowDown", "ArrowDown", "ArrowDown");
  expect(await selectedOf(page)).toBe("call_review_7/2");
  await keys("ArrowLeft");
  await expect.poll(() => rowsOf(page)).toHaveLength(15);
  await keys("ArrowRight", "ArrowRight");
  expect(await selectedOf(page)).toBe("call_review_7/2/1");
  await keys("ArrowLeft", "End");
  expect(await selectedOf(page)).toBe("call_watch_8/2");
  await keys("Home", "n", "n", "n", "n", "N");
  expect(await selectedOf(page)).toBe("call_review_7/6");
  await expect.poll(() => page.locator(".row.selected .name").textContent()).toBe("bash");
  const active = () => page.locator("[role=tree]").getAttribute("aria-activedescendant");
  await expect.poll(active).toBe(await page.locator(".row.selected").getAttribute("id"));
  await keys("f");
  const labels = await page.evaluate("document.activeElement?.tagName");
  expect(labels).toBe("BODY");
  await keys("Enter");
  expect(await page.evaluate("document.activeElement?.id")).toBe("pane-call");
  await keys("Escape", "g");
  expect(await page.locator("#tab-totals").getAttribute("aria-selected")).toBe("true");
  await keys("?");
  expect(await textIn(page, "dialog")).toContain("the next call that is not ok");
  await keys("Escape");
  expect(await page.locator("dialog").isVisible()).toBe(false);
});

test("a click in the timeline selects the call under it; the tip names it", async () => {
  const { page } = await open(sample());
  const box = await page.locator("#timeline").boundingBox();
  if (box === null) throw new Error("there is no timeline");
  // `run_tests` runs from 176 to 1,324 of 3,010 ms; its lane is found by looking down.
  const x = box.x + box.width * 0.3;
  for (let y = box.y + 30; y < box.y + box.height; y += 8) {
    await page.mouse.move(x, y);
    const isShown = await page.locator("#tip").isVisible();
    if (isShown && (await textIn(page, "#tip")).startsWith("run_tests")) break;
  }
  expect(await textIn(page, "#tip")).toMatch(/run_tests\s*failed\s*call_review_7\/3\/3\s*1\.15 s · at 172 ms/);
  await page.mouse.down();
  await page.mouse.up();
  expect(await selectedOf(page)).toBe("call_review_7/3/3");
});

test("light and dark are those of the system until somebody chooses", async () => {
  const { page } = await open(sample(), { scheme: "dark" });
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const pixel = () =>
    page.evaluate(`[...document.getElementById("timeline").getContext("2d").getImageData(4, 4, 1, 1).data]`);
  expect(await background()).toBe("rgb(13, 17, 23)");
  await expect.poll(pixel).toEqual([21, 27, 36, 255]);
  await page.keyboard.press("t");
  expect(await background()).toBe("rgb(244, 245, 248)");
  await expect.poll(pixel).toEqual([255, 255, 255, 255]);
});

function manyCalls(): Parameters<typeof eventsOfCalls>[0] {
  const calls = Array.from({ length: 10_000 }, (_, index) => {
    const from = 1 + Math.floor(index / 16) * 12 + (index % 16) * 0.5;
    const status =
      index === 7_777
        ? { status: "error" as const, code: "TOOL_FAILED" as const, text: "needle in the stack" }
        : { text: "ok" };
    return {
      id: `T/${index + 1}`,
      name: `tool_${index % 12}`,
      args: { path: `src/file-${index}.ts` },
      at: [from, from + 0.5, from + 3 + (index % 8)] as const,
      ...status,
    };
  });
  return [{ id: "T", name: "script", args: {}, at: [0, 1, 7600] }, ...calls];
}

test("a trace of 10,000 calls can be used within a second, and answers at once then", async () => {
  const url = await fileOf(renderTracePage(traceOf(eventsOfCalls(manyCalls()))));
  const { page } = await watchedPage(browser);
  await page.goto("about:blank");
  await page.goto(url);
  await page.waitForSelector("[role=treeitem]");
  // From the beginning of the navigation to the first picture with rows.
  const usableMs = await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))))",
  );
  expect(await textIn(page, "#totals")).toContain("10,001");
  expect(await page.locator("[role=treeitem]").count()).toBeLessThan(80);
  const took = async (act: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await act();
    return performance.now() - startedAt;
  };
  const searchMs = await took(async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("needle");
    await expect.poll(() => rowsOf(page), { interval: 10 }).toEqual(["script ok", "tool_1 failed"]);
  });
  const zoomMs = await took(async () => {
    await page.keyboard.press("Enter");
    for (let step = 0; step < 10; step += 1) await page.keyboard.press("+");
    expect(await selectedOf(page)).toBe("T/7778");
  });
  console.info("10,000 calls, in ms:", { usableMs, searchMs, zoomMs });
  expect({ usableMs, searchMs, zoomMs }).toEqual({ usableMs: below(1000), searchMs: below(1500), zoomMs: below(1500) });
}, 60_000);

function below(most: number): unknown {
  return expect.toSatisfy((value: number) => value < most, `below ${most}`);
}

test("names and arguments of any kind are drawn as text", async () => {
  const marks = "\u202eevil\u2066 \u0000\u001b[31mred\u0007 \ufeff";
  const evil = `</script><img src=x onerror="document.title='owned'">${marks}`;
  const drawn = tool("drawn", () => "x", {
    renderCall: () => ({ type: "markdown", text: `**${evil}**` }),
    renderResult: () => ({ type: "table", columns: [evil], rows: [[evil]] }),
  });
  const { registry } = createExecutor({ tools: [drawn] });
  const long = "x".repeat(1024 * 1024);
  const calls = [
    {
      id: "T",
      name: evil,
      args: { [evil]: evil, long, "": "", deep: { list: [evil] } },
      at: [0, 1, 50] as const,
      status: "error" as const,
      code: "TOOL_FAILED" as const,
      text: evil,
    },
    {
      id: "T/1",
      name: "drawn",
      args: { text: evil },
      at: [2, 3, 40] as const,
      text: long,
      waits: [{ at: 2, reason: "files" as const, paths: [evil], heldBy: evil }],
    },
  ];
  const { page, heard, url } = await open(renderTracePage(traceOf(eventsOfCalls(calls)), { title: evil, registry }));
  await page.keyboard.press("ArrowDown");
  const shown = await textIn(page, "body");
  expect(shown).toContain(
    "</script><img src=x onerror=\"document.title='owned'\">\\u202eevil\\u2066 \\x00red\\x07 \\ufeff",
  );
  expect([...marks].filter((mark) => /[^ -~]/.test(mark) && shown.includes(mark))).toEqual([]);
  console.log(await textIn(page, "#pane-call").then((t) => t.slice(-300)));
  await page.getByRole("button", { name: /Show 200,000 more of 1,048,576 characters/ }).click();
  await expect.poll(() => textIn(page, "#pane-call").then(({ length }) => length > 200_000)).toBe(true);
  await page.keyboard.press("Escape"); // the arrow keys scroll the details while one is in them
  await page.keyboard.press("ArrowDown");
  expect(await textIn(page, "#pane-call td")).toContain("<img src=x");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toContain("</script>");
  expect(heard).toEqual([`request: ${url}`]);
});

test("a record is drawn too, and says that its times are guesses", async () => {
  const call = (id: string, status: "ok" | "unfinished") => ({
    id,
    name: "t",
    status,
    arguments: {},
    ...(status === "ok" ? { durationMs: 5 } : {}),
  });
  const { page, heard } = await open(
    renderTracePage(traceOf({ complete: false, dropped: 3, calls: [call("T/1", "ok"), call("T/2", "unfinished")] })),
  );
  expect(await rowsOf(page)).toEqual(["(unknown) unknown", "t ok", "t unfinished"]);
  expect(await textIn(page, "#notes")).toMatch(/guesses.*3 more calls ran/s);
  expect(heard).toHaveLength(1);
});

test("an empty trace says so; a narrow page can be scrolled through", async () => {
  const empty = await open(renderTracePage(traceOf([])));
  expect(await textIn(empty.page, "#tree")).toBe("There are no calls in this trace.");
  const { page } = await open(sample(), { width: 600, height: 800 });
  expect(await page.evaluate("document.body.scrollWidth <= innerWidth")).toBe(true);
  await page.locator(".detail").scrollIntoViewIfNeeded();
  expect(await page.locator("#pane-totals").isVisible()).toBe(true);
});

test("everything that can be worked has a name, and roles tell what it is", async () => {
  const { page } = await open(sample());
  const nameless = await page.$$eval("button, input, select, canvas, [role]", (elements) =>
    elements
      .filter((element) => !element.matches("[role=presentation], [aria-hidden=true], [role=status], [role=note]"))
      .filter((element) => {
        const label =
          element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby") ?? element.textContent ?? "";
        return label.trim() === "" && element.closest("label") === null;
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(nameless).toEqual([]);
  const levels = await page.$$eval("[role=treeitem]", (rows) =>
    rows.slice(0, 4).map((row) => [row.getAttribute("aria-level"), row.getAttribute("aria-expanded")]),
  );
  expect(levels).toEqual([
    ["1", "true"],
    ["2", null],
    ["2", "true"],
    ["3", null],
  ]);
});
