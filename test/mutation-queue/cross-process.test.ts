// F9 with real processes. They use the built package; this one uses the sources and takes part as another process.
import { linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileMutationQueue } from "nestcall";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../examples/built.js";
import { freshFolder } from "../helpers/process.js";
import { startWorker } from "./processes/start-worker.js";

/** How long the event loop of a holder stands; `NESTCALL_STAND_MS=18000` outlasts every heartbeat. */
const STAND_MS = Number(process.env.NESTCALL_STAND_MS ?? 4_000);

beforeAll(() => ensureBuilt(), 120_000);

/** A file with the number 0, and two other names of it. */
function makeCounter(): { readonly file: string; readonly hard: string; readonly linked: string } {
  const folder = freshFolder();
  const [file, hard, linked] = [join(folder, "count"), join(folder, "hard"), join(folder, "linked")];
  writeFileSync(file, "0");
  linkSync(file, hard);
  symlinkSync(file, linked);
  return { file, hard, linked };
}

test.each([
  ["one after the other", false],
  ["asked for together", true],
])(
  "F9: 4 processes add 250 times each under three names, %s, and nothing is lost",
  { timeout: 120_000 },
  async (_how, isTogether) => {
    const { file, hard, linked } = makeCounter();
    const workers = await Promise.all([startWorker(), startWorker(), startWorker(), startWorker()]);
    const spellings = [file, hard, linked, join(file, "..", ".", "count")];
    await Promise.all(workers.map((worker, index) => worker.tell("increment", spellings[index], 250, isTogether)));
    expect(readFileSync(file, "utf8")).toBe("1000");
  },
);

test("F9: a holder that is killed lets go at once, ten times in a row", { timeout: 120_000 }, async () => {
  const { file, hard } = makeCounter();
  const { withFileMutationQueue } = createFileMutationQueue({ crossProcess: true });
  for (let time = 0; time < 10; time += 1) {
    const worker = await startWorker();
    await worker.tell("hold", hard);
    const events: string[] = [];
    const mine = withFileMutationQueue(file, () => events.push("mine runs"));
    await withFileMutationQueue(`${file}-other`, () => {}); // whoever could start has started
    expect(events).toEqual([]);
    await worker.kill();
    const killedAt = performance.now();
    await mine;
    expect(performance.now() - killedAt, "milliseconds until the next holder").toBeLessThan(1_000);
  }
});

test("F9: a holder whose event loop stands keeps its file", { timeout: STAND_MS + 60_000 }, async () => {
  const { file, linked } = makeCounter();
  const [slow, other] = await Promise.all([startWorker(), startWorker()]);
  const standing = slow.tell("stand", file, STAND_MS);
  await slow.stands;
  const others = other.tell("increment", linked, 100);
  await standing;
  await others;
  expect(readFileSync(file, "utf8"), "a call that came between would be overwritten").toBe("101");
});

test("F9: when a standing holder is killed, only its own call is lost", { timeout: 60_000 }, async () => {
  const { file, hard } = makeCounter();
  const [slow, other] = await Promise.all([startWorker(), startWorker()]);
  slow.tell("stand", file, 600_000).catch(() => {});
  await slow.stands;
  const others = other.tell("increment", hard, 100);
  await slow.kill();
  await others;
  expect(readFileSync(file, "utf8")).toBe("100");
});

describe("F3 and F9: the file is looked up again when the locks are had", () => {
  test("a file that another process replaced while the call waited is the one that is held", {
    timeout: 60_000,
  }, async () => {
    const { file, hard } = makeCounter();
    writeFileSync(`${file}-other`, "0");
    const { withFileMutationQueue } = createFileMutationQueue({ crossProcess: true });
    const [worker, second] = await Promise.all([startWorker(), startWorker()]);
    await worker.tell("hold", file);
    const events: string[] = [];
    let later: Promise<void> | undefined;
    const mine = withFileMutationQueue(file, async () => {
      linkSync(file, `${hard}-new`); // of the new file: whoever asks by this name has to wait
      later = second.tell("hold", `${hard}-new`).then(() => void events.push("second holds"));
      await second.tell("hold", hard); // the old file is nobody's by now
      events.push("old is free");
      await worker.tell("increment", `${file}-other`, 50); // time for the second, if it could
      events.push("mine ends");
    });
    await withFileMutationQueue(`${file}-other`, () => {});
    await worker.tell("replace", file, "new");
    await worker.tell("letGo", file);
    await mine;
    await later;
    expect(events).toEqual(["old is free", "mine ends", "second holds"]);
  });

  test("two processes that ask for a missing file take turns, and the second finds it made", {
    timeout: 60_000,
  }, async () => {
    const { file } = makeCounter();
    const missing = `${file}-missing`;
    const { withFileMutationQueue } = createFileMutationQueue({ crossProcess: true });
    const worker = await startWorker();
    let adding: Promise<void> | undefined;
    await withFileMutationQueue(missing, async () => {
      adding = worker.tell("increment", missing, 5); // fails if it comes first: there is nothing to read
      await worker.tell("hold", file);
      writeFileSync(missing, "10");
    });
    await adding;
    expect(readFileSync(missing, "utf8")).toBe("15");
  });
});
