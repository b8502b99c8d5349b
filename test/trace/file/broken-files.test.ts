// Trace files that something has changed: each is refused with its line, or drawn; nothing falls over.
import { NestcallError } from "nestcall";
import { drawTrace, parseTrace, renderTracePage, type Trace, traceLines, traceToChrome } from "nestcall/trace";
import { expect, test } from "vitest";
import { createRandom, forEachSeed, type Random, seedOfThisRun } from "../../helpers/random.js";
import { sampleEvents } from "../sample-events.js";

type Fields = { [field: string]: unknown };

const JUNK: readonly unknown[] = [
  null,
  -1,
  1e308,
  0.5,
  "",
  "</script>\u202e\u0000",
  {},
  [],
  [null],
  true,
  "__proto__",
  { content: [null] },
  { content: [{ type: "text" }] },
  { content: [{ type: "image" }, { type: "unheard-of", a: 1 }] },
  { usage: { input: "many", deep: { deeper: [1] } } },
];
const FIELDS =
  "updates heldBy paths reason code result partialResult calls usage parentToolCallId depth type timestamp".split(" ");

function spoil(lines: Fields[], random: Random): void {
  const at = random.between(1, lines.length - 1);
  const other = random.between(1, lines.length - 1);
  const [one = {}, two = {}] = [lines[at], lines[other]];
  const field = random.pick([...Object.keys(one), ...FIELDS]);
  const deeds: Readonly<Record<string, () => void>> = {
    drop: () => void lines.splice(at, 1),
    repeat: () => void lines.splice(at, 0, two),
    swap: () => void Object.assign(lines, { [at]: two, [other]: one }),
    change: () => void Object.assign(lines, { [at]: { ...one, [field]: random.pick(JUNK) } }),
  };
  deeds[random.weighted({ drop: 1, repeat: 1, swap: 1, change: 4 })]?.();
}

function drawn(trace: Trace): void {
  renderTracePage(trace);
  drawTrace(trace, { width: 80 });
  for (const event of traceToChrome(trace).traceEvents) {
    if (event.ph === "X") expect([event.dur >= 0, Number.isFinite(event.ts)]).toEqual([true, true]);
  }
}

test("400 spoilt files are refused with the line, or drawn", async () => {
  const lines = traceLines(sampleEvents()).trimEnd().split("\n");
  await forEachSeed(seedOfThisRun(), 400, async (seed) => {
    const random = createRandom(seed);
    const spoilt = lines.map((line) => JSON.parse(line) as Fields);
    for (let times = random.between(1, 4); times > 0; times -= 1) spoil(spoilt, random);
    let trace: Trace;
    try {
      trace = parseTrace(spoilt.map((line) => `${JSON.stringify(line)}\n`).join(""), "x.jsonl");
    } catch (error) {
      expect(error).toBeInstanceOf(NestcallError);
      expect((error as Error).message).toMatch(/^Line \d+ of x\.jsonl is no event: /);
      return;
    }
    drawn(trace);
  });
});

test("records with numbers that no time can be are drawn, or refused", () => {
  for (const durationMs of [1e308, -5, 8.64e15 + 1]) {
    const record = { calls: [{ id: "T/1", name: "x", status: "ok", durationMs }], complete: true };
    try {
      drawn(parseTrace(JSON.stringify(record)));
    } catch (error) {
      expect(error).toBeInstanceOf(NestcallError);
    }
  }
});
