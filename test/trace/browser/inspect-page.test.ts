// The live page in a real browser: it follows what runs, from this machine alone.
import { createExecutor } from "nestcall";
import { createGate } from "nestcall/testing";
import { createInspectServer, createTraceCollector } from "nestcall/trace";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test as testOf } from "vitest";
import { approvalGuard } from "../../../src/guards/index.js";
import { tool, untilAborted } from "../../helpers/engine.js";
import { launchBrowser, noBrowser, rowsOf, textIn, watchedPage } from "./browser.js";

const test = testOf.skipIf(noBrowser !== undefined);
let browser: Browser;

beforeAll(async () => {
  if (noBrowser === undefined) browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
});

function world() {
  const gate = createGate();
  const leaf = tool("leaf", () => "text", { effect: "read" });
  const wipe = tool("wipe", () => "gone", { effect: "destructive" });
  const fails = tool("fails", () => Promise.reject(new Error("no such thing")), { effect: "read" });
  const hangs = tool("hangs", (_args, ctx) => untilAborted(ctx.signal), { effect: "read" });
  const outer = tool(
    "outer",
    async (_args, ctx) => {
      const stop = new AbortController();
      const hanging = ctx.executeTool("hangs", {}, { signal: stop.signal });
      for (const name of ["leaf", "wipe", "fails"]) await ctx.executeTool(name, { name: "</script>" });
      stop.abort(new Error("enough"));
      await hanging;
      await ctx.executeTool("waits");
    },
    { effect: "read" },
  );
  const waits = tool("waits", () => gate.promise.then(() => "done"), { effect: "read" });
  const executor = createExecutor({ tools: [leaf, wipe, fails, hangs, outer, waits] });
  executor.on("tool_call", approvalGuard());
  return { executor, gate, collector: createTraceCollector(executor) };
}

test("it shows calls while they run, then how they ended, with no request but its own two and no error", async () => {
  const { executor, gate, collector } = world();
  const server = await createInspectServer({ collector, title: "live" });
  const { page, heard } = await watchedPage(browser);
  await page.goto(server.url);
  await expect.poll(() => page.locator("#subtitle").textContent()).toBe("live");
  expect(await textIn(page, "#tree")).toBe("Waiting for the first call…");
  const run = executor.executeTool("outer", {}, { toolCallId: "T" });
  const expected = ["outer running", "hangs aborted", "leaf ok", "wipe blocked", "fails failed", "waits running"];
  await expect.poll(() => rowsOf(page), { timeout: 5000 }).toEqual(expected);
  await page.keyboard.press("End");
  gate.open();
  await run;
  await expect.poll(() => rowsOf(page), { timeout: 5000 }).toEqual(expected.map((row) => row.replace("running", "ok")));
  expect(await page.locator(".call-id").textContent()).toBe("T/5");
  expect(heard).toEqual([`request: ${server.url}`, `request: ${server.url}events`]);
  await page.close();
  await server.close();
}, 30_000);

test("it follows the latest root call until one is chosen, and connects again to a server that comes back", async () => {
  const { executor, collector, gate } = world();
  gate.open();
  const token = "a token with blanks & more";
  const server = await createInspectServer({ collector, token });
  const { page, heard } = await watchedPage(browser);
  await page.goto(server.url);
  await executor.executeTool("leaf", {}, { toolCallId: "A" });
  await executor.executeTool("fails", {}, { toolCallId: "B" });
  await expect.poll(() => rowsOf(page), { timeout: 5000 }).toEqual(["fails failed"]);
  await page.locator("#root").selectOption({ index: 2 });
  await expect.poll(() => rowsOf(page)).toEqual(["leaf ok"]);
  await executor.executeTool("outer", {}, { toolCallId: "C" });
  await page.locator("#root").selectOption({ index: 0 });
  await expect.poll(() => rowsOf(page), { timeout: 5000 }).toHaveLength(8);
  expect(heard.filter((line) => line.startsWith("error"))).toEqual([]);
  await server.close();
  await expect
    .poll(() => page.locator("#subtitle").textContent(), { timeout: 5000 })
    .toBe("not connected; trying again");
  const again = await createInspectServer({ collector, token, port: server.port });
  await expect.poll(() => page.locator("#subtitle").textContent(), { timeout: 10_000 }).toBe("live");
  expect(await rowsOf(page)).toHaveLength(8);
  await page.close();
  await again.close();
}, 30_000);
