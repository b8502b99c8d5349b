import { expect, test } from "vitest";
import { shortFields, shortJson } from "../../src/tools/short-json.js";

test.each([
  [null, "null"],
  [undefined, "undefined"],
  [1.5, "1.5"],
  ["a\nb", '"a\\nb"'],
  [10n, "(bigint)"],
  [() => {}, "(function)"],
  [[1, [2]], "[1, [2]]"],
  [{ a: 1, "b c": { d: true } }, '{a: 1, "b c": {d: true}}'],
])("%o on one line is %s", (value, line) => {
  expect(shortJson(value, 100)).toBe(line);
});

test("a line ends where it is full, whatever the value holds", () => {
  expect(shortJson("x".repeat(1000), 20)).toBe(`"${"x".repeat(18)}…`);
  expect(shortFields({ text: "x".repeat(1000), path: "a.md" }, 100, 20)).toBe(
    `text: "${"x".repeat(18)}…, path: "a.md"`,
  );

  let reads = 0;
  const endless = new Proxy([], { get: (_, key) => (key === "length" ? 1e15 : ((reads += 1), 7)) });
  expect(shortJson(endless, 30)).toHaveLength(30);
  expect(reads).toBeLessThan(50);
});

test("cycles and getters that throw are shown, not thrown", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(shortJson(cycle, 100)).toBe("[[[[[[[…]]]]]]]");
  const bad = {
    get a(): never {
      throw new Error("no");
    },
  };
  expect(shortJson(bad, 100)).toBe("(unreadable)");
  expect(shortFields(bad, 100)).toBe("(unreadable)");
});
