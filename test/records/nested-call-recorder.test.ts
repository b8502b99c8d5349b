import { ErrorCode, NESTED_CALL_LIMITS, NestcallError, type NestedCallRecord, NestedCallRecorder } from "nestcall";
import { expect, test } from "vitest";

const OK = { status: "ok" } as const;

/** Arguments whose compact JSON has exactly this many bytes. */
function argumentsOf(bytes: number): { readonly text: string } {
  return { text: "a".repeat(bytes - '{"text":""}'.length) };
}

function recordOf(recorder: NestedCallRecorder, index = 0): NestedCallRecord {
  const record = recorder.snapshot().nestedCalls?.calls[index];
  if (record === undefined) throw new Error(`there is no record ${index}`);
  return record;
}

test("R1: without calls there is no record, without usage no sum", () => {
  expect(new NestedCallRecorder().snapshot()).toEqual({});
});

test("R1: calls are listed in the order of their starts, whatever the order of their ends", () => {
  const recorder = new NestedCallRecorder();
  const [a, b] = ["a", "b"].map((name, index) => recorder.start({ id: `r/${index + 1}`, name, arguments: { index } }));
  recorder.finish(b as never, {
    status: "error",
    error: { code: ErrorCode.TOOL_FAILED, message: "no" },
    durationMs: 2,
  });
  recorder.finish(a as never, { status: "ok", durationMs: 5 });
  expect(recorder.snapshot()).toStrictEqual({
    nestedCalls: {
      calls: [
        { id: "r/1", name: "a", arguments: { index: 0 }, status: "ok", durationMs: 5 },
        {
          id: "r/2",
          name: "b",
          arguments: { index: 1 },
          status: "error",
          durationMs: 2,
          error: "no",
          code: "TOOL_FAILED",
        },
      ],
      complete: true,
    },
  });
});

test("R2: 8,192 bytes of arguments are kept, one more is measured", () => {
  const recorder = new NestedCallRecorder();
  for (const bytes of [8192, 8193])
    recorder.finish(recorder.start({ id: "r/1", name: "t", arguments: argumentsOf(bytes) }), OK);
  expect(recordOf(recorder, 0).arguments).toEqual(argumentsOf(8192));
  expect(recordOf(recorder, 0)).not.toHaveProperty("argumentsBytes");
  expect(recordOf(recorder, 1)).toStrictEqual({ id: "r/1", name: "t", argumentsBytes: 8193, status: "ok" });
  expect(recorder.snapshot().nestedCalls?.complete).toBe(false);
});

test("R2: 32,768 bytes are kept in all; what is left out does not count", () => {
  const recorder = new NestedCallRecorder();
  for (const bytes of [8192, 20_000, 8192, 8192, 8190, 100, 12, 2]) {
    const args = bytes === 2 ? {} : argumentsOf(bytes);
    recorder.finish(recorder.start({ id: "r/1", name: "t", arguments: args }), OK);
  }
  const sizes = recorder.snapshot().nestedCalls?.calls.map((call) => call.argumentsBytes ?? "kept");
  expect(sizes).toEqual(["kept", 20_000, "kept", "kept", "kept", 100, 12, "kept"]);
});

test("R2: bytes are those of UTF-8", () => {
  const recorder = new NestedCallRecorder();
  recorder.start({ id: "r/1", name: "t", arguments: { text: "é".repeat(4091) } });
  recorder.start({ id: "r/2", name: "t", arguments: { text: "é".repeat(4090) } });
  expect(recordOf(recorder, 0).argumentsBytes).toBe(8193);
  expect(recordOf(recorder, 1)).toHaveProperty("arguments");
});

test("R3: 256 calls are kept, the others counted", () => {
  const recorder = new NestedCallRecorder();
  for (let n = 1; n <= 260; n += 1) recorder.finish(recorder.start({ id: `r/${n}`, name: "t" }), OK);
  const nestedCalls = recorder.snapshot().nestedCalls;
  expect(nestedCalls?.calls.map(({ id }) => id)).toEqual(Array.from({ length: 256 }, (_, index) => `r/${index + 1}`));
  expect(nestedCalls).toMatchObject({ dropped: 4, complete: false });
});

test("R3: exactly 256 calls are a complete record", () => {
  const recorder = new NestedCallRecorder();
  for (let n = 1; n <= 256; n += 1) recorder.finish(recorder.start({ id: `r/${n}`, name: "t" }), OK);
  expect(recorder.snapshot().nestedCalls?.complete).toBe(true);
  expect(recorder.snapshot().nestedCalls).not.toHaveProperty("dropped");
});

test("R4: a call that has not finished makes the record incomplete", () => {
  const recorder = new NestedCallRecorder();
  const handle = recorder.start({ id: "r/1", name: "t" });
  expect(recorder.snapshot().nestedCalls).toMatchObject({ complete: false, calls: [{ status: "unfinished" }] });
  recorder.finish(handle, { status: "aborted", error: { code: ErrorCode.ABORTED, message: "stopped" } });
  expect(recorder.snapshot().nestedCalls).toMatchObject({
    complete: true,
    calls: [{ status: "aborted", code: "ABORTED" }],
  });
});

test("R4: the first end of a call counts", () => {
  const recorder = new NestedCallRecorder();
  const handle = recorder.start({ id: "r/1", name: "t" });
  recorder.finish(handle, { status: "ok", durationMs: 1 });
  recorder.finish(handle, { status: "error", durationMs: 2, error: { code: ErrorCode.TOOL_FAILED, message: "late" } });
  expect(recordOf(recorder)).toStrictEqual({ id: "r/1", name: "t", arguments: {}, status: "ok", durationMs: 1 });
});

test.each([
  [500, "", 500],
  [501, "", 500],
  [499, "😀", 499],
  [498, "😀", 500],
])("R4: an error of %i characters and %j is cut to %i", (length, end, kept) => {
  const recorder = new NestedCallRecorder();
  const message = "e".repeat(length) + end;
  recorder.finish(recorder.start({ id: "r/1", name: "t" }), {
    status: "error",
    error: { code: ErrorCode.TOOL_FAILED, message },
  });
  expect(recordOf(recorder).error).toBe(message.slice(0, kept));
  expect(recorder.snapshot().nestedCalls?.complete).toBe(true);
});

test("R4: names are cut at 128 characters, never inside a pair", () => {
  const recorder = new NestedCallRecorder();
  for (const name of ["n".repeat(129), `${"n".repeat(127)}😀`])
    recorder.finish(recorder.start({ id: "r/1", name }), OK);
  expect(recordOf(recorder, 0).name).toBe("n".repeat(128));
  expect(recordOf(recorder, 1).name).toBe("n".repeat(127));
  expect(recorder.snapshot().nestedCalls?.complete).toBe(true);
});

test("R4: a lone half becomes U+FFFD in arguments, their keys, names and errors, before measuring", () => {
  const recorder = new NestedCallRecorder();
  const call = { id: "r/1", name: "n\ud800", arguments: { "k\udc00": ["v\ud800"] } };
  const error = { code: ErrorCode.TOOL_FAILED, message: "e\udfff" };
  recorder.finish(recorder.start(call), { status: "error", error });
  expect(recordOf(recorder)).toMatchObject({
    name: "n\ufffd",
    arguments: { "k\ufffd": ["v\ufffd"] },
    error: "e\ufffd",
  });
  recorder.start({ id: "r/2", name: "t", arguments: { text: "\ud800".repeat(2727) } }); // 11 + 3 * 2,727 bytes
  expect(recordOf(recorder, 1)).toHaveProperty("arguments");
  recorder.start({ id: "r/3", name: "t", arguments: { text: "\ud800".repeat(2728) } });
  expect(recordOf(recorder, 2).argumentsBytes).toBe(8195);
});

test("R5: a record can be turned into JSON and back", () => {
  const recorder = new NestedCallRecorder();
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  for (const args of [{ at: new Date(0), not: Number.NaN }, loop, { big: 1n }, { fn() {} }, [undefined], "text", 5]) {
    recorder.finish(recorder.start({ id: "r/1", name: "t", arguments: args }), OK);
  }
  const { nestedCalls } = recorder.snapshot();
  expect(JSON.parse(JSON.stringify(nestedCalls))).toEqual(nestedCalls);
});

test("A1, A2: arguments are copied at the start; none stand for {}, unreadable ones for nothing", () => {
  const recorder = new NestedCallRecorder();
  const args = { list: [1] };
  recorder.finish(recorder.start({ id: "r/1", name: "t", arguments: args }), OK);
  args.list.push(2);
  for (const none of [undefined, null]) recorder.finish(recorder.start({ id: "r/2", name: "t", arguments: none }), OK);
  expect(recorder.snapshot().nestedCalls?.calls.map((call) => call.arguments)).toEqual([{ list: [1] }, {}, {}]);
  expect(recorder.snapshot().nestedCalls?.complete).toBe(true);
  recorder.finish(recorder.start({ id: "r/4", name: "t", arguments: { big: 1n } }), OK);
  expect(recordOf(recorder, 3)).toStrictEqual({ id: "r/4", name: "t", status: "ok" });
  expect(recorder.snapshot().nestedCalls?.complete).toBe(false);
});

test("R1: a snapshot does not change with what comes later, and changing it changes no other", () => {
  const recorder = new NestedCallRecorder();
  const handle = recorder.start({ id: "r/1", name: "t", arguments: { a: 1 } });
  recorder.addUsage({ input: 1, cost: { total: 1 } });
  const first = recorder.snapshot();
  const asItWas = structuredClone(first);
  recorder.finish(handle, OK);
  recorder.start({ id: "r/2", name: "t" });
  recorder.addUsage({ input: 2, cost: { total: 2 } });
  expect(first).toEqual(asItWas);

  const second = recorder.snapshot();
  Object.assign(second.nestedCalls?.calls[0] as object, { name: "changed" });
  (second.nestedCalls?.calls as unknown[]).length = 0;
  Object.assign(second.usage as object, { input: 99 });
  Object.assign(second.usage?.cost as object, { total: 99 });
  expect(recorder.snapshot()).toMatchObject({
    nestedCalls: { calls: [{ name: "t" }, { id: "r/2" }] },
    usage: { input: 3, cost: { total: 3 } },
  });
  expect(Object.isFrozen(recordOf(recorder).arguments)).toBe(true);
});

test("R7: usage counts without a call; a field that is no amount does not", () => {
  const recorder = new NestedCallRecorder();
  recorder.addUsage({ input: 1 });
  expect(recorder.snapshot()).toEqual({ usage: { input: 1 } });
  recorder.addUsage({ input: -1, output: 2, cost: { total: Number.NaN, input: 1 } });
  expect(recorder.snapshot()).toEqual({ usage: { input: 1, output: 2, cost: { input: 1 } } });
});

test.each(["much", 5, true, [1]])("addUsage refuses %o with a NestcallError", (wrong) => {
  const recorder = new NestedCallRecorder();
  expect(() => recorder.addUsage(wrong as never)).toThrow(NestcallError);
  expect(recorder.snapshot()).toEqual({});
});

test.each([undefined, null, 5, {}, { id: 1, name: "t" }, { id: "r/1" }, { id: "r/1", name: Symbol("t") }])(
  "start refuses %o with a NestcallError",
  (wrong) => {
    const recorder = new NestedCallRecorder();
    const start = () => recorder.start(wrong as never);
    expect(start).toThrow(NestcallError);
    expect(start).toThrow(expect.objectContaining({ code: ErrorCode.INVALID_ARGUMENTS }));
    expect(recorder.snapshot()).toEqual({});
  },
);

test.each([
  ["a handle that is none", {}, OK],
  ["no outcome", undefined, undefined],
  ["an unknown status", undefined, { status: "fine" }],
  ["an error without a message", undefined, { status: "error", error: {} }],
])("finish refuses %s with a NestcallError", (_what, handle, outcome) => {
  const recorder = new NestedCallRecorder();
  const real = recorder.start({ id: "r/1", name: "t" });
  expect(() => recorder.finish((handle ?? real) as never, outcome as never)).toThrow(NestcallError);
});

test("NESTED_CALL_LIMITS is what the design says, and cannot be changed", () => {
  expect(NESTED_CALL_LIMITS).toEqual({
    maxCalls: 256,
    maxArgumentBytesPerCall: 8192,
    maxArgumentBytesTotal: 32_768,
    maxErrorChars: 500,
    maxNameChars: 128,
  });
  expect(Object.isFrozen(NESTED_CALL_LIMITS)).toBe(true);
});
