// The browser of the tests: the system's Chromium, driven by playwright-core. It is never downloaded.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { temporaryFolder } from "../../examples/run.js";

const wanted = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const executablePath = existsSync(wanted) ? wanted : undefined;

/** Why browser tests are left out; `undefined` when there is a browser. */
export const noBrowser =
  executablePath === undefined ? `there is no ${wanted}; install Chromium there, or set CHROMIUM_PATH` : undefined;
if (noBrowser !== undefined) console.warn(`The tests of the trace page in a browser are left out: ${noBrowser}.`);

export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(noBrowser);
  // The sandbox needs rights that containers and root do not have; the pages are our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

export interface WatchedPage {
  readonly page: Page;
  /** Whatever a page should not do: lines of the console, errors, requests. */
  readonly heard: string[];
}

export interface PageOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A new page of which everything is heard. */
export async function watchedPage(
  browser: Browser,
  { scheme = "light", width = 1440, height = 900 }: PageOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  const heard: string[] = [];
  page.on("console", (message) => void heard.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => void heard.push(`error: ${error.message}`));
  page.on("request", (request) => void heard.push(`request: ${request.url()}`));
  return { page, heard };
}

/** The address of a file with this page in it. */
export async function fileOf(html: string): Promise<string> {
  const path = join(await temporaryFolder(), "trace.html");
  await writeFile(path, html);
  return pathToFileURL(path).href;
}

/** The texts of the rows in view: name and status. */
export function rowsOf(page: Page): Promise<string[]> {
  return page.$$eval("[role=treeitem]", (rows) =>
    rows.map((row) => `${row.querySelector(".name")?.textContent} ${row.querySelector(".hidden")?.textContent}`),
  );
}

/** The name of the selected call in the details. */
export async function selectedOf(page: Page): Promise<string> {
  return (await page.locator(".call-id").textContent()) ?? "";
}

/** What a person reads in the element, line by line. */
export function textIn(page: Page, selector: string): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden parts are not read, and lines matter
  return page.locator(selector).innerText();
}
