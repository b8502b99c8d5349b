// Lanes: in one lane no two calls overlap unless one is inside the other, below it.
import { expect, test } from "vitest";
import { Heap } from "../../../src/trace/model/heap.js";
import { assignLanes, type Span } from "../../../src/trace/model/lanes.js";
import { createRandom, forEachSeed, seedOfThisRun } from "../../helpers/random.js";

function randomSpans(seed: number): Span[] {
  const random = createRandom(seed);
  const spans: Span[] = [{ startMs: 0, endMs: 100 }];
  while (spans.length < 60) {
    const parent = random.chance(0.1) ? undefined : random.between(0, spans.length - 1);
    const { startMs, endMs } = parent === undefined ? { startMs: 0, endMs: 150 } : (spans[parent] as Span);
    const from = startMs + random.next() * (endMs - startMs);
    const length = random.chance(0.2) ? 0 : random.next() * (endMs - from);
    spans.push({ startMs: from, endMs: from + length, parent });
  }
  return spans;
}

function isAbove(spans: readonly Span[], above: number, below: number): boolean {
  for (let at: number | undefined = below; at !== undefined; at = spans[at]?.parent) if (at === above) return true;
  return false;
}

test("spans of one lane are apart or nested; nested ones are below each other and in further rows", async () => {
  await forEachSeed(seedOfThisRun(), 200, async (seed) => {
    const spans = randomSpans(seed);
    const places = assignLanes(spans);
    for (const [one, a] of spans.entries()) {
      for (const [other, b] of spans.entries()) {
        if (one >= other || places[one]?.lane !== places[other]?.lane) continue;
        if (a.startMs >= b.endMs || b.startMs >= a.endMs) continue;
        expect(isAbove(spans, one, other)).toBe(true);
        expect(places[other]?.row).toBeGreaterThan(places[one]?.row ?? 0);
      }
    }
  });
});

test("there are as many lanes as calls run beside each other, a caller and its first call in one", () => {
  const spans: Span[] = [{ startMs: 0, endMs: 10 }];
  for (let start = 0; start < 9; start += 3) {
    for (let beside = 0; beside < 3; beside += 1) spans.push({ startMs: start, endMs: start + 3, parent: 0 });
  }
  const places = assignLanes(spans);
  expect(Math.max(...places.map(({ lane }) => lane))).toBe(2);
  expect(places.filter(({ lane }) => lane === 0).map(({ row }) => row)).toEqual([0, 1, 1, 1]);
});

test("10,000 calls that all run at once are placed in good time", () => {
  const spans = Array.from(
    { length: 10_000 },
    (_, index): Span => (index === 0 ? { startMs: 0, endMs: 10 } : { startMs: 1, endMs: 9, parent: 0 }),
  );
  expect(new Set(assignLanes(spans).map(({ lane }) => lane)).size).toBe(9_999);
});

test("a heap gives the least first", () => {
  const random = createRandom(seedOfThisRun());
  const heap = new Heap<number>((item) => item);
  const items = Array.from({ length: 300 }, () => random.between(0, 50));
  for (const item of items) heap.add(item);
  const taken = items.map(() => heap.take());
  expect(taken).toEqual(items.toSorted((one, other) => one - other));
  expect(heap.take()).toBe(undefined);
});
