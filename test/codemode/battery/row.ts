// One hostile script a test, and what must hold after each: the host was never blocked, the next script works, memory is
// back, and the image of the sandbox is pristine again.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Lab, labRuntime, type Runtime } from "../lab.js";
import { expectPristine } from "./pristine.js";
import { StallWatch } from "./stalls.js";

const MIB = 1024 * 1024;
export const CPU_MS = 3000;
const MEMORY_BYTES = 64 * MIB;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface RowOptions {
  /** How long the host may stand still; default 50 ms (C4). */
  readonly stallMs?: number;
}
export type Row = (name: string, attack: (lab: Lab) => Promise<void>, options?: RowOptions) => void;

/** Makes the function that declares rows, which share one runtime. Call it once in a file. */
export function battery(): Row {
  let runtime: Runtime;
  let restingBytes = 0;
  const stalls = new StallWatch();
  beforeAll(async () => {
    runtime = labRuntime({ workers: 1, limits: { cpuMs: CPU_MS, memoryBytes: MEMORY_BYTES } });
    for (let i = 0; i < 20; i += 1) await new Lab(runtime).value("return await tools.echo({ warm: true })");
    collectGarbage();
    restingBytes = process.memoryUsage().rss;
  }, 60_000);
  afterAll(async () => {
    await stalls.close();
    await runtime.close();
  });

  return (name, attack, { stallMs = 50 } = {}) => {
    test(name, { timeout: 120_000 }, async () => {
      let slow: readonly string[] = [];
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const lab = new Lab(runtime);
        const stopWatching = stalls.begin();
        await attack(lab);
        lab.within("the longest stop of the host", stopWatching(), stallMs);
        slow = lab.slow;
        await expectAllWell(runtime, restingBytes);
        if (slow.length === 0) return;
        await stalls.calm();
      }
      expect(slow).toEqual([]);
    });
  };
}

async function expectAllWell(runtime: Runtime, restingBytes: number): Promise<void> {
  expect(await new Lab(runtime).run("return 1")).toMatchObject({ status: "ok", value: 1, warnings: [], calls: [] });
  await expectPristine(runtime);
  expect(await grownBytes(restingBytes)).toBeLessThan(32 * MIB);
}

/** How much larger the process is than at rest, once it had time to give memory back. */
async function grownBytes(restingBytes: number): Promise<number> {
  let grown = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 60 && grown >= 32 * MIB; look += 1) {
    if (look > 0) await sleep(50);
    collectGarbage();
    grown = process.memoryUsage().rss - restingBytes;
  }
  return grown;
}
