import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileMutationQueue } from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { afterEach, expect, test } from "vitest";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ended-lease-")));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("F6: a holder that has settled waits for nothing, although an inner use that nobody awaited keeps its file", async () => {
  const { withFileMutationQueue: run } = createFileMutationQueue();
  const [a, b] = [join(folder, "a"), join(folder, "b")];
  /** Whoever may start has started when calls that were asked later have run. */
  const othersHadTheirTurn = async () => {
    for (let round = 0; round < 5; round += 1) await run(join(folder, `free-${round}`), turn);
  };
  const [holdsB, holderOfAEnded, innerRuns, innerMayEnd] = [createGate(), createGate(), createGate(), createGate()];
  const left: Promise<unknown>[] = [];
  const second = run(b, async () => {
    holdsB.open();
    await holderOfAEnded.promise;
    const asked = run(a, () => "got a"); // a is kept by the inner use alone, which waits for nobody
    await othersHadTheirTurn();
    innerMayEnd.open();
    return asked;
  });
  await holdsB.promise;
  await run(a, async () => {
    left.push(
      run(a, async () => {
        innerRuns.open();
        await innerMayEnd.promise;
      }),
    );
    await innerRuns.promise;
    left.push(run(b, () => {})); // waits for the second holder; nobody waits for it
    await othersHadTheirTurn();
  });
  holderOfAEnded.open();
  expect(await second).toBe("got a");
  await Promise.all(left);
});
