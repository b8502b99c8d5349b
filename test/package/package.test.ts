// The package as npm makes it: what is in it, that it can be installed and used, and what its entries load and export.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt, root } from "../examples/built.js";
import { run, runNode, temporaryFolder } from "../examples/run.js";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

let manifest: Manifest;

beforeAll(async () => {
  await ensureBuilt();
  manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
}, 120_000);

const PUBLIC_NAMES: readonly string[] = [
  "ErrorCode",
  "NESTED_CALL_LIMITS",
  "NestcallError",
  "NestedCallRecorder",
  "REGISTRY_LIMITS",
  "Type",
  "approvalGuard",
  "batchTerminates",
  "blankToAbsent",
  "budgetGuard",
  "createExecutor",
  "createFileMutationQueue",
  "createToolSearch",
  "defineTool",
  "estimateTokens",
  "isTransportFailure",
  "lazy",
  "lintTool",
  "markTransportFailure",
  "needsApproval",
  "planModeGuard",
  "redactionGuard",
  "redactor",
  "sumUsage",
  "withFileMutationQueue",
];

test("the main entry exports exactly the public names", async () => {
  expect(Object.keys(await importBuilt("./dist/index.js")).toSorted()).toEqual(PUBLIC_NAMES);
});

test("every target of exports exists, and every module among them can be imported", async () => {
  const targets = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
  for (const target of targets.filter((path) => path.endsWith(".js"))) {
    const isForEffect = target.endsWith("/register.js"); // for --import
    expect(Object.keys(await importBuilt(target)).length > 0, target).toBe(!isForEffect);
  }
});

test("the main entry loads nothing but the four dependencies, and none of the heavier entries", async () => {
  const loaded = await filesLoadedBy(join(root, "dist", "index.js"));
  const packages = loaded.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  expect(packages).toContain("typebox");
  // yocto-queue is p-limit's own dependency.
  const allowed = ["abort-controller-x", "nanoid", "p-limit", "typebox", "yocto-queue"];
  expect(packages.filter((name) => !allowed.includes(name))).toEqual([]);
  expect(loaded.filter((file) => /dist\/(testing|file-tools|codemode|hosts|trace|cli)\//.test(file))).toEqual([]);
});

test("the packed package holds dist, the schema and four files, is installed into an empty folder, and makes a nested call there", async () => {
  const folder = await temporaryFolder();
  const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root });
  expect(packed.exitCode, packed.stderr).toBe(0);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => !path.startsWith("dist/")).toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "package.json",
    "schema/nestcall.schema.json",
  ]);
  expect(paths.filter((path) => path.startsWith("dist/") && !/\.(js|d\.ts)$/.test(path))).toEqual([]);

  const user = join(folder, "user");
  await mkdir(user);
  await writeFile(join(user, "package.json"), '{ "private": true, "type": "module" }');
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  const installed = await run("npm", ["install", ...flags, join(folder, filename)], { cwd: user });
  expect(installed.exitCode, installed.stderr).toBe(0);
  await writeFile(join(user, "use.js"), SCRIPT);
  expect(await runNode(["use.js"], { cwd: user })).toEqual({ exitCode: 0, stdout: "c/1 ok BLOCKED\n", stderr: "" });
}, 180_000);

const SCRIPT = `
import { createExecutor, defineTool, Type } from "nestcall";
import { approvalGuard } from "nestcall/guards";
import "nestcall/testing";

const inner = defineTool({ name: "inner", description: "Is called.", inputSchema: Type.Object({}), effect: "read", execute: () => "x" });
const wipe = defineTool({ name: "wipe", description: "Is blocked.", inputSchema: Type.Object({}), effect: "destructive", execute: () => "x" });
const outer = defineTool({
  name: "outer", description: "Calls.", inputSchema: Type.Object({}), effect: "write",
  async execute(_args, ctx) {
    const [first, second] = [await ctx.executeTool(inner, {}), await ctx.executeTool(wipe, {})];
    return [first.toolCall.id, first.status, second.error.code].join(" ");
  },
});
const executor = createExecutor({ tools: [inner, wipe, outer] });
executor.on("tool_call", approvalGuard());
const outcome = await executor.executeTool(outer, {}, { toolCallId: "c" });
console.log(outcome.result.content[0].text);
await executor.close();
`;

async function importBuilt(target: string): Promise<object> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(root, target)).href)) as object;
}

/** The files that a process has loaded once it has imported a module: V8 names them in its coverage report. */
async function filesLoadedBy(module: string): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  const script = `await import(${JSON.stringify(pathToFileURL(module).href)})`;
  const { exitCode, stderr } = await runNode(["--input-type=module", "--eval", script], {
    env: { NODE_V8_COVERAGE: folder },
  });
  expect(exitCode, stderr).toBe(0);
  const [report = ""] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, report), "utf8")) as { result: { url: string }[] };
  return result.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []));
}
