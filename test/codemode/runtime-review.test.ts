import { createCodemodeRuntime } from "nestcall/codemode";
import { createGate } from "nestcall/testing";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

const runtime = createCodemodeRuntime({ workers: 1 });
afterAll(() => runtime.close());
const echo = (_name: string, args: unknown) => args;

test("7.1: close() ends a script that waits for a call as aborted, not as one whose worker died", async () => {
  const own = createCodemodeRuntime({ workers: 1 });
  const called = createGate<void>();
  const never = new Promise(() => {});
  const run = own.run("text('before'); await tools.wait({}); return 1", {
    tools: [{ name: "wait" }],
    callTool: () => {
      called.open();
      return never;
    },
  });
  await called.promise;
  await own.close();
  const { status, calls } = await run;
  expect(status).toBe("aborted");
  expect(calls).toMatchObject([{ id: 1, name: "wait", status: "unfinished" }]);
});

test("a tool may have the schema of a library; one without a JSON form says nothing and refuses no run", async () => {
  const circle: Record<string, unknown> = { type: "object" };
  circle.properties = { self: circle };
  const tools = [
    { name: "zod", inputSchema: z.object({ path: z.string(), depth: z.number().optional() }) },
    { name: "circle", inputSchema: circle },
    { name: "big", inputSchema: { type: "object", properties: { n: { default: 1n } } } },
  ];
  const run = await runtime.run("return ALL_TOOLS.map(({ name }) => describeTool(name))", { tools, callTool: echo });
  expect(run.status).toBe("ok");
  const [zod, ...others] = (run as { value: string[] }).value;
  expect(zod).toContain("{ path: string; depth?: number }");
  for (const other of others) expect(other).toContain("args?: unknown");
});

test("a TypeScript namespace is refused with its line, and one in a text is a text", async () => {
  const options = { tools: [], callTool: echo };
  const run = await runtime.run("const a: number = 1;\nnamespace N { export const b = 2 }\nreturn N.b", options);
  expect(run).toMatchObject({ status: "error", error: { name: "SyntaxError", line: 2 } });
  const text = await runtime.run("const a: string = `\nnamespace N {\n`;\nreturn a.trim()", options);
  expect(text).toMatchObject({ status: "ok", value: "namespace N {" });
});

test("a journal that fails later than its push ends the script, and rejects nothing that nobody handles", async () => {
  const entries: unknown[] = [];
  const journal = {
    [Symbol.iterator]: () => entries[Symbol.iterator](),
    push: (entry: { readonly type?: string }) =>
      entry.type === "call" ? Promise.reject(new Error("disk full")) : entries.push(entry),
  };
  const tools = [{ name: "wait" }];
  const run = await runtime.run("return await tools.wait({})", {
    tools,
    callTool: () => new Promise(() => {}),
    journal,
  });
  expect(run).toMatchObject({ status: "engine", error: { name: "JournalError" } });
  expect((run as { error: { message: string } }).error.message).toContain("disk full");
});

test("7.1: a script whose worker had to be ended for another one has status engine, its open call is unfinished", async () => {
  const own = createCodemodeRuntime({ workers: 1 });
  const called = createGate<void>();
  const bystander = own.run("await tools.quick({}); await tools.wait({}); return 1", {
    tools: [{ name: "quick" }, { name: "wait" }],
    callTool: (name) => {
      if (name === "quick") return 1;
      called.open();
      return new Promise(() => {});
    },
  });
  await called.promise;
  // Looking for a text this way takes hours and never asks whether it may go on.
  const stubborn = "return 'a'.repeat(5e6).indexOf('a'.repeat(25e5) + 'b')";
  const culprit = await own.run(stubborn, { tools: [], callTool: echo, limits: { cpuMs: 100 } });
  expect(culprit).toMatchObject({ status: "limit", error: { limit: "cpu" } });
  const { status, calls } = await bystander;
  expect(status).toBe("engine");
  expect(calls.map((call) => call.status)).toEqual(["ok", "unfinished"]);
  expect(await own.run("return 2", { tools: [], callTool: echo })).toMatchObject({ status: "ok", value: 2 });
  await own.close();
});

test("C5: whether a script may ask about tools is told by its text, not by what its worker has seen before", async () => {
  const options = { tools: [{ name: "a", description: "A tool." }], callTool: echo };
  const hidden = "return [].at['cons' + 'tructor']('return th' + 'is.sear' + 'chTools(\"tool\")')()";
  const own = createCodemodeRuntime({ workers: 1 });
  const before = await own.run(hidden, options);
  expect(await own.run("return searchTools('tool')", options)).toMatchObject({ status: "ok", value: [{ name: "a" }] });
  const after = await own.run(hidden, options);
  expect(after).toMatchObject({ status: before.status, error: (before as { error?: object }).error });
  await own.close();
});
