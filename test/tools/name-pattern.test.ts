import { NestcallError } from "nestcall";
import { expect, test } from "vitest";
import { matchesName, namePattern } from "../../src/tools/name-pattern.js";
import { createRandom, seedOfThisRun } from "../helpers/random.js";

test.each([
  ["read", "read", true],
  ["read", "reader", false],
  ["read", "Read", false],
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["*", "anything at\nall", true],
  ["**", "x", true],
  ["mcp__*", "mcp__", true],
  ["mcp__*", "mcp_x", false],
  ["*_read", "file_read", true],
  ["*_read", "file_reader", false],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a--b--c", true],
  ["a*b*c", "a--c--b", false],
  ["a*b*b", "ab", false],
  ["*aab*", "aaab", true],
  ["*abab*ab", "ababab", true],
  ["*abab*ab", "abab", false],
  ["a.c", "abc", false],
  ["[ab]?", "[ab]?", true],
  ["a+*", "aaa", false],
])("the pattern %j and the name %j: %s", (pattern, name, fits) => {
  expect(matchesName(pattern, name)).toBe(fits);
});

test("random patterns fit what a regular expression of the same meaning fits", () => {
  const random = createRandom(seedOfThisRun());
  const text = (letters: string) =>
    Array.from({ length: random.between(0, 9) }, () => random.pick([...letters])).join("");
  for (let run = 0; run < 20_000; run += 1) {
    const [pattern, name] = [text("ab*"), text("ab")];
    expect([pattern, name, matchesName(pattern, name)]).toEqual([
      pattern,
      name,
      new RegExp(`^${pattern.replace(/\*+/g, ".*")}$`).test(name),
    ]);
  }
});

test("a pattern made to be slow is as fast as any other", () => {
  const stars = namePattern(`${"*a".repeat(20_000)}*b`);
  const piece = namePattern(`*${"a".repeat(50_000)}b*`);
  const started = performance.now();
  expect(stars("a".repeat(100_000))).toBe(false);
  expect(piece("a".repeat(100_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000); // both take milliseconds; with backtracking, minutes
});

test("what is no text is refused by name", () => {
  expect(() => namePattern(/a/ as never)).toThrow(NestcallError);
  expect(() => namePattern(/a/ as never)).toThrow("A pattern of names is a text in which * stands for any text");
});
