// A program is watched without a line of its own: as `node --import nestcall/trace/register` does it.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createExecutor } from "nestcall";
import { parseTrace } from "nestcall/trace";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { ensureBuilt, root } from "../examples/built.js";
import { runNode, temporaryFolder } from "../examples/run.js";

vi.setConfig({ testTimeout: 60_000 });
beforeAll(() => ensureBuilt(["tsconfig.build.json"]), 120_000);

const PROGRAM = (rest = "") => `
import { Worker } from "node:worker_threads";
import { createExecutor, defineTool, Type } from "${new URL("../../dist/index.js", import.meta.url).href}";
const look = defineTool({ name: "look", description: "Looks.", inputSchema: Type.Object({}), execute: () => "seen" });
for (const name of ["first", "second"]) {
  const outer = defineTool({ name, description: "Calls.", inputSchema: Type.Object({}), execute: (_, ctx) => ctx.executeTool(look, {}).then(() => "done") });
  await createExecutor({ tools: [look, outer] }).executeTool(name, {}, { toolCallId: "same" });
}
${rest}`;

async function watched(program: string, file: string) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "program.mjs"), program);
  const path = join(folder, file);
  const register = join(root, "dist", "trace", "register.js");
  const ran = await runNode(["--import", register, "program.mjs"], {
    cwd: folder,
    env: { NESTCALL_TRACE: file === "" ? "" : path },
  });
  return { ...ran, path, text: existsSync(path) && file !== "" ? readFileSync(path, "utf8") : undefined };
}

test("the calls of all executors are written when the program ends, whatever ends it, for its owner alone", async () => {
  for (const rest of ["", "process.exit(3);", "throw new Error('no');", "new Worker('1', { eval: true });"]) {
    const { text = "", path } = await watched(PROGRAM(rest), "calls.nestcall.jsonl");
    const { calls } = parseTrace(text);
    expect(calls.map(({ name, depth }) => `${depth} ${name}`)).toEqual(["0 first", "1 look", "0 second", "1 look"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test("the name of the file says what is written", async () => {
  expect((await watched(PROGRAM(), "page.html")).text).toMatch(/^<!doctype html>/i);
  expect(JSON.parse((await watched(PROGRAM(), "calls.json")).text ?? "")).toHaveProperty("traceEvents");
  const wrong = await watched(PROGRAM(), "page.txt");
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toMatch(/NESTCALL_TRACE is ".*page\.txt": set it to the file to write: page\.html/);
});

test("without the variable, or without an executor, nothing is written; a file that cannot be is told", async () => {
  expect(await watched(PROGRAM(), "")).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await watched("export {};", "page.html")).text).toBeUndefined();
  const { exitCode, stderr } = await watched(PROGRAM(), "none/page.html");
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^NESTCALL_TRACE: .*none\/page\.html cannot be written: ENOENT/);
});

test("subscribers of nestcall:executor get every executor at once", () => {
  const heard: unknown[] = [];
  const listener = (message: unknown) => void heard.push(message);
  subscribe("nestcall:executor", listener);
  onTestFinished(() => void unsubscribe("nestcall:executor", listener));
  const executor = createExecutor();
  expect(heard).toEqual([{ executor }]);
});
