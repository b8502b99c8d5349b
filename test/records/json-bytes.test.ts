import fc from "fast-check";
import { expect, test } from "vitest";
import { measuredJson } from "../../src/records/json-bytes.js";
import { seedOfThisRun } from "../helpers/random.js";

const jsonBytes = (value: unknown, max: number) => measuredJson(value, max)?.bytes;
const SEED = seedOfThisRun();
const anyText = fc
  .array(fc.constantFrom("a", '"', "\\", "\n", "\u0000", "\u007f", "é", "€", "😀", "\ud800", "\udc00"), {
    maxLength: 200,
  })
  .map((units) => units.join(""));
const anyValue = fc.anything({
  key: anyText,
  values: [anyText, fc.double(), fc.boolean(), fc.constantFrom(undefined, null, -0, 1e21, Number.NaN)],
  withBoxedValues: true,
  withDate: true,
  withNullPrototype: true,
  withSparseArray: true,
});

test(`the bytes are those of the compact JSON, seed ${SEED}`, () => {
  const property = fc.property(anyValue, fc.nat(2_000), (value, max) => {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
    expect(jsonBytes(value, max)).toBe(bytes <= max ? bytes : undefined);
    expect(jsonBytes(value, bytes)).toBe(bytes);
    expect(jsonBytes(value, bytes - 1)).toBeUndefined();
    expect(JSON.stringify(measuredJson(value, bytes)?.json)).toBe(JSON.stringify(value));
  });
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

test("toJSON is called with the key, and what JSON leaves out costs nothing", () => {
  const value = { a: { toJSON: (key: string) => `under ${key}` }, b: () => 1, c: Symbol("c"), d: [() => 1, undefined] };
  expect(jsonBytes(value, 1_000)).toBe(JSON.stringify(value).length);
  expect(jsonBytes(undefined, 0)).toBe(0);
});

test("the copy is what was measured: frozen plain data, whatever the value gives the next time", () => {
  let asked = 0;
  const value = { list: [{ toJSON: () => "x".repeat((asked += 1)) }], ["__proto__"]: { n: -0 } };
  const measured = measuredJson(value, 1_000);
  const { json, bytes } = measured as { readonly json: { readonly list: readonly unknown[] }; readonly bytes: number };
  expect(JSON.stringify(json)).toBe('{"list":["x"],"__proto__":{"n":0}}');
  expect(bytes).toBe(JSON.stringify(json).length);
  expect([Object.isFrozen(json), Object.isFrozen(json.list), asked]).toEqual([true, true, 1]);
});

test("what lies beyond the limit is not read: a cycle ends, a getter is not asked", () => {
  const cycle: { name: string; self?: unknown } = { name: "round and round" };
  cycle.self = cycle;
  expect(jsonBytes(cycle, 8_000)).toBeUndefined();
  const late = {
    text: "x".repeat(100),
    get asked(): never {
      throw new Error("it was read");
    },
  };
  expect(jsonBytes(late, 50)).toBeUndefined();
  expect(() => jsonBytes(late, 1_000)).toThrow("it was read");
  expect(() => jsonBytes({ n: 1n }, 1_000)).toThrow(TypeError);
});
