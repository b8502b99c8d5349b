// How runs end on the host's side: journals that fail or are in use, calls that do not heed their signal.
import { createCodemodeRuntime } from "nestcall/codemode";
import { createGate } from "nestcall/testing";
import { afterAll, expect, test } from "vitest";

const runtime = createCodemodeRuntime();
afterAll(() => runtime.close());

const tools = [{ name: "get" }];

/** A log that fails for one type of entry, or when it is read. */
function failing(type: string, fail: () => unknown) {
  const entries: unknown[] = [];
  return {
    push: (entry: { readonly type?: string }) => (entry.type === type ? fail() : entries.push(entry)),
    *[Symbol.iterator]() {
      if (type === "reading") fail();
      yield* entries;
    },
  };
}
const throwing = () => {
  throw new Error("disk full");
};

test.each([
  ["throws at its first entry", failing("start", throwing)],
  ["rejects its first entry", failing("start", () => Promise.reject(new Error("disk full")))],
  ["cannot be read", failing("reading", throwing)],
])("7.1: a journal that %s ends the run as its own failure, and nothing is called", async (_how, journal) => {
  const made: string[] = [];
  const callTool = (name: string) => made.push(name);
  const run = await runtime.run("return await tools.get({});", { tools, callTool, journal });
  expect(run).toMatchObject({
    status: "engine",
    error: { name: "JournalError", message: expect.stringMatching(/journal.*disk full/s) },
  });
  expect(made).toEqual([]);
});

test("7.1: what is no journal of a script is a divergence still", async () => {
  const run = await runtime.run("return 1", { tools, callTool: () => 1, journal: [{ type: "other" }] });
  expect(run).toMatchObject({ status: "divergence", error: { name: "DivergenceError" } });
});

test("7.1: a journal that cannot be told of the end leaves a warning, and the value stays", async () => {
  const run = await runtime.run("return 7", { tools, callTool: () => 1, journal: failing("end", throwing) });
  expect(run).toMatchObject({ status: "ok", value: 7, warnings: [expect.stringContaining("disk full")] });
});

test("7.1: a second run on a journal is refused while the first one has it, and not after that", async () => {
  const gate = createGate<number>();
  const journal: unknown[] = [];
  const options = { tools, callTool: () => gate.promise, journal };
  const first = runtime.run("return await tools.get({});", options);
  await expect(runtime.run("return await tools.get({});", options)).rejects.toMatchObject({
    code: "INVALID_ARGUMENTS",
    message: expect.stringContaining("in use"),
  });
  gate.open(5);
  expect(await first).toMatchObject({ status: "ok", value: 5 });
  expect(await runtime.run("return await tools.get({});", options)).toMatchObject({ status: "ok", value: 5 });
  expect(journal.map((entry) => (entry as { readonly type: string }).type)).toEqual(["start", "call", "result", "end"]);
});

test("7.1: at the wall limit a call that heeds its signal is aborted, one that does not is unfinished", async () => {
  const callTool = (name: string, _args: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      if (name === "heeds") signal.addEventListener("abort", () => reject(signal.reason));
    });
  const run = await runtime.run("await Promise.all([tools.heeds({}), tools.ignores({})]);", {
    tools: [{ name: "heeds" }, { name: "ignores" }],
    callTool,
    limits: { wallMs: 50 },
  });
  expect(run).toMatchObject({ status: "limit", error: { limit: "wall" } });
  expect(run.calls.map(({ name, status }) => `${name} ${status}`)).toEqual(["heeds aborted", "ignores unfinished"]);
});

test("7.1: so it is with calls that nobody awaits when their time is up", async () => {
  const run = await runtime.run("tools.get({}); return 1;", {
    tools,
    callTool: () => new Promise(() => {}),
    limits: { drainMs: 30 },
  });
  expect(run).toMatchObject({ status: "ok", value: 1, calls: [{ status: "unfinished" }] });
});
