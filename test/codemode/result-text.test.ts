// What the model reads of a script (DESIGN 7.1, W5), rendered from runs that are made up here.
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodemodeFailure, CodemodeRun, CodemodeSuccess } from "../../src/codemode/run-types.js";
import { OutputFolder } from "../../src/codemode/tool/output-folder.js";
import { renderResult } from "../../src/codemode/tool/result-text.js";

let folder = "";
beforeEach(() => {
  folder = join(tmpdir(), `nestcall-test-${process.hrtime.bigint()}`);
});
afterEach(() => rm(folder.replace(/.below$/, ""), { recursive: true, force: true }));

const RUN: CodemodeSuccess = {
  status: "ok",
  value: undefined,
  console: [],
  output: [],
  warnings: [],
  calls: [],
  storeWrites: { set: {}, delete: [] },
  timings: { cpuMs: 1, wallMs: 12, queuedMs: 0 },
};
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64");

async function render(
  run: Partial<CodemodeSuccess> | Partial<CodemodeFailure>,
  budget = { maxBytes: 50 * 1024, maxLines: 2000 },
) {
  const result = await renderResult({ ...RUN, ...run } as CodemodeRun, {
    toolCallId: "T",
    budget,
    folder: new OutputFolder(folder),
  });
  const texts = result.content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`));
  return { ...result, texts };
}

test.each([
  [{ value: "as it is" }, ["as it is"]],
  [{ value: { n: [1] } }, ['{"n":[1]}']],
  [{ value: "" }, [""]],
  [{ value: null }, ["null"]],
  [{}, ["Completed in 12 ms with 0 calls; there is no value."]],
])("7.1: a script that ends well with %j gives %j", async (run, texts) => {
  expect((await render(run)).texts).toEqual(texts);
});

test("7.1: output items come first, then the value, then console lines, then warnings", async () => {
  const { texts, imagePaths } = await render({
    value: 7,
    output: [
      { type: "text", text: "first" },
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "text", text: "second" },
    ],
    console: [
      { level: "log", text: "noted" },
      { level: "warn", text: "careful" },
    ],
    warnings: ["one call was not awaited"],
    calls: [{ id: 1, name: "read", status: "ok" }],
  });
  expect(texts).toEqual([
    "first",
    "<image>",
    `[Image saved to ${imagePaths[0]}]`,
    "second",
    "7",
    "Console:\nnoted\n[warn] careful",
    "Completed in 12 ms with 1 call.",
    "Warning: one call was not awaited",
  ]);
  const [path = ""] = imagePaths;
  expect([path.endsWith(".png"), await readFile(path, "base64")]).toEqual([true, PNG]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("7.1: a failure says why, where, after how long, and what had been called", async () => {
  const { texts } = await render({
    status: "error",
    error: {
      name: "TypeError",
      message: "x is no function",
      line: 3,
      stack: "    at inner (script:3:5)\n    at script:9:1\n",
    },
    output: [{ type: "text", text: "so far" }],
    calls: [
      { id: 1, name: "read", status: "ok", durationMs: 4.2 },
      { id: 2, name: "write", status: "error", durationMs: 1 },
    ],
  });
  expect(texts).toEqual([
    "so far",
    [
      "Failed after 12 ms: TypeError: x is no function (line 3)",
      "    at inner (script:3:5)",
      "    at script:9:1",
      "Calls made; they are not undone:",
      "  T/1 read: ok, 4 ms",
      "  T/2 write: error, 1 ms",
    ].join("\n"),
  ]);
});

test("7.1: causes are told", async () => {
  const cause = { name: "TypeError", message: "inner", cause: { name: "Error", message: "the root" } };
  const { texts } = await render({ status: "error", error: { name: "Error", message: "outer", cause } });
  expect(texts[0]).toContain("Error: outer\n  caused by TypeError: inner\n  caused by Error: the root\n");
});

test("7.1: a limit is named, and that nothing was called is said", async () => {
  const { texts } = await render({
    status: "limit",
    error: { name: "LimitError", message: "the script computed for 5,000 ms", limit: "cpu" },
    timings: { cpuMs: 5000, wallMs: 65_000, queuedMs: 0 },
  });
  expect(texts).toEqual([
    "Failed: the limit cpu was reached after 65.0 s: LimitError: the script computed for 5,000 ms\nNo call had been made.",
  ]);
});

test("7.1: a script that found no place is not said to have failed after 0 ms", async () => {
  const message = "The script did not run: no place was free for 30000 ms (queueMs).";
  const { texts } = await render({ status: "limit", error: { name: "LimitError", message, limit: "queue" } });
  expect(texts).toEqual([`Failed: the limit queue was reached: LimitError: ${message}\nNo call had been made.`]);
});

test("7.1: of very many calls the last are named", async () => {
  const calls = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, name: "read", status: "ok" as const }));
  const { texts } = await render({
    status: "deadlock",
    error: { name: "Error", message: "nothing will settle" },
    calls,
  });
  expect(texts[0]).toMatch(/^Failed: deadlock after 12 ms/);
  expect(texts[0]).toContain("Calls made (the last 50 of 300)");
  expect(texts[0]?.split("\n")).toHaveLength(52);
});

test("W5: text beyond the budget is cut, the value keeps a share, and the whole is in a file that the text names", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index} of the output`).join("\n");
  const { texts, fullOutputPath = "" } = await render(
    { output: [{ type: "text", text: lines }], value: "the value, which matters most" },
    { maxBytes: 1000, maxLines: 2000 },
  );
  expect(texts[0]).toMatch(/^line 0 of the output\n/);
  expect(texts[1]).toBe("the value, which matters most");
  expect(texts[2]).toMatch(/^\[\d+ lines \([\d,]+ bytes\) not shown; the complete output is in /);
  expect(texts[2]).toContain(fullOutputPath);
  expect(Buffer.byteLength(texts.slice(0, 2).join(""))).toBeLessThanOrEqual(1000);
  expect(await readFile(fullOutputPath, "utf8")).toBe(`${lines}\nthe value, which matters most`);
  expect((await stat(fullOutputPath)).mode & 0o777).toBe(0o600);
});

test("W5: a flood of output items leaves the value and the console lines their share", async () => {
  const output = Array.from({ length: 500 }, (_, index) => ({ type: "text" as const, text: `item ${index}` }));
  const lines = [{ level: "log" as const, text: "noted" }];
  const { texts } = await render({ output, value: "v".repeat(2000), console: lines }, { maxBytes: 1000, maxLines: 50 });
  const shown = texts.slice(
    0,
    texts.findIndex((text) => text.startsWith("v")),
  );
  expect(shown).toEqual(output.slice(0, shown.length).map(({ text }) => text));
  expect(texts[shown.length]?.length).toBeGreaterThanOrEqual(500);
  expect(texts[shown.length + 1]).toBe("Console:\nnoted");
});

test("W5: a long value is cut between code points", async () => {
  const { texts, fullOutputPath = "" } = await render({ value: "😀".repeat(1000) }, { maxBytes: 103, maxLines: 10 });
  expect(texts[0]).toBe("😀".repeat(25));
  expect(await readFile(fullOutputPath, "utf8")).toBe("😀".repeat(1000));
});

test("W5: lines count too", async () => {
  const { texts } = await render({ value: "x\n".repeat(500) }, { maxBytes: 100_000, maxLines: 20 });
  expect(texts[0]).toBe("x\n".repeat(20));
});

test("W5: what fits leaves no file", async () => {
  await render({ value: "short" });
  await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

test("W5: a folder that cannot be written is said, and the text is there all the same", async () => {
  await writeFile(folder, "a file, so nothing can be below it");
  folder = join(folder, "below");
  const { texts } = await render({ value: "x".repeat(200) }, { maxBytes: 100, maxLines: 10 });
  expect(texts[0]).toBe("x".repeat(100));
  expect(texts[1]).toMatch(/100 bytes not shown; it could not be saved: /);
});
