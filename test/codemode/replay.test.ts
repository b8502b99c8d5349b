// C5: a run is a function of source, seed, start and results; with a journal, what is recorded is not done again.
import { createGate, turn } from "nestcall/testing";
import { afterAll, describe, expect, test } from "vitest";
import { createRandom, forEachSeed, seedOfThisRun } from "../helpers/random.js";
import { Lab, type LabTools, labRuntime, type Run } from "./lab.js";
import { randomScript, unforeseeableTools } from "./random-script.js";

const runtime = labRuntime();
afterAll(() => runtime.close());

type Journal = unknown[];
const copyOf = (journal: readonly unknown[]): Journal => JSON.parse(JSON.stringify(journal)) as Journal;

/** What two runs must have in common; times are those of the machine. */
const shownOf = ({ status, value, error, output, console: lines, warnings, calls, storeWrites }: Run) => ({
  status,
  value,
  error,
  output,
  lines,
  warnings,
  calls: calls.map(({ id, name, status }) => ({ id, name, status })),
  storeWrites,
});

const NONE: LabTools = { number: refuse, words: refuse, trouble: refuse };
function refuse(): never {
  throw new Error("a recorded call was made again");
}

const SCRIPTS = 1000;

test(`C5: ${SCRIPTS} random scripts, replayed from their journals, make the same calls and the same output`, {
  timeout: 120_000,
}, async () => {
  let calls = 0;
  await forEachSeed(seedOfThisRun(), SCRIPTS, async (seed) => {
    const { source } = randomScript(seed);
    const journal: Journal = [];
    const live = new Lab(runtime);
    const first = await live.run(source, unforeseeableTools(createRandom(seed)), { journal });
    expect(["ok", "error"]).toContain(first.status);
    calls += first.calls.length;

    const again = new Lab(runtime);
    const recorded = copyOf(journal);
    const second = await again.run(source, NONE, { journal: recorded });
    expect([source, shownOf(second)]).toEqual([source, shownOf(first)]);
    expect(again.seen).toEqual([]);
    expect(recorded).toEqual(copyOf(journal)); // a finished run adds nothing
  });
  expect(calls).toBeGreaterThan(SCRIPTS);
});

test("C5: without a journal, the same seed, start and results give the same run", { timeout: 60_000 }, async () => {
  await forEachSeed(seedOfThisRun(), 100, async (seed) => {
    const { source } = randomScript(seed);
    const runs: unknown[] = [];
    for (let time = 0; time < 2; time += 1) {
      const lab = new Lab(runtime);
      const numbers = createRandom(seed);
      // One result after another, in the order of the calls, however the machine deals with its turns.
      let last: Promise<unknown> = Promise.resolve();
      const inOrder = (answer: () => unknown) => () => {
        const mine = last.then(turn).then(answer);
        last = mine.catch(() => {});
        return mine;
      };
      const tools: LabTools = {
        number: inOrder(() => numbers.between(0, 9)),
        words: inOrder(() => "words"),
        trouble: inOrder(() => {
          throw new Error("trouble");
        }),
      };
      // Times at which results come are results too, and differ.
      const run = await lab.run(source.replaceAll("Date.now()", "0").replaceAll("new Date()", "new Date(0)"), tools, {
        seed,
        startedAt: 0,
      });
      runs.push([shownOf(run), lab.seen]);
    }
    expect([source, runs[1]]).toEqual([source, runs[0]]);
  });
});

test("C5: a changed script is a divergence at the first call that differs, and makes no call", {
  timeout: 60_000,
}, async () => {
  let changed = 0;
  await forEachSeed(seedOfThisRun(), 200, async (seed) => {
    const random = createRandom(seed);
    const { source } = randomScript(seed);
    const journal: Journal = [];
    const live = new Lab(runtime);
    await live.run(source, unforeseeableTools(random), { journal });
    if (live.seen.length === 0) return;
    const { name, args } = random.pick(live.seen);
    const { k } = args as { readonly k: number };
    const first = live.seen.find((call) => (call.args as { readonly k: number }).k === k);
    const other = random.chance(0.5)
      ? source.replaceAll(`({ k: ${k},`, `({ k: ${k}000,`)
      : source.replaceAll(`tools.${name}({ k: ${k},`, `tools.${name === "number" ? "words" : "number"}({ k: ${k},`);

    const again = new Lab(runtime);
    const run = await again.run(other, NONE, { journal: copyOf(journal) });
    expect([other, run.status, again.seen]).toEqual([other, "divergence", []]);
    expect(run.error?.message).toMatch(new RegExp(`\\b${first?.id}\\b`));
    expect(run.error?.message).toContain(first?.name);
    changed += 1;
  });
  expect(changed).toBeGreaterThan(100);
});

describe("C5, resuming", () => {
  const SOURCE = `
    const first = await tools.step({ n: 1 });
    const [second, third] = await Promise.all([tools.step({ n: 2 }), tools.step({ n: 3 })]);
    text(Date.now());
    return [first, second, third, Math.random()];`;

  test("7.1: any prefix of a journal is one: what has a result is not made again, the rest is", async () => {
    const journal: Journal = [];
    const lab = new Lab(runtime);
    const step = ({ n }: { n: number }) => `done ${n}`;
    const whole = await lab.run(SOURCE, { step }, { journal });
    expect(lab.seen).toHaveLength(3);
    for (let length = 0; length <= journal.length; length += 1) {
      const again = new Lab(runtime);
      const doubted: number[] = [];
      const settled = new Set<number>();
      const prefix = copyOf(journal.slice(0, length));
      const asked: LabTools = {
        step: (args, { id, inDoubt }) => {
          if (inDoubt) doubted.push(id);
          settled.add(id);
          return step(args as { n: number });
        },
      };
      const options = length === 0 ? { startedAt: 1000, seed: 5 } : {};
      const resumed = await again.run(SOURCE, asked, { journal: prefix, ...options });
      expect(resumed.status).toBe("ok");
      expect((resumed.value as unknown[]).slice(0, 3)).toEqual(["done 1", "done 2", "done 3"]);
      expect(resumed.calls.map(({ id }) => id)).toEqual([1, 2, 3]);
      // Seed and start are in the first entry, so random numbers go on as they were.
      if (length > 0) expect((resumed.value as unknown[])[3]).toBe((whole.value as unknown[])[3]);
      // Every id is asked for at most once, and every entry that was there stays.
      expect(again.seen.map(({ id }) => id)).toEqual([...settled]);
      expect(prefix.slice(0, length)).toEqual(copyOf(journal.slice(0, length)));
      expect(prefix).toHaveLength(journal.length);
      const replayed = new Lab(runtime);
      expect(shownOf(await replayed.run(SOURCE, { step: refuse }, { journal: prefix }))).toEqual(shownOf(resumed));
    }
  });

  test("7.1: a recorded call without a result is made again as one in doubt, with the same number", async () => {
    const { journal } = await interrupted();
    const calls: unknown[] = [];
    const asked: LabTools = {
      step: ({ n }: { n: number }, { id, inDoubt }) => {
        calls.push([n, id, inDoubt ?? false]);
        return `again ${n}`;
      },
    };
    const run = await new Lab(runtime).run(SOURCE, asked, { journal });
    expect(calls).toEqual([
      [2, 2, true],
      [3, 3, true],
    ]);
    expect((run.value as unknown[]).slice(0, 3)).toEqual(["done 1", "again 2", "again 3"]);
  });

  test("7.1: a host that must not repeat a call in doubt rejects, and the script sees why", async () => {
    const { journal } = await interrupted();
    const step = () => {
      throw Object.assign(new Error("it may have happened"), { code: "IN_DOUBT" });
    };
    const run = await new Lab(runtime).run(SOURCE, { step }, { journal });
    expect(run).toMatchObject({ status: "error", error: { message: expect.stringContaining("it may have happened") } });
  });

  test("7.1: nothing is added to a journal after a stop", async () => {
    const { journal, gates, lab } = await interrupted();
    const length = journal.length;
    for (const gate of gates) gate.open("late");
    while (lab.running > 0) await turn();
    await turn();
    expect(journal).toHaveLength(length);
  });

  /** A run that was stopped while its second and third call were under way. */
  async function interrupted() {
    const lab = new Lab(runtime);
    const gates = [createGate<unknown>(), createGate<unknown>()];
    const journal: Journal = [];
    const controller = new AbortController();
    const step = ({ n }: { n: number }) => (n === 1 ? "done 1" : gates[n - 2]?.promise);
    const running = lab.run(SOURCE, { step }, { journal, signal: controller.signal });
    while (lab.seen.length < 3) await turn();
    controller.abort();
    expect((await running).status).toBe("aborted");
    return { journal, gates, lab };
  }
});

test("7.1: a finished journal with a script that calls on is a divergence", async () => {
  const journal: Journal = [];
  await new Lab(runtime).run("await tools.echo({ n: 1 });", undefined, { journal });
  const lab = new Lab(runtime);
  const run = await lab.run("await tools.echo({ n: 1 }); await tools.echo({ n: 2 });", undefined, { journal });
  expect([run.status, lab.seen]).toEqual(["divergence", []]);
});

test("7.1: a script that makes fewer calls than its journal has is a divergence", async () => {
  const journal: Journal = [];
  await new Lab(runtime).run("await tools.echo({ n: 1 }); await tools.echo({ n: 2 });", undefined, { journal });
  const run = await new Lab(runtime).run("await tools.echo({ n: 1 });", undefined, { journal });
  expect(run.status).toBe("divergence");
});

test("7.1: a call is in the journal before it leaves, a result before the script sees it", async () => {
  const log: string[] = [];
  const journal = {
    entries: [] as unknown[],
    push(...entries: unknown[]) {
      this.entries.push(...entries);
      log.push("entry");
      return this.entries.length;
    },
    [Symbol.iterator]() {
      return this.entries[Symbol.iterator]();
    },
  };
  const lab = new Lab(runtime);
  const source = "await tools.note({ n: 1 }); await tools.note({ n: 2 }); return 1;";
  const tools: LabTools = { note: ({ n }: { n: number }) => void log.push(`call ${n}`) };
  const options = { journal } as unknown as { journal: Journal };
  expect((await lab.run(source, tools, options)).status).toBe("ok");
  expect(log.indexOf("call 1")).toBeGreaterThanOrEqual(2); // start and call
  expect(log.slice(log.indexOf("call 1")).filter((line) => line !== "entry")).toEqual(["call 1", "call 2"]);
  expect(log.indexOf("call 2") - log.indexOf("call 1")).toBeGreaterThanOrEqual(3); // result and call between
});

test("C5: a resumed script finds the store that the run began with, not what others have stored since", async () => {
  const source = 'const before = load("n"); await tools.echo({ n: before }); store("n", before + 1); return before;';
  const journal: Journal = [];
  const first = await new Lab(runtime).run(source, undefined, { journal, store: { n: 1 } });
  expect([first.value, first.storeWrites.set]).toEqual([1, { n: 2 }]);
  const again = await new Lab(runtime).run(source, undefined, { journal: copyOf(journal), store: { n: 7, m: 8 } });
  expect([again.status, again.value, again.storeWrites.set]).toEqual(["ok", 1, { n: 2 }]);
});
