import fc from "fast-check";
import { ErrorCode, NestcallError, sumUsage, type Usage } from "nestcall";
import { expect, test } from "vitest";
import { UsageSum } from "../../src/records/usage-sum.js";
import { seedOfThisRun } from "../helpers/random.js";

const SEED = seedOfThisRun();
const RUNS = { numRuns: 500, seed: SEED };

type Fields = Record<string, unknown>;

// Quarters add up exactly, whatever the order. Fields keep their kind: numbers, flags, or an object.
const amount = fc.integer({ min: 0, max: 10_000 }).map((number) => number / 4);
const bad = fc.constantFrom(Number.NaN, -1, Infinity, "5", null, [1], 5n);
const cost = fc.record({ input: amount, total: fc.oneof(amount, bad), isEstimate: fc.boolean() }, { requiredKeys: [] });
const anyUsage: fc.Arbitrary<Fields> = fc.record(
  {
    input: fc.oneof({ weight: 4, arbitrary: amount }, bad),
    output: amount,
    cacheRead: amount,
    cacheWrite: amount,
    totalTokens: amount,
    total: amount,
    requests: fc.oneof({ weight: 4, arbitrary: amount }, bad),
    cached: fc.boolean(),
    cost,
    byModel: fc.dictionary(fc.constantFrom("small", "large", "__proto__"), cost, { noNullPrototype: false }),
  },
  { requiredKeys: [] },
);

/** R7 as it stands: each field over all sides; who has no such field has 0, or not the flag. */
function naiveSum(sides: readonly Fields[]): Fields | undefined {
  if (sides.length === 0) return undefined;
  const sum: Fields = {};
  const put = (key: string, value: unknown) =>
    Object.defineProperty(sum, key, { value, enumerable: true, configurable: true, writable: true });
  for (const key of new Set(sides.flatMap((side) => Object.keys(side)))) {
    const values = sides.map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    const objects = values.map((value) => (isObject(value) ? value : {}));
    const numbers = values.filter((value) => typeof value === "number" && value >= 0 && Number.isFinite(value));
    if (values.some((value) => typeof value === "boolean"))
      put(
        key,
        values.every((value) => value === true),
      );
    else if (values.some(isObject)) put(key, naiveSum(objects));
    else if (numbers.length > 0)
      put(
        key,
        (numbers as number[]).reduce((total, value) => total + value),
      );
  }
  return sum;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One side may be a sum of its own, as a call's is of the calls below it. */
function sumInGroups(groups: readonly (readonly Fields[])[]): Usage | undefined {
  const all = new UsageSum();
  for (const group of groups) {
    const part = new UsageSum();
    for (const usage of group) part.addReported(usage);
    all.addSum(part);
  }
  return all.toUsage();
}

test(`R7: sumUsage adds field by field, nested objects too (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(anyUsage, { maxLength: 6 }), (usages) => {
      expect(sumUsage(...(usages as Usage[]))).toEqual(naiveSum(usages));
    }),
    RUNS,
  );
});

test(`R7: however calls are nested, the sum is the same (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyUsage, { maxLength: 4 }), { maxLength: 5 }), (groups) => {
      expect(sumInGroups(groups)).toEqual(naiveSum(groups.flat()));
      expect(sumInGroups([...groups].reverse())).toEqual(naiveSum(groups.flat()));
    }),
    RUNS,
  );
});

test(`R7: a sum of sums of sums is the sum of all, and its parts stay as they are (seed ${SEED})`, () => {
  fc.assert(
    fc.property(anyUsage, anyUsage, anyUsage, (a, b, c) => {
      const [one, two, three] = [a, b, c].map((usage) => {
        const sum = new UsageSum();
        sum.addReported(usage);
        return sum;
      }) as [UsageSum, UsageSum, UsageSum];
      const before = two.toUsage();
      const inner = new UsageSum();
      inner.addSum(two);
      inner.addSum(three);
      const outer = new UsageSum();
      outer.addSum(one);
      outer.addSum(inner);
      outer.addSum(new UsageSum());
      expect(outer.toUsage()).toEqual(naiveSum([a, b, c]));
      expect(two.toUsage()).toEqual(before);
    }),
    RUNS,
  );
});

test.each([
  [[{ cached: true }, { cached: true }], true],
  [[{ cached: true }, { cached: false }], false],
  [[{ cached: true }, { input: 1 }], false],
  [[{ cached: true }, {}], false],
  [[{ cached: false }], false],
  [[{ cached: true }, undefined, null], true],
])("R7: the flags of %j are %s together", (usages, expected) => {
  expect(sumUsage(...usages)).toMatchObject({ cached: expected });
});

test("R7: no usage at all is no sum, an empty usage is an empty one", () => {
  expect(sumUsage()).toBeUndefined();
  expect(sumUsage(undefined, null)).toBeUndefined();
  expect(sumUsage({})).toEqual({});
  expect(new UsageSum().toUsage()).toBeUndefined();
});

test("R7: the sum is a fresh object each time", () => {
  const usage = { input: 1, cost: { total: 2 } };
  const sum = sumUsage(usage);
  expect(sum).toEqual(usage);
  expect(sum).not.toBe(usage);
  expect(sum?.cost).not.toBe(usage.cost);
  expect(usage).toEqual({ input: 1, cost: { total: 2 } });
});

test.each([5, "much", true, [], () => {}])("sumUsage refuses %o", (wrong) => {
  const sum = () => sumUsage({ input: 1 }, wrong as never);
  expect(sum).toThrow(NestcallError);
  expect(sum).toThrow(
    expect.objectContaining({ code: ErrorCode.INVALID_ARGUMENTS, message: expect.stringContaining("2") }),
  );
});

test.each([Number.NaN, -1, Infinity, "5", null, 5n, [1], () => 1])(
  "R7: a field that is %o is left out and told",
  (wrong) => {
    const problems: string[] = [];
    const sum = new UsageSum();
    sum.addReported({ input: wrong, odd: wrong, output: 2, cost: { total: wrong, input: 1 } }, (text) =>
      problems.push(text),
    );
    expect(sum.toUsage()).toEqual({ output: 2, cost: { input: 1 } });
    expect(problems).toHaveLength(3);
    for (const [index, place] of ["input", "odd", "cost.total"].entries()) expect(problems[index]).toContain(place);
  },
);

test.each([5, "much", null, true, [1]])("R7: usage that is %o is left out and told", (wrong) => {
  const problems: string[] = [];
  const sum = new UsageSum();
  sum.addReported({ cached: true });
  sum.addReported(wrong, (text) => problems.push(text));
  expect(sum.toUsage()).toEqual({ cached: true }); // it is no side that reports usage
  expect(problems).toHaveLength(1);
});

test("R7: what throws when it is read, or holds itself, is left out and told", () => {
  const problems: string[] = [];
  const loop: Fields = { input: 1 };
  loop.self = loop;
  const sum = new UsageSum();
  const getter = {
    output: 3,
    get input(): never {
      throw new Error("no");
    },
  };
  sum.addReported(getter, (text) => problems.push(text));
  sum.addReported(loop, (text) => problems.push(text));
  expect(sum.toUsage()).toMatchObject({ output: 3, input: 1 });
  expect(problems.length).toBeGreaterThanOrEqual(2);
});

test("R7: a field that is a number on one side and an object on another breaks nothing", () => {
  for (const [one, two] of [
    [{ cost: 1 }, { cost: { total: 1 } }],
    [{ input: 1 }, { input: { text: 1 } }],
    [{ extra: 1 }, { extra: { text: 1 } }],
  ]) {
    for (const sides of [
      [one, two],
      [two, one],
    ] as Usage[][]) {
      const problems: string[] = [];
      const sum = new UsageSum();
      for (const side of sides) sum.addReported(side, (text) => problems.push(text));
      expect(problems, JSON.stringify(sides)).toHaveLength(1);
      expect(() => JSON.stringify(sum.toUsage())).not.toThrow();
    }
  }
});
