import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson, type JsonSnapshot, takeSnapshot } from "../../src/records/json-snapshot.js";
import { seedOfThisRun } from "../helpers/random.js";

const SEED = seedOfThisRun();
const RUNS = { numRuns: 500, seed: SEED };

/** A text of anything: letters, escapes, control characters, pairs and lone halves of pairs. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom("a", '"', "\\", "\n", "\u0000", "\u001f", "\u007f", "\u2028", "é", "€", "😀", "\ud800", "\udc00"),
      {
        maxLength: 200,
      },
    )
    .map((units) => units.join("")),
);
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(Number.NaN, Infinity, -0, 1e21, 1e-7, 0.1, 999, 1000, -1),
);

/** Values that `JSON.stringify` takes, and not only those it gives back unchanged. */
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    fc.oneof(
      fc.constant(undefined),
      fc.date({ noInvalidDate: true }),
      fc.constant(new Date(Number.NaN)), // its JSON is null
      anyText.map((text) => new String(text)),
      anyNumber.map((number) => new Number(number)),
      fc.boolean().map((flag) => new Boolean(flag)),
    ),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.array(tie("value"), { maxLength: 4 }).map(sparse),
    fc.dictionary(fc.oneof(anyText, fc.constant("__proto__")), tie("value"), { maxKeys: 6, noNullPrototype: false }),
    tie("value")
      .filter(hasNoToJson)
      .map((value) => ({ toJSON: () => value })),
    tie("value").map((value) => ({ hidden: 1, toJSON: (key: string) => ({ key, value }) })),
  ),
}));

/** What `toJSON` gives is not asked for its own, which would be a function among its members. */
function hasNoToJson(value: unknown): boolean {
  return typeof value !== "object" || value === null || !Object.hasOwn(value, "toJSON");
}

function sparse(items: unknown[]): unknown[] {
  const array = [...items];
  array.length += 2;
  array.push(1);
  return array;
}

/** A2 asks that functions and symbols are refused; everything else is as JSON has it. */
function byJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The snapshot, and the private copy that a tool gets of it. */
function snapshot(value: unknown): JsonSnapshot & { readonly copy: unknown } {
  const taken = takeSnapshot(value);
  if ("problem" in taken) throw new Error(`refused: ${taken.problem}`);
  return { ...taken, copy: cloneJson(taken.frozen) };
}

function problem(value: unknown): string {
  const taken = takeSnapshot(value);
  if (!("problem" in taken)) throw new Error(`not refused: ${JSON.stringify(taken.frozen)?.slice(0, 100)}`);
  return taken.problem;
}

/** With a lone half of a pair as U+FFFD, as the record has it (R4). */
function mended(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mended(item)]));
}

/** Bytes of compact JSON; two keys that mending makes one still count as two. */
function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + bytesOf(item), Math.max(2, value.length + 1));
  if (typeof value !== "object" || value === null) return Buffer.byteLength(JSON.stringify(mended(value)));
  const members = Object.entries(value).map(([key, item]) => bytesOf(key) + 1 + bytesOf(item));
  return members.reduce((sum, bytes) => sum + bytes, Math.max(2, members.length + 1));
}

function eachContainer(value: unknown, visit: (container: object) => void): void {
  if (typeof value !== "object" || value === null) return;
  visit(value);
  for (const item of Object.values(value)) eachContainer(item, visit);
}

function nested(levels: number, isArray: boolean): unknown {
  let value: unknown = isArray ? [] : {};
  for (let level = 1; level < levels; level += 1) value = isArray ? [value] : { in: value };
  return value;
}

test(`A1: a snapshot is what JSON makes of the value, twice (seed ${SEED})`, () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const expected = byJson(value);
      if (expected === undefined) return void expect(problem(value)).toMatch(/^(arguments|the arguments) /);
      const { copy, frozen } = snapshot(value);
      expect(copy).toStrictEqual(expected);
      expect(frozen).toStrictEqual(expected);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(expected)); // the order of the keys
    }),
    RUNS,
  );
});

test(`R2, R4, R6: the size is that of the compact JSON, well formed (seed ${SEED})`, () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const expected = byJson(value);
      if (expected === undefined) return;
      const { bytes, isWellFormed } = snapshot(value);
      expect(bytes).toBe(bytesOf(expected));
      const text = JSON.stringify(expected);
      expect(isWellFormed).toBe(text === JSON.stringify(mended(expected)));
      if (isWellFormed) expect(bytes).toBe(Buffer.byteLength(text));
    }),
    RUNS,
  );
});

test(`A1: what everybody looks at is frozen at every level, what the tool gets shares nothing with it (seed ${SEED})`, () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      if (byJson(value) === undefined) return;
      const { copy, frozen } = snapshot(value);
      const containers = new Set<object>();
      eachContainer(value, (container) => containers.add(container));
      eachContainer(frozen, (container) => {
        expect(Object.isFrozen(container)).toBe(true);
        expect(containers.has(container), "shared with the caller").toBe(false);
        containers.add(container);
      });
      eachContainer(copy, (container) => {
        expect(Object.isFrozen(container)).toBe(false);
        expect(containers.has(container), "shared").toBe(false);
      });
    }),
    RUNS,
  );
});

test.each([
  ["escapes", '"\\\b\f\n\r\t/', 17],
  ["control characters", "\u0000\u001f\u007f", 15],
  ["two, three and four bytes", "é€😀", 11],
  ["lone halves", "\ud800 \udc00", 9],
  ["a pair the wrong way round", "\udc00\ud800", 8],
  ["a long text with a lone half at its end", `${"a".repeat(100)}\ud83d`, 105],
  ["a long text with escapes", `${'"'.repeat(100)}\u0001`, 208],
  ["line separators", "\u2028\u2029", 8],
])("R2: bytes of %s", (_what, text, bytes) => {
  expect(snapshot(text).bytes).toBe(bytes);
  expect(snapshot({ [text]: 1 }).bytes).toBe(bytes + 4);
});

test.each([0, -0, 1, -1, 9, 10, 99, 100, 999, 1000, 0.1, 1e21, -1e-7, 5e-324, Number.MAX_VALUE, Number.NaN, -Infinity])(
  "R2: bytes of the number %d",
  (number) => {
    expect(snapshot(number).bytes).toBe(JSON.stringify(number).length);
    expect(Object.is(snapshot(number).copy, JSON.parse(JSON.stringify(number)))).toBe(true);
  },
);

test("A2: a key named __proto__ stays data and pollutes nothing", () => {
  const value = JSON.parse('{ "__proto__": { "polluted": true }, "in": { "__proto__": [1] } }');
  const { copy, frozen, bytes } = snapshot(value);
  for (const twin of [copy, frozen]) {
    expect(Object.hasOwn(twin as object, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(twin)).toBe(Object.prototype);
    expect(JSON.stringify(twin)).toBe(JSON.stringify(value));
  }
  expect(bytes).toBe(JSON.stringify(value).length);
  expect("polluted" in {}).toBe(false);
});

test.each([false, true])("A2: 1,000 levels are taken, 1,001 are refused with a place (arrays: %s)", (isArray) => {
  const deepest = snapshot(nested(1000, isArray));
  expect(JSON.stringify(deepest.frozen)).toBe(JSON.stringify(nested(1000, isArray)));
  expect(problem(nested(1001, isArray))).toMatch(/^arguments(\.in|\[0\]){6}.*1000 levels/);
  expect(problem(nested(50_000, isArray))).toMatch(/1000 levels/);
});

test.each([
  ["a BigInt", { items: [1, 2, { price: 5n }] }, /^arguments\.items\[2\]\.price is /],
  ["a function", { on: { change() {} } }, /^arguments\.on\.change is /],
  ["a symbol", [Symbol("s")], /^arguments\[0\] is /],
  ["a function that toJSON gives", { a: { toJSON: () => () => {} } }, /^arguments\.a/],
  ["a BigInt that toJSON gives", { a: { toJSON: () => 5n } }, /^arguments\.a is /],
  ["a function alone", () => {}, /^arguments is /],
])("A2: %s is refused with its place", (_what, value, place) => {
  expect(problem(value)).toMatch(place);
});

test("A2: a cycle is refused with its place, the same object twice is none", () => {
  const shared = { a: 1 };
  const loop: Record<string, unknown> = { list: [shared, shared] };
  expect(snapshot(loop).copy).toEqual({ list: [{ a: 1 }, { a: 1 }] });
  loop.self = { again: loop };
  expect(problem(loop)).toMatch(/^arguments\.self\.again .*cycle/);
});

test("A2: what throws when it is read is refused with its place and never thrown", () => {
  const getter = {
    in: {
      get bad(): never {
        throw new Error("no such thing");
      },
    },
  };
  expect(problem(getter)).toMatch(/^arguments\.in\.bad .*no such thing/);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(problem({ proxy })).toMatch(/^arguments\.proxy /);
  const throwsNothing = {
    toJSON() {
      throw undefined;
    },
  };
  expect(problem({ throwsNothing })).toMatch(/^arguments\.throwsNothing /);
});

test("A1: a snapshot taken while another is taken disturbs neither", () => {
  let inner: JsonSnapshot | undefined;
  const value = {
    before: "text",
    get during() {
      inner = snapshot({ inside: "\ud800", list: [1, 2, 3] });
      return "d";
    },
    after: { x: 1 },
  };
  const outer = snapshot(value);
  const plain = { before: "text", during: "d", after: { x: 1 } };
  expect(outer.frozen).toEqual(plain);
  expect(outer.bytes).toBe(JSON.stringify(plain).length);
  expect(outer.isWellFormed).toBe(true);
  expect(inner?.frozen).toEqual({ inside: "\ud800", list: [1, 2, 3] });
  expect(inner?.isWellFormed).toBe(false);
});
