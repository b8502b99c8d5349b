// `npm run pictures`: draws docs/trace-light.png and docs/trace-dark.png anew, of a script that really runs. Needs a build,
// and Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createExecutor, defineTool, Type } from "nestcall";
import { createCodemodeRuntime, createCodemodeTool } from "nestcall/codemode";
import { createFileTools } from "nestcall/file-tools";
import { approvalGuard } from "nestcall/guards";
import { createTraceCollector, renderTracePage } from "nestcall/trace";
import { chromium } from "playwright-core";

const closed = { additionalProperties: false };
const packages = ["core", "guards", "mcp", "cli", "otel", "pages"];

const SCRIPT = `
const packages = ${JSON.stringify(packages)};
const results = await Promise.all(packages.map((name) => tools.check_package({ name })));
await Promise.all(results.map(({ name, tests }) =>
  tools.add_note({ path: "notes.md", note: "- " + name + ": " + tests + " tests" })));
const deployed = await tools.run_command({ command: "rm -rf build && npm publish" }).catch((error) => error.message);
const found = await tools.search_issues({ query: "release blocker" }).catch(() => []);
return { deployed, found, notes: await tools.read({ path: "notes.md" }) };`;

const usage = (output) => ({ input: 400 + output, output, totalTokens: 400 + 2 * output });
const runTests = defineTool({
  name: "run_tests",
  description: "Runs the tests of a package.",
  inputSchema: Type.Object({ name: Type.String(), part: Type.Integer() }, closed),
  effect: "read",
  async execute({ name, part }) {
    await after(60 + 35 * part + 20 * name.length);
    if (name === "otel" && part === 2) throw new Error("2 of 31 tests failed: spans.test.ts, metrics.test.ts");
    return { structuredContent: { passed: 12 * part + name.length } };
  },
});
const reviewDiff = defineTool({
  name: "review_diff",
  description: "Has a model review a diff.",
  inputSchema: Type.Object({ name: Type.String() }, closed),
  effect: "read",
  async execute({ name }, { onUpdate }) {
    await after(90);
    onUpdate({ content: [{ type: "text", text: `reading ${name}` }] });
    await after(70 + 25 * name.length);
    return { content: [{ type: "text", text: `${name}: nothing to say` }], usage: usage(40 * name.length) };
  },
});
const checkPackage = defineTool({
  name: "check_package",
  description: "Checks a package.",
  inputSchema: Type.Object({ name: Type.String() }, closed),
  outputSchema: Type.Object({ name: Type.String(), tests: Type.Integer() }, closed),
  effect: "read",
  async execute({ name }, ctx) {
    const parts = [1, 2, 3].map((part) => ctx.executeTool("run_tests", { name, part }));
    const outcomes = await Promise.all([...parts, ctx.executeTool("review_diff", { name })]);
    const tests = outcomes.reduce((sum, { result }) => sum + (result.structuredContent?.passed ?? 0), 0);
    return { structuredContent: { name, tests } };
  },
});
const addNote = (cwd) =>
  defineTool({
    name: "add_note",
    description: "Adds a line to a file.",
    inputSchema: Type.Object({ path: Type.String(), note: Type.String() }, closed),
    effect: "write",
    mutates: ({ path }) => [join(cwd, path)],
    async execute({ path, note }) {
      await after(35); // a formatter, say
      await appendFile(join(cwd, path), `${note}\n`);
    },
  });
const runCommand = defineTool({
  name: "run_command",
  description: "Runs a command.",
  inputSchema: Type.Object({ command: Type.String() }, closed),
  effect: "destructive",
  execute: () => "",
});
const searchIssues = defineTool({
  name: "search_issues",
  description: "Looks for issues.",
  inputSchema: Type.Object({ query: Type.String() }, closed),
  effect: "read",
  timeoutMs: 120,
  execute: (_args, { signal }) => after(60_000, "", { signal }),
});

async function releaseTrace(cwd) {
  const runtime = createCodemodeRuntime();
  const tools = [
    ...Object.values(createFileTools({ cwd, roots: [cwd] })),
    runTests,
    reviewDiff,
    checkPackage,
    addNote(cwd),
    runCommand,
    searchIssues,
  ];
  const executor = createExecutor({ tools, limits: { maxConcurrency: 12 } });
  executor.registry.register(createCodemodeTool({ runtime, executor }));
  executor.on("tool_call", approvalGuard({ confirm: ({ tool }) => tool.name !== "run_command" }));
  const collector = createTraceCollector(executor);
  await executor.executeTool("codemode", { code: SCRIPT }, { toolCallId: "release" });
  await executor.close();
  await runtime.close();
  return renderTracePage(collector.trace(), { registry: executor.registry, title: "release" });
}

const folder = await mkdtemp(join(tmpdir(), "nestcall-pictures-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox"], // containers have no rights for it; the page is our own
});
try {
  await writeFile(join(folder, "notes.md"), "# Release\n");
  await writeFile(join(folder, "page.html"), await releaseTrace(folder));
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(`file://${join(folder, "page.html")}`);
    for (const key of ["n", "n"]) await page.keyboard.press(key); // the second problem is the refused command
    await page.screenshot({ path: fileURLToPath(new URL(`../docs/trace-${colorScheme}.png`, import.meta.url)) });
    await page.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
