// What a collector and a writer keep stays within their bounds, whatever calls bring; and root calls of one id stay apart.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, type ToolExecutionEvent } from "nestcall";
import { createGate } from "nestcall/testing";
import { createTraceCollector, createTraceWriter, readTraceFile, type Trace } from "nestcall/trace";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../examples/run.js";
import { textOf, tool } from "../../helpers/engine.js";

const KIB = 1024;
const briefly = ({ calls }: Trace) =>
  calls.map(({ name, arguments: args, result }) => {
    const text = result === undefined ? "(open)" : textOf({ result } as never);
    return `${name} ${JSON.stringify(args)} ${text}`;
  });

/** An executor of which a test makes up the events. */
function fake() {
  const listeners: ((event: never) => unknown)[] = [];
  const add = (listener: (event: never) => unknown) => {
    listeners.push(listener);
    return () => {};
  };
  const executor = { subscribe: add, on: (_type: string, listener: (event: never) => unknown) => add(listener) };
  const emit = (event: object) => {
    const type = (event as ToolExecutionEvent).type;
    const [progress, wait] = listeners;
    (type === "tool_execution_wait" ? wait : progress)?.(event as never);
  };
  const of = (ordinal: number, type: string, more: object = {}) => {
    const base = { toolName: "x", timestamp: 1, rootOrdinal: 1, ordinal };
    const place =
      ordinal === 0 ? { toolCallId: "T", depth: 0 } : { toolCallId: `T/${ordinal}`, parentToolCallId: "T", depth: 1 };
    emit({ type: `tool_execution_${type}`, ...base, ...place, ...more });
  };
  return { executor: executor as never, of, emit };
}
const start = (bytes: number, digit = "7") => ({ arguments: { a: digit.repeat(bytes) }, argumentsBytes: bytes + 8 });
const ok = (text: string) => ({
  status: "ok",
  isError: false,
  durationMs: 1,
  result: { content: [{ type: "text", text }] },
});

test("S2: two open root calls with one id stay apart, in a collector and in a file", async () => {
  const path = join(await temporaryFolder(), "x.nestcall.jsonl");
  const [gate, done] = [createGate(), createGate()];
  const leaf = tool("leaf", async ({ of }) => {
    await gate.promise;
    return `leaf of ${of}`;
  });
  const root = tool("root", async ({ of }, ctx) => {
    if (of === "C") return done.promise.then(() => "root C");
    await Promise.all([ctx.executeTool("leaf", { of }), ctx.executeTool("leaf", { of })]);
    return `root ${of}`;
  });
  const executor = createExecutor({ tools: [leaf, root] });
  const collector = createTraceCollector(executor);
  const writer = createTraceWriter(executor, path);
  const ending = ["A", "B", "C"].map((of) => executor.executeTool("root", { of }, { toolCallId: "r" }));
  gate.open();
  await Promise.all(ending.slice(0, 2));
  expect(briefly(collector.trace())).toHaveLength(7);
  done.open();
  await Promise.all(ending);
  await writer.close();
  const wanted = ["A", "B"].flatMap((of) => [
    `root {"of":"${of}"} root ${of}`,
    `leaf {"of":"${of}"} leaf of ${of}`,
    `leaf {"of":"${of}"} leaf of ${of}`,
  ]);
  expect(briefly(collector.trace())).toEqual([...wanted, 'root {"of":"C"} root C']);
  expect(briefly(await readTraceFile(path)).toSorted()).toEqual([...wanted, 'root {"of":"C"} root C'].toSorted());
});

test("a collector that comes when a root call runs already hears nothing of it, and breaks nothing", async () => {
  const gate = createGate();
  const leaf = tool("leaf", () => "x");
  const root = tool("root", async (_args, ctx) => {
    await ctx.executeTool("leaf");
    await gate.promise;
    await ctx.executeTool("leaf");
  });
  const executor = createExecutor({ tools: [leaf, root] });
  const first = executor.executeTool("root", {}, { toolCallId: "r" });
  const collector = createTraceCollector(executor);
  const second = executor.executeTool("root", {}, { toolCallId: "r" });
  gate.open();
  await Promise.all([first, second]);
  expect(collector.trace().calls.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "root ok",
    "leaf ok",
    "leaf ok",
  ]);
});

test.each([
  ["longer than what they hide", /\d/, "[a very long replacement text]", 0],
  ["shorter than what they hide", /\d{100,}/, "x", 3000],
])("replacements that are %s: the budget counts what is kept", (_what, pattern, replacement, most) => {
  const { executor, of } = fake();
  const collector = createTraceCollector(executor, { maxBytes: 1024 * KIB, patterns: [pattern], replacement });
  of(0, "start", start(1));
  for (let n = 1; n <= 3000; n += 1) {
    of(n, "start", start(8000));
    of(n, "end", ok("7"));
  }
  const [root] = collector.roots();
  const kept = JSON.stringify(collector.events()).length;
  expect(root?.bytes).toBeGreaterThan(0);
  expect(root?.bytes).toBeLessThanOrEqual(1100 * KIB);
  expect(kept).toBeLessThan(3000 * 700);
  expect(root?.calls).toBeGreaterThan(most === 0 ? 100 : 2999);
});

test("waits, updates, failures, names and ids are within the budget too", () => {
  const { executor, of } = fake();
  const collector = createTraceCollector(executor, { maxBytes: 256 * KIB });
  of(0, "start", start(1));
  of(1, "start", start(1));
  for (let n = 0; n < 20_000; n += 1) of(1, "wait", { reason: "files", paths: ["p".repeat(5000)], heldBy: "T/9" });
  for (let n = 2; n < 60; n += 1) of(n, "start", { ...start(1), toolName: "n".repeat(KIB * KIB) + n });
  for (let n = 2; n < 60; n += 1) of(n, "update", { partialResult: ok("u".repeat(8000)).result });
  for (let n = 2; n < 60; n += 1)
    of(n, "end", { ...ok("e".repeat(8000)), status: "error", isError: true, code: "TOOL_FAILED" });
  expect(JSON.stringify(collector.events()).length).toBeLessThan(512 * KIB);
  expect(collector.roots()[0]?.bytes).toBeLessThan(300 * KIB);
});

test("what is cut was redacted before", () => {
  const { executor, of } = fake();
  const secret = `sk-${"SECRET".repeat(6)}`;
  const collector = createTraceCollector(executor, { patterns: [/sk-[A-Za-z]{30,}/] });
  of(0, "start", start(1));
  const content = [
    { type: "resource", resource: { uri: `u:${"x".repeat(180)}${secret}`, text: "y".repeat(20_000) } },
    { type: "resource_link", uri: `u:${"x".repeat(180)}${secret}`, name: "z".repeat(20_000) },
    { type: "image", data: "A".repeat(20_000), mimeType: `image/${"x".repeat(40)}${secret}` },
  ];
  of(0, "end", { ...ok(""), result: { content } });
  expect(JSON.stringify(collector.events())).not.toContain("sk-SEC");
});

test("a file that is full holds no more root calls, updates nor results, and says how many calls are missing", async () => {
  const path = join(await temporaryFolder(), "x.nestcall.jsonl");
  const { executor, of } = fake();
  const writer = createTraceWriter(executor, path, { maxBytes: 10_000 });
  of(0, "start", start(1));
  of(1, "start", start(1));
  for (let n = 0; n < 5000; n += 1) of(1, "update", { partialResult: ok("u".repeat(8000)).result });
  of(1, "end", ok("r".repeat(8000)));
  of(2, "start", start(1));
  of(2, "end", ok(""));
  of(0, "end", ok("r".repeat(8000)));
  for (let n = 2; n < 3000; n += 1) {
    const root = { rootOrdinal: n, toolCallId: `R${n}` };
    of(0, "start", { ...start(1), ...root });
    of(0, "end", { ...ok("x"), ...root });
  }
  await writer.close();
  expect(statSync(path).size).toBeLessThan(30_000);
  const { calls, dropped } = await readTraceFile(path);
  expect([calls.map(({ id, status }) => `${id} ${status}`), dropped]).toEqual([["T ok", "T/1 ok"], 1 + 2998]);
  expect(readFileSync(path, "utf8")).not.toContain("rrrr");
});
