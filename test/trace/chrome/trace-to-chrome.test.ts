// Chrome trace JSON by the rules that Perfetto's importer has for it.
import { type ChromeEvent, type ChromeTrace, traceOf, traceToChrome } from "nestcall/trace";
import { expect, test } from "vitest";
import { createRandom, forEachSeed, type Random, seedOfThisRun } from "../../helpers/random.js";
import { eventsOfCalls, sampleEvents } from "../sample-events.js";

type Slice = Extract<ChromeEvent, { readonly ph: "X" }>;

/** What is wrong with it; empty when Perfetto takes it as it was meant. */
function problemsOf(trace: ChromeTrace): string[] {
  const parsed = JSON.parse(JSON.stringify(trace)) as ChromeTrace; // as it comes from a file
  const { traceEvents } = parsed;
  return [
    ...traceEvents.flatMap(fieldProblems),
    ...nestingProblems(traceEvents),
    ...asyncProblems(traceEvents),
    ...flowProblems(traceEvents),
  ];
}

const isTime = (value: unknown) => typeof value === "number" && Number.isFinite(value) && value >= 0;

function fieldProblems(event: ChromeEvent): string[] {
  const { ph, name, pid, tid } = event;
  const wrong: string[] = [];
  if (!["X", "b", "e", "s", "f", "M"].includes(ph)) wrong.push(`ph ${ph}`);
  if (typeof name !== "string" || name === "") wrong.push("name");
  if (!Number.isInteger(pid) || !Number.isInteger(tid)) wrong.push("pid or tid");
  if (event.ph === "M") {
    const wanted = event.name.endsWith("_name") ? "name" : "sort_index";
    if (!(wanted in event.args)) wrong.push(`args.${wanted}`);
  } else if (!isTime(event.ts) || typeof event.cat !== "string") wrong.push("ts or cat");
  if (event.ph === "X" && !isTime(event.dur)) wrong.push("dur");
  return wrong.map((what) => `${what} of ${JSON.stringify(event)}`);
}

const laneOf = ({ pid, tid }: { readonly pid: number; readonly tid: number }) => `${pid}/${tid}`;

/** Slices of one thread form a stack: each is inside or behind the one before it. */
function nestingProblems(events: readonly ChromeEvent[]): string[] {
  const stacks = new Map<string, Slice[]>();
  const slices = events.flatMap((event) => (event.ph === "X" ? [event] : []));
  const problems: string[] = [];
  for (const slice of slices.toSorted((one, other) => one.ts - other.ts || other.dur - one.dur)) {
    const stack = stacks.get(laneOf(slice)) ?? [];
    stacks.set(laneOf(slice), stack);
    while (stack.length > 0 && (stack.at(-1) as Slice).ts + (stack.at(-1) as Slice).dur <= slice.ts) stack.pop();
    const around = stack.at(-1);
    if (around !== undefined && slice.ts + slice.dur > around.ts + around.dur + 1e-6)
      problems.push(`${slice.name} sticks out of ${around.name}`);
    stack.push(slice);
  }
  return problems;
}

/** Each beginning has its end, by category and id. */
function asyncProblems(events: readonly ChromeEvent[]): string[] {
  const open = new Map<string, number>();
  const problems: string[] = [];
  for (const event of events) {
    if (event.ph !== "b" && event.ph !== "e") continue;
    const key = `${event.cat} ${event.id}`;
    const from = open.get(key);
    if (event.ph === "b") open.set(key, event.ts);
    else if (from === undefined || event.ts < from) problems.push(`the end of ${key}`);
    else open.delete(key);
  }
  return [...problems, ...open.keys()];
}

/** An arrow has one tail and one tip, the tip is not before the tail, and both are inside of slices of their threads. */
function flowProblems(events: readonly ChromeEvent[]): string[] {
  const slices = events.flatMap((event) => (event.ph === "X" ? [event] : []));
  const tails = new Map<number, number>();
  const problems: string[] = [];
  for (const event of events) {
    if (event.ph !== "s" && event.ph !== "f") continue;
    const { id, ts } = event;
    const isInside = slices.some(
      (slice) => laneOf(slice) === laneOf(event) && slice.ts <= ts && ts < slice.ts + slice.dur,
    );
    if (!isInside) problems.push(`arrow ${id} ${event.ph} is outside of all slices`);
    if (event.ph === "s") tails.set(id, ts);
    else if (!tails.has(id) || ts < (tails.get(id) ?? 0)) problems.push(`arrow ${id} has no tail, or flies back`);
  }
  return problems;
}

test("the sample keeps the rules; times are microseconds", () => {
  const chrome = traceToChrome(traceOf(sampleEvents()));
  expect(problemsOf(chrome)).toEqual([]);
  expect(chrome.displayTimeUnit).toBe("ms");
  const slices = chrome.traceEvents.filter((event) => event.ph === "X");
  const named = (name: string) => slices.filter((slice) => slice.name === name);
  expect(named("review")[0]).toMatchObject({
    pid: 1,
    tid: 1,
    ts: 0,
    dur: 2_480_000,
    args: { status: "ok", durationMs: 2478 },
  });
  expect(named("http_get").map(({ pid }) => pid)).toEqual([2, 2]);
  expect(named("waits for policy.ts (held by call_review_7/4)")[0]).toMatchObject({
    cat: "wait",
    ts: 1_355_000,
    dur: 141_000,
  });
  expect(named("bash")[0]).toMatchObject({ cat: "tool,blocked", args: { code: "BLOCKED" } });
});

test("an arrow leads from the call that held a file to the one that waited for it", () => {
  const { traceEvents } = traceToChrome(traceOf(sampleEvents()));
  const [edit, other] = traceEvents.filter((event) => event.ph === "X" && event.name === "edit");
  expect(traceEvents.filter(({ ph }) => ph === "s" || ph === "f")).toEqual([
    { ph: "s", cat: "lock", name: "released", id: 1, pid: 1, tid: edit?.tid, ts: 1_493_999.999 },
    { ph: "f", bp: "e", cat: "lock", name: "released", id: 1, pid: 1, tid: other?.tid, ts: 1_496_000 },
  ]);
});

test("every process and every lane has a name", () => {
  const { traceEvents } = traceToChrome(traceOf(sampleEvents()));
  const names = traceEvents.flatMap((event) => (event.ph === "M" && event.name === "process_name" ? [event.args] : []));
  expect(names).toEqual([{ name: "review (call_review_7)" }, { name: "watch_build (call_watch_8)" }]);
  const lanes = new Set(traceEvents.flatMap((event) => (event.ph === "X" ? [laneOf(event)] : [])));
  const named = new Set(
    traceEvents.flatMap((event) => (event.ph === "M" && event.name === "thread_name" ? [laneOf(event)] : [])),
  );
  expect(named).toEqual(lanes);
});

function randomCalls(random: Random) {
  const calls: {
    id: string;
    name: string;
    args: object;
    at: [number, number, number];
    waits?: { at: number; reason: "files" | "concurrency" | "lane"; heldBy: string }[];
  }[] = [{ id: "T", name: "t", args: {}, at: [0, 0, 1000] }];
  while (calls.length < 40) {
    const parent = random.pick(calls);
    const [, ran, ended] = parent.at;
    const called = ran + random.next() * (ended - ran);
    const runs = called + random.next() * (ended - called);
    const reason = random.pick(["files", "concurrency", "lane"] as const);
    const number =
      calls.filter(({ id }) => id.startsWith(`${parent.id}/`) && id.lastIndexOf("/") === parent.id.length).length + 1;
    calls.push({
      id: `${parent.id}/${number}`,
      name: "t",
      args: {},
      at: [called, runs, runs + random.next() * (ended - runs)],
      ...(random.chance(0.5) ? { waits: [{ at: called, reason, heldBy: random.pick(calls).id }] } : {}),
    });
  }
  return calls;
}

test("any tree of calls keeps the rules", async () => {
  await forEachSeed(seedOfThisRun(), 100, async (seed) => {
    expect(problemsOf(traceToChrome(traceOf(eventsOfCalls(randomCalls(createRandom(seed))))))).toEqual([]);
  });
});

test("a record, an empty trace, and names of any kind keep the rules", () => {
  const nestedCalls = {
    complete: true,
    calls: [
      { id: "T/1", name: "\u202e\u0000", status: "ok", arguments: { "</script>": 1 } },
      { id: "T/2", name: "", status: "unfinished" },
    ],
  } as const;
  expect(problemsOf(traceToChrome(traceOf(nestedCalls)))).toEqual([]);
  expect(problemsOf(traceToChrome(traceOf([])))).toEqual([]);
});
