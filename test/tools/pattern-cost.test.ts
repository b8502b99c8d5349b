import { createExecutor, defineTool, type Tool } from "nestcall";
import { afterEach, expect, test, vi } from "vitest";
import { longestQuickText } from "../../src/tools/pattern-cost.js";

const SLOW = "^(a+)+$";
const slow = { type: "string", pattern: SLOW };
const slowText = `${"a".repeat(21)}!`;

afterEach(() => vi.restoreAllMocks());

function callWith(properties: object, options: { readonly external?: boolean } = {}, more: object = {}) {
  const inputSchema = { type: "object", properties, ...more };
  const tool = defineTool({ name: "t", description: "A tool.", strict: false, inputSchema, execute: () => "ran" });
  const executor = createExecutor({ tools: [] });
  executor.registry.register(tool as unknown as Tool, options);
  return async (args: object) => {
    const { result } = await executor.executeTool("t", args);
    return result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  };
}

function countTests(): () => number {
  const tests: string[] = [];
  const original = RegExp.prototype.test;
  vi.spyOn(RegExp.prototype, "test").mockImplementation(function (this: RegExp, text: string) {
    if (this.source === SLOW && text === slowText) tests.push(text);
    return original.call(this, text);
  });
  return () => tests.length;
}

test.each([
  { where: "a property", properties: { text: slow } },
  { where: "anyOf", properties: { text: { anyOf: [slow, { type: "number" }] } } },
  {
    where: "oneOf beside a repair",
    properties: { n: { type: "number" }, text: { oneOf: [slow, { type: "object" }] } },
  },
  { where: "a reference", properties: { text: { $ref: "#/$defs/slow" } }, more: { $defs: { slow } } },
  { where: "a condition", properties: { text: { if: { type: "string" }, then: slow } } },
])("a slow pattern in $where is tried once on a text for each call", async ({ properties, more }) => {
  const call = callWith(properties, {}, more);
  const count = countTests();
  const text = await call({ text: slowText, n: "5" });
  expect(text).toContain(`text: must match pattern "${SLOW}", got the string`);
  expect(count()).toBe(1);
});

test("a pattern of an external schema is not tried on texts that may keep it busy; short ones are checked", async () => {
  const external = callWith({ text: slow, all: { anyOf: [{ type: "array", items: slow }] } }, { external: true });
  const long = `${"a".repeat(200)}!`;
  expect(await external({ text: long, all: [long] })).toBe("ran");
  expect(await external({ text: "aa!" })).toContain("must match pattern");
  expect(await callWith({ text: slow })({ text: slowText })).toContain("must match pattern");
});

test("external patterns of keys that may be slow are left out, with what is wanted of other keys", async () => {
  const keys = (pattern: string) =>
    callWith(
      {},
      { external: true },
      { patternProperties: { [pattern]: { type: "number" } }, additionalProperties: false },
    );
  expect(await keys(SLOW)({ [`${"a".repeat(200)}!`]: "x" })).toBe("ran");
  expect(await keys("^x-")({ "x-a": "x" })).toContain("must be a number");
  expect(await keys("^x-")({ a: 1 })).toContain("a: is not a known key");
});

test("an external output schema is no way to block either", async () => {
  const executor = createExecutor({ tools: [] });
  const text = `${"a".repeat(200)}!`;
  const tool = defineTool({
    name: "t",
    description: "A tool.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: { type: "object", properties: { text: slow }, additionalProperties: false },
    execute: () => ({ content: [{ type: "text" as const, text: "ran" }], structuredContent: { text } }),
  });
  executor.registry.register(tool as unknown as Tool, { external: true });
  expect((await executor.executeTool("t", {})).isError).toBe(false);
});

test.each([
  ["^[a-z]{3}-\\d{4}$", 1_000_000],
  ["^\\p{L}[(*+]\\(\\*$", 1_000_000],
  ["^https?://", 500_000],
  ["^.+$", 1_000_000],
  ["^[^@]+@[^@]+$", 1_000],
  ["^(a+)+$", 9],
  ["^(?:a|a)*$", 9],
])("%s is tried on texts of up to %i characters", (pattern, length) => {
  expect(longestQuickText(pattern)).toBeGreaterThanOrEqual(length);
  expect(longestQuickText(pattern)).toBeLessThan(length * 1.2 + 2);
});

test.each([
  "^(a+)+$",
  "^(a|a)+$",
  "^(a|a|a|a|a|a|a|a)+$",
  "^((a*)*)*$",
  "^(a?){40}a{40}$",
  "^(a?){300}$",
  "^(?:a{0,9}){40}$",
  "^((a{1,9}){1,9}){1,9}$",
  `^${"a?".repeat(30)}${"a".repeat(30)}$`,
  "^a*a*a*a*a*$",
  "a*a*b",
  ".*.*.*=.*",
  "(?=(a+))*\\1(a+)+$",
  "^(a+){2,}b$",
  "^(([a]+)?)+$",
  "^a{0,}a{1,}a{0,500}$",
  "^(a|ab|b|ba)*c$",
])("the longest text that %s is tried on takes no second", (pattern) => {
  const start = performance.now();
  for (const end of ["!", ""]) {
    const length = Math.max(0, Math.min(100_000, longestQuickText(pattern)) - end.length);
    new RegExp(pattern).test("a".repeat(length) + end);
    new RegExp(pattern).test("ab".repeat(length / 2) + end);
  }
  expect(performance.now() - start).toBeLessThan(1_000);
});
