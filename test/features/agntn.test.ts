// Rows of features.md that @agntn/tools states, through its own front door: A1 to A3, A9 to A15, A17, A18, A20 to A25, A30.
import { createExecutor, isTransportFailure, markTransportFailure, NestcallError } from "nestcall";
import {
  type AgntnTool,
  defineTool,
  type ExecuteOptions,
  type Static,
  type TObject,
  type ToolDefinition,
  type ToolResult,
  Type,
} from "nestcall/agntn";
import { expect, expectTypeOf, test } from "vitest";
import { type Data, endOf, textOf } from "../helpers/engine.js";

const result: ToolResult = { content: [{ type: "text", text: "ran" }], details: {} };
const GOOD = {
  name: "good_name",
  title: "Good",
  description: "A test tool.",
  effect: "read",
  input: Type.Object({}),
  execute: () => result,
} as const;
const define = (fields: Data): AgntnTool => defineTool({ ...GOOD, ...fields } as never) as never;

function refusal(fields: Data): string {
  try {
    define(fields);
  } catch (error) {
    if (error instanceof NestcallError && error.code === "INVALID_TOOL") return error.message;
    throw error;
  }
  throw new Error("the definition was accepted");
}
const closed = (properties: Data) => ({ type: "object", properties, additionalProperties: false });
const run = (fields: Data, args: Data = {}) =>
  createExecutor({ tools: [define(fields)] }).executeTool("good_name", args);

test("A1: defineTool takes one object and gives it back with every documented field, typed, as a tool of an executor", () => {
  const input = Type.Object(
    { path: Type.String(), deep: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  );
  const definition = {
    ...GOOD,
    snippet: "Good things",
    guidelines: ["Be good."],
    idempotent: false,
    openWorld: true,
    input,
  };
  const tool = defineTool(definition);
  const { execute: _, ...documented } = definition;
  expect(tool).toMatchObject(documented);
  expect([tool.input === input, tool.inputSchema === input, Object.isFrozen(tool)]).toEqual([true, true, true]);
  expect(defineTool(tool)).toBe(tool);
  expectTypeOf(tool.execute).parameter(0).toEqualTypeOf<{ path: string; deep?: boolean }>();
  expectTypeOf<Static<typeof tool.input>>().toEqualTypeOf<{ path: string; deep?: boolean }>();
  expect(createExecutor({ tools: [tool] }).registry.get("good_name")).toBe(tool);
});

test("A2: a bad schema throws when its module is imported", async () => {
  await expect(import("./fixtures/bad-agntn-tool.js")).rejects.toMatchObject({
    code: "INVALID_TOOL",
    message: expect.stringContaining('Tool "bad_tool": input.properties.path'),
  });
});

test("A3: a name has up to 64 lowercase letters, digits and underscores, and starts with a letter", () => {
  for (const name of ["a".repeat(64), "a", "run_checks", "r2d2", "a_"]) expect(define({ name }).name).toBe(name);
  for (const name of ["a".repeat(65), "Foo", "fooBar", "1a", "a-b", "_a", "", "a b", "ä", "a\n", 5, undefined]) {
    expect(refusal({ name })).toContain("name must be lowercase letters");
  }
});

test.each([
  ["read", { readOnlyHint: true, idempotentHint: true, openWorldHint: false }],
  ["write", { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
  ["destructive", { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
])("A9: effect %s is kept and written out as hints", (effect, hints) => {
  expect(define({ effect })).toMatchObject({ effect, annotations: hints });
});

test("A9: effect has to be said, and is one of three", () => {
  expect(refusal({ effect: undefined })).toContain('effect is missing; say effect: "read"');
  expect(refusal({ effect: "delete" })).toContain("effect must be one of");
});

test("A10: idempotent is true for a reading tool and false for others, unless it is said; A11: openWorld is false", () => {
  const told = ({ idempotent, openWorld, annotations }: AgntnTool) => {
    expect(annotations).toMatchObject({ idempotentHint: idempotent, openWorldHint: openWorld });
    return [idempotent, openWorld];
  };
  expect(told(define({}))).toEqual([true, false]);
  expect(told(define({ idempotent: false }))).toEqual([false, false]);
  expect(told(define({ effect: "write" }))).toEqual([false, false]);
  expect(told(define({ effect: "write", idempotent: true, openWorld: true }))).toEqual([true, true]);
  for (const flag of ["idempotent", "openWorld"])
    expect(refusal({ [flag]: 1 })).toContain(`${flag} must be true or false`);
});

test.each([
  ["a string", Type.String(), "input must be an object schema"],
  ["an array", Type.Array(Type.String()), "input must be an object schema"],
  ["missing", undefined, "input must be a schema, such as Type.Object"],
  [
    "of another library",
    { "~standard": { version: 1, vendor: "zed", validate: () => ({ value: 1 }) } },
    'another library ("zed")',
  ],
])("A12: an input that is %s is refused", (_what, input, text) => {
  expect(refusal({ input })).toContain(text);
});

test("A13: execute gets the input and a signal, and may return a result or a promise of one", async () => {
  const seen: unknown[] = [];
  const execute = (input: unknown, options: ExecuteOptions) => {
    seen.push(input, Object.keys(options), options.signal.aborted);
    return result;
  };
  expect(textOf(await run({ execute }))).toBe("ran");
  expect(
    textOf(await run({ execute: async (input: unknown, options: ExecuteOptions) => execute(input, options) })),
  ).toBe("ran");
  expect(seen).toEqual([{}, ["signal"], false, {}, ["signal"], false]);
  expect(await define({ execute }).execute({}, { signal: new AbortController().signal })).toBe(result);
});

test("A13: the signal is the call's own: an abort reaches the tool, and what it throws then is its reason", async () => {
  const controller = new AbortController();
  const execute = async (_input: unknown, { signal }: ExecuteOptions) => {
    controller.abort(new Error("stop\nnow"));
    signal.throwIfAborted();
    return result;
  };
  const executor = createExecutor({ tools: [define({ execute })] });
  const outcome = await executor.executeTool("good_name", {}, { signal: controller.signal });
  expect([outcome.status, outcome.error?.code]).toEqual(["aborted", "ABORTED"]);
});

test("A14: a result has content, details and isError; what is none is INVALID_RESULT", async () => {
  expectTypeOf<Parameters<typeof defineTool>[0]["execute"]>().returns.toEqualTypeOf<ToolResult | Promise<ToolResult>>();
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const good = { content: [{ type: "text", text: "t" }, image], details: { a: 1 } };
  expect((await run({ execute: () => good })).result).toEqual(good);
  const failed = await run({ execute: async () => ({ ...good, isError: true }) });
  expect([endOf(failed), failed.result]).toEqual(["TOOL_FAILED", { ...good, isError: true }]);
  for (const returned of [
    "text",
    undefined,
    null,
    5,
    [],
    {},
    { details: {} },
    { content: "t" },
    { content: [], isError: 1 },
  ]) {
    expect([returned, endOf(await run({ execute: () => returned }))]).toEqual([returned, "INVALID_RESULT"]);
  }
});

test("A15: Type and the types of schemas come from the package, and schemas are plain data", () => {
  const input: TObject = Type.Object({ path: Type.String({ minLength: 1 }) }, { additionalProperties: false });
  expect(JSON.parse(JSON.stringify(define({ input }).input))).toEqual({
    type: "object",
    properties: { path: { type: "string", minLength: 1 } },
    required: ["path"],
    additionalProperties: false,
  });
  expectTypeOf<ToolDefinition<TObject>["input"]>().toEqualTypeOf<TObject>();
});

test("A17: a schema that is a function never passes as one that accepts anything; A18: the refusal says where Type comes from", () => {
  const facade = () => ({});
  for (const input of [facade, closed({ a: facade }), closed({ list: { type: "array", items: facade } })]) {
    expect(refusal({ input })).toMatch(/^Tool "good_name": input.* a function.* Type from "nestcall\/agntn"/);
  }
});

const open = { type: "object", properties: { deep: { type: "string" } } };

test.each([
  ["a property", closed({ a: open }), "input.properties.a"],
  ["the values of a record", { type: "object", additionalProperties: open }, "input.additionalProperties"],
  ["the items of an array", closed({ list: { type: "array", items: open } }), "input.properties.list.items"],
  [
    "a branch of a union",
    closed({ either: { anyOf: [{ type: "string" }, open] } }),
    "input.properties.either.anyOf[1]",
  ],
])("A20: the walk finds a fault in %s and says where", (_what, input, place) => {
  expect(refusal({ input })).toContain(`Tool "good_name": ${place} declares properties but takes any other key`);
});

test("A21: an object with keys must say additionalProperties: false, and nothing lifts that rule here", () => {
  expect(refusal({ input: open })).toContain("additionalProperties: false");
  expect(refusal({ input: open, strict: false })).toContain('"strict" is no key that is known here');
});

test("A22: a misspelt key is refused with the right one, instead of running with full access", async () => {
  let ran = false;
  const input = closed({ readOnly: Type.Optional(Type.Boolean()) });
  const execute = () => {
    ran = true;
    return result;
  };
  const outcome = await run({ input, execute }, { read_only: true });
  expect([endOf(outcome), ran]).toEqual(["INVALID_ARGUMENTS", false]);
  for (const key of ["read_only", "readOnly"]) expect(textOf(outcome)).toContain(key);
});

test('A23: an empty object schema stays open, because models send { _: "" }', async () => {
  expect(endOf(await run({}, { _: "" }))).toBe("ok");
});

test("A24: a union of literals is refused with the enum that it should be; A25: the error for an enum lists every value", async () => {
  const union = Type.Union([Type.Literal("fast"), Type.Literal("careful")]);
  expect(refusal({ input: closed({ mode: union }) })).toContain(
    'input.properties.mode is a union of literals; say Type.Enum(["fast", "careful"])',
  );
  const text = textOf(await run({ input: closed({ mode: Type.Enum(["fast", "careful"]) }) }, { mode: "slow" }));
  for (const value of ["fast", "careful"]) expect(text).toContain(value);
});

test.each([
  ["inputSchema", "input"],
  ["parameters", "input"],
  ["desciption", "description"],
  ["guideline", "guidelines"],
])("2: the unknown key %s is refused with %s", (key, close) => {
  expect(refusal({ [key]: "x" })).toBe(
    `Tool "good_name": "${key}" is no key that is known here; did you mean "${close}"?`,
  );
});

test.each<[unknown, string]>([
  [5, "A tool: a definition must be an object; it is 5."],
  [null, "A tool: a definition must be an object; it is null."],
  [[], "A tool: a definition must be an object; it is an array."],
])("2: the definition %j is refused", (definition, message) => {
  expect(() => defineTool(definition as never)).toThrow(
    expect.objectContaining({ code: "INVALID_TOOL", message }) as never,
  );
});

const EVIL = "first\nTool: ok\r\n\u001b[31mred\u202e\u2028x";

test.each<[string, () => unknown]>([
  [
    "thrown at once",
    () => {
      throw new Error(EVIL);
    },
  ],
  [
    "thrown later",
    async () => {
      throw new Error(EVIL);
    },
  ],
  [
    "thrown as a text",
    () => {
      throw EVIL;
    },
  ],
  ["returned", () => ({ content: [{ type: "text", text: EVIL }], details: {}, isError: true })],
  ["returned later", async () => ({ content: [{ type: "text", text: EVIL }], details: {}, isError: true })],
])(
  "A30: the text of a failure that is %s stays on one line, and nothing in it acts on a terminal",
  async (_how, execute) => {
    const outcome = await run({ execute });
    expect(endOf(outcome)).toBe("TOOL_FAILED");
    for (const text of [textOf(outcome), outcome.error?.message]) {
      expect(text).toBe("first\\nTool: ok\\r\\nred\\u202e\\u2028x");
    }
  },
);

test("A30: what was thrown stays reachable: a plain error as it is, usage and marks on one that was cleaned", async () => {
  const plain = new Error("plain");
  const thrown = async (error: unknown) => {
    const execute = () => {
      throw error;
    };
    return await Promise.resolve()
      .then(() => define({ execute }).execute({}, { signal: new AbortController().signal }))
      .catch((caught: unknown) => caught);
  };
  expect(await thrown(plain)).toBe(plain);
  const marked = markTransportFailure(Object.assign(new Error("a\nb"), { usage: { input: 3 } }));
  const clean = await thrown(marked);
  expect(clean).toMatchObject({ message: "a\\nb", usage: { input: 3 }, cause: marked });
  expect(isTransportFailure(clean)).toBe(true);
});

test("A30: bad input is told with a line for each place, and none of them is the caller's", async () => {
  const input = closed({ mode: Type.Enum(["a", "b"]) });
  const text = textOf(await run({ input }, { mode: EVIL, [EVIL]: 1 }));
  const [first, ...places] = text.split("\n");
  expect(first).toContain("good_name");
  expect(places.map((line) => line.slice(0, 2))).toEqual(["- ", "- "]);
  for (const unsafe of ["\u001b", "\u202e", "\u2028", "\r"]) expect(text).not.toContain(unsafe);
});
