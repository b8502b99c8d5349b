// JSON at the wall: its depth without parsing it, and the JSON of large values made in pieces.
import { expect, test } from "vitest";
import { isLarge, jsonInTurns } from "../../src/codemode/host/json-in-turns.js";
import { isDeeperThan } from "../../src/codemode/worker/json-depth.js";
import { createRandom } from "../helpers/random.js";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("design 6: depth counts containers that are open at once, and nothing in texts", () => {
  expect(isDeeperThan(nested(200), 200)).toBe(false);
  expect(isDeeperThan(nested(201), 200)).toBe(true);
  expect(isDeeperThan(`[${Array(500).fill("[]").join(",")}]`, 200)).toBe(false);
  for (const text of ["[".repeat(600), '"['.repeat(300), '\\"['.repeat(300), "\\\\".repeat(300), "ü[".repeat(300)]) {
    const json = JSON.stringify({ [text]: text });
    expect([text.slice(0, 6), isDeeperThan(json, 200), isDeeperThan(Buffer.from(json), 200)]).toEqual([
      text.slice(0, 6),
      false,
      false,
    ]);
    const deep = `{"a":${JSON.stringify(text)},"b":${nested(300)}}`;
    expect([isDeeperThan(deep, 200), isDeeperThan(Buffer.from(deep), 200)]).toEqual([true, true]);
  }
});

test("C4: JSON made in pieces is that of JSON.stringify", async () => {
  const seed = 4711;
  const random = createRandom(seed);
  const odd = [
    undefined,
    null,
    Number.NaN,
    "a\ud800\u2028",
    -0,
    1e300,
    new Date(0),
    { toJSON: () => "own" },
    [],
    {},
    () => 1,
    Symbol("s"),
  ];
  const anyValue = (): unknown => random.pick(odd);
  const list = (length: number) =>
    Array.from({ length }, (_, i) => (i % 3 === 0 ? anyValue() : { i, value: anyValue() }));
  const sparse = new Array(1500);
  sparse[700] = 7;
  const cases: readonly unknown[] = [
    list(3000),
    { small: 1, many: list(2500), none: undefined, more: { deep: list(1200) }, text: "x".repeat(300_000) },
    [list(1500), list(1500)],
    sparse,
    Object.assign(list(2000), { toJSON: () => "instead" }),
    "y".repeat(300_000),
  ];
  for (const [index, value] of cases.entries()) {
    expect([seed, index, await jsonInTurns(value)]).toEqual([seed, index, JSON.stringify(value)]);
  }
  expect(cases.map(isLarge)).toEqual([true, true, true, false, true, true]);
});
