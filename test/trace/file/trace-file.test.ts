// Traces in files: saved, read back, torn, damaged, of another version; and a file that is written while calls run.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor } from "nestcall";
import { createGate } from "nestcall/testing";
import {
  createTraceCollector,
  createTraceWriter,
  parseTrace,
  readTraceFile,
  saveTrace,
  traceLines,
  traceOf,
} from "nestcall/trace";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../examples/run.js";
import { caller, tool } from "../../helpers/engine.js";
import { sampleEvents } from "../sample-events.js";

const LINES = traceLines(sampleEvents(), 1_700_000_000_000);
const leaf = tool("leaf", () => "text");

test("a trace that was saved is the same when it is read back; only its owner may read it", async () => {
  const path = join(await temporaryFolder(), "run.nestcall.jsonl");
  const executor = createExecutor({ tools: [leaf, caller("outer", [["leaf", { n: 1 }], ["missing"]])] });
  const collector = createTraceCollector(executor);
  await executor.executeTool("outer");
  await executor.executeTool("leaf");
  await saveTrace(path, collector);
  expect(await readTraceFile(path)).toEqual(collector.trace());
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await saveTrace(path, sampleEvents());
  expect(await readTraceFile(path)).toEqual(traceOf(sampleEvents()));
});

test("the first line says what it is, and every line is one event", () => {
  const lines = LINES.trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines[0]).toEqual({ type: "nestcall_trace", version: 1, createdAt: 1_700_000_000_000 });
  expect(lines.slice(1)).toEqual(sampleEvents());
});

test("torn at any byte, what stands before the last line is read, and the trace says so", () => {
  const bytes = Buffer.from(LINES);
  const firstEnd = LINES.indexOf("\n");
  for (let end = firstEnd + 1; end < bytes.length; end += 1) {
    const torn = bytes.subarray(0, end).toString();
    const { calls, notes } = parseTrace(torn);
    const whole = torn.slice(0, torn.lastIndexOf("\n") + 1);
    const isWholeLine = torn === whole || bytes[end] === 10;
    expect(notes.length, `${end}`).toBe(isWholeLine ? 0 : 1);
    if (end % 97 === 0 && !isWholeLine) expect(calls).toEqual(parseTrace(whole).calls);
  }
});

const START = LINES.split("\n")[1] ?? "";
const HEADER = `${LINES.split("\n")[0]}\n`;
const changed = (change: object) => `${HEADER}${JSON.stringify({ ...(JSON.parse(START) as object), ...change })}\n`;

test.each([
  ["", "The trace is empty; a trace is written while calls run"],
  ["\ufeff\r\n", "The trace is empty"],
  ["not json", "nor a JSON record"],
  ["{}", "The trace is neither a trace nor a record. recordTree takes a record"],
  [
    '{"type":"nestcall_trace","version":2}\n',
    "is a trace of version 2; this nestcall reads version 1. Update nestcall",
  ],
  [`${HEADER}{"broken\n${START}\n`, 'Line 2 of The trace is no JSON: {"broken'],
  [`${HEADER}${START}\n[1]\n`, "Line 3 of The trace is no event: it is an array, not an object"],
  [changed({ toolCallId: 5 }), "Line 2 of The trace is no event: its toolCallId is 5, not a text"],
  [changed({ timestamp: null }), "its timestamp is null, not a number from 0 up that a time can be"],
  [changed({ timestamp: 1e308 }), "its timestamp is 1e+308, not a number from 0 up"],
  [changed({ depth: -1 }), "its depth is -1, not a number from 0 up"],
  [changed({ type: 7 }), "its type is 7, not a text"],
  [
    changed({ type: "tool_execution_end", status: "fine", isError: false }),
    'its status is the string "fine"; known are ok, error, aborted',
  ],
  [
    changed({ type: "tool_execution_end", status: "ok", isError: false, result: { content: [{ type: "text" }] } }),
    "not a list of blocks",
  ],
  [changed({ type: "tool_execution_wait", reason: "files", paths: [1] }), "its paths is an array, not a list of texts"],
])("what cannot be read is named: %j", (text, message) => {
  expect(() => parseTrace(text)).toThrow(message);
});

test("events of a later version are left out, and the trace says how many", () => {
  const { calls, notes } = parseTrace(`${HEADER}${START}\n{"type":"tool_execution_dream"}\n`);
  expect([calls.length, notes]).toEqual([1, ["1 events of kinds that this version does not know are left out."]]);
});

test("a record or an outcome, as JSON, is a trace too", async () => {
  const executor = createExecutor({ tools: [leaf, caller("outer", [["leaf"]])] });
  const outcome = await executor.executeTool("outer", {}, { toolCallId: "T" });
  expect(parseTrace(JSON.stringify(outcome, null, 2)).calls.map(({ id }) => id)).toEqual(["T", "T/1"]);
  expect(parseTrace(JSON.stringify(outcome.nestedCalls)).calls.map(({ id }) => id)).toEqual(["T", "T/1"]);
});

test("errors name the file", async () => {
  const path = join(await temporaryFolder(), "x.nestcall.jsonl");
  await writeFile(path, `${HEADER}oops\n`);
  await expect(readTraceFile(path)).rejects.toThrow("Line 2 of x.nestcall.jsonl is no JSON: oops");
});

test("a writer has every event in the file while calls still run, and the whole once it is closed", async () => {
  const path = join(await temporaryFolder(), "live.nestcall.jsonl");
  const gate = createGate();
  const waits = tool("waits", async (_args, ctx) => {
    await ctx.executeTool("leaf", { secret: "hunter2" });
    await gate.promise;
    return "done";
  });
  const executor = createExecutor({ tools: [leaf, waits] });
  const writer = createTraceWriter(executor, path, { patterns: ["hunter2"], roots: ["waits"] });
  const collector = createTraceCollector(executor, { patterns: ["hunter2"], roots: ["waits"] });
  await executor.executeTool("leaf");
  const run = executor.executeTool("waits", {}, { toolCallId: "T" });
  await expect
    .poll(async () => parseTrace(await readFile(path, "utf8")).calls.map(({ id, status }) => `${id} ${status}`))
    .toEqual(["T unfinished", "T/1 ok"]);
  gate.open();
  await run;
  await writer.close();
  await executor.executeTool("waits");
  expect(await readTraceFile(path)).toEqual(collector.trace([1]));
  expect(await readFile(path, "utf8")).not.toContain("hunter2");
});

test("a writer counts the calls for which the file has no room", async () => {
  const path = join(await temporaryFolder(), "small.nestcall.jsonl");
  const calls = Array.from({ length: 50 }, () => ["leaf", { text: "x".repeat(100) }] as const);
  const executor = createExecutor({ tools: [leaf, caller("outer", calls)] });
  const writer = createTraceWriter(executor, path, { maxBytes: 4096 });
  await executor.executeTool("outer", {}, { toolCallId: "T" });
  await writer.close();
  const { calls: kept, dropped } = await readTraceFile(path);
  expect(kept.length + dropped).toBe(51);
  expect(dropped).toBeGreaterThan(20);
  expect(kept[0]?.status).toBe("ok");
});

test("a file that cannot be written is told when the writer is closed; calls go on", async () => {
  const executor = createExecutor({ tools: [leaf] });
  const writer = createTraceWriter(executor, join(await temporaryFolder(), "no", "such", "folder"));
  expect((await executor.executeTool("leaf")).status).toBe("ok");
  await expect(writer.close()).rejects.toThrow("ENOENT");
});
