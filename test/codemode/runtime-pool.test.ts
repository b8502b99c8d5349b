// Workers, sandboxes, places and turns: many scripts at once, and what is left of them.
import { createCodemodeRuntime } from "nestcall/codemode";
import { createGate, turn } from "nestcall/testing";
import { afterEach, expect, test, vi } from "vitest";
import { inspectRuntime } from "../../src/codemode/inspect-runtime.js";
import { Lab, type Runtime } from "./lab.js";

vi.setConfig({ testTimeout: 60_000 }); // threads begin slowly on a busy machine

const runtimes: Runtime[] = [];
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
});

function labWith(options: Parameters<typeof createCodemodeRuntime>[0]): Lab {
  const runtime = createCodemodeRuntime(options);
  runtimes.push(runtime);
  return new Lab(runtime);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

const threads = async (lab: Lab) => (await inspectRuntime(lab.runtime)).workers.map(({ threadId }) => threadId);
const slots = async (lab: Lab) => (await inspectRuntime(lab.runtime)).workers.flatMap((worker) => worker.slots);

test("design 4: one worker runs many parked scripts, and another script between them", async () => {
  const lab = labWith({ workers: 1 });
  const parked = Array.from({ length: 30 }, (_, i) => lab.run(`await tools.held({ i: ${i} }); return ${i};`));
  await until(() => lab.seen.length === 30);
  expect(await lab.value("return 7")).toBe(7);
  expect(await threads(lab)).toHaveLength(1);
  lab.gate.open("go on");
  expect((await Promise.all(parked)).map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, i) => i));
});

test("design 4: sandboxes of a burst are let go down to eight, and all are pristine", async () => {
  const lab = labWith({ workers: 1 });
  const parked = Array.from({ length: 20 }, () => lab.run("globalThis.planted = []; await tools.held({});"));
  await until(() => lab.seen.length === 20);
  expect((await slots(lab)).filter(({ state }) => state === "busy")).toHaveLength(20);
  lab.gate.open("go on");
  await Promise.all(parked);
  const left = await slots(lab);
  expect(left).toHaveLength(8);
  for (const { state, memoryHash, imageHash } of left) expect([state, memoryHash]).toEqual(["idle", imageHash]);
});

test("design 4: a sandbox that grew is replaced, and the worker goes on", async () => {
  const lab = labWith({ workers: 1 });
  await lab.value("return 1");
  const [before] = await slots(lab);
  await lab.value(
    "const kept = []; for (let i = 0; i < 200; i += 1) kept.push(new Uint8Array(100_000)); return kept.length",
  );
  const [after] = await slots(lab);
  expect(after).toEqual(before);
});

test("design 4: a script that computes does not hold up scripts of another worker", async () => {
  const lab = labWith({ workers: 2, limits: { cpuMs: 60_000 } });
  const controller = new AbortController();
  await lab.value("return 1");
  const endless = lab.run("for (;;) {}", lab.tools, { signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await lab.value("return 2")).toBe(2);
  controller.abort(new Error("enough"));
  expect((await endless).status).toBe("aborted");
});

test("7.1: maxScripts at once, others wait in their order, and beyond maxQueuedScripts none", async () => {
  const lab = labWith({ workers: 1, limits: { maxScripts: 1, maxQueuedScripts: 2 } });
  const first = lab.run("await tools.held({ n: 1 }); return 1;");
  await until(() => lab.seen.length === 1);
  const [second, third, fourth] = [2, 3, 4].map((n) => lab.run(`await tools.echo({ n: ${n} }); return ${n};`));
  expect(await fourth).toMatchObject({ status: "limit", error: { limit: "queue" }, calls: [] });
  expect(lab.seen).toHaveLength(1);
  lab.gate.open("go on");
  expect((await Promise.all([first, second, third])).map((run) => run?.value)).toEqual([1, 2, 3]);
  expect(lab.seen.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("7.1: a script that waits longer than queueMs for its place does not run", async () => {
  const lab = labWith({ workers: 1, limits: { maxScripts: 1, queueMs: 30 } });
  const first = lab.run("await tools.held({});");
  await until(() => lab.seen.length === 1);
  expect(await lab.run("return 2")).toMatchObject({ status: "limit", error: { limit: "queue" } });
  const controller = new AbortController();
  const waiting = lab.run("return 3", lab.tools, { signal: controller.signal });
  controller.abort(new Error("no longer wanted"));
  expect(await waiting).toMatchObject({ status: "aborted" });
  lab.gate.open("go on");
  expect((await first).status).toBe("ok");
  expect(await lab.value("return 4")).toBe(4);
});

const SOON = { limits: { queueMs: 50 } };

/** A lab whose tool `asks` waits for a person until the gate is open. */
function askingLab(options: Parameters<typeof createCodemodeRuntime>[0]) {
  const lab = labWith(options);
  const asked: number[] = [];
  const ask = (n: number) =>
    lab.runtime.run(`await tools.asks({}); return ${n};`, {
      tools: [{ name: "asks" }],
      callTool: async (_name, _args, { onApprovalWait }) => {
        onApprovalWait(true);
        asked.push(n);
        await lab.gate.promise;
        onApprovalWait(false);
      },
    });
  return { lab, asked, ask };
}

test("8.1: scripts that wait for a person stop no other script, and go on when they have the answer", async () => {
  const { lab, asked, ask } = askingLab({ workers: 1, limits: { maxScripts: 2 } });
  const waiting = [1, 2, 3, 4, 5].map(ask);
  await until(() => asked.length === 5);
  expect(await lab.value("return 7")).toBe(7);
  lab.gate.open("yes");
  expect((await Promise.all(waiting)).map((run) => run.status)).toEqual(Array(5).fill("ok"));
  const held = createGate<void>();
  const tools = { held: () => held.promise };
  const both = [lab.run("await tools.held({})", tools), lab.run("await tools.held({})", tools)];
  await until(() => lab.seen.length === 2);
  expect(await lab.run("return 8", lab.tools, SOON)).toMatchObject({ error: { limit: "queue" } }); // no place was given back twice
  held.open();
  await Promise.all(both);
});

test("8.1: scripts that wait for a person are eight times maxScripts at most, and none where each has a worker", async () => {
  const { lab, asked, ask } = askingLab({ workers: 1, limits: { maxScripts: 1 } });
  const waiting = Array.from({ length: 8 }, (_, n) => ask(n));
  await until(() => asked.length === 8);
  expect(await lab.run("return 9", lab.tools, SOON)).toMatchObject({ status: "limit", error: { limit: "queue" } });
  lab.gate.open("yes");
  await Promise.all(waiting);
  const alone = askingLab({ workers: 1, scriptsPerWorker: 1 });
  const one = alone.ask(1);
  await until(() => alone.asked.length === 1);
  expect(await alone.lab.run("return 2", alone.lab.tools, SOON)).toMatchObject({ error: { limit: "queue" } });
  alone.lab.gate.open("yes");
  expect((await one).status).toBe("ok");
});

test("design 4: scripts that scripts run are let in although all places are taken", async () => {
  const lab = labWith({ workers: 1, limits: { maxScripts: 2 } });
  const meet = createGate<void>();
  let inside = 0;
  const tools = {
    nested: async () => {
      inside += 1;
      if (inside === 2) meet.open();
      await meet.promise; // both places are taken by now
      return await lab.value("return (await tools.echo({ n: 1 })).n");
    },
  };
  const both = await Promise.all([1, 2].map(() => lab.value("return await tools.nested({})", tools)));
  expect(both).toEqual([1, 1]);
});

test("7.1: scripts know how deep they are, and too deep is the inner run's limit", async () => {
  const lab = labWith({ workers: 1, limits: { maxDepth: 2 } });
  const depths: number[] = [];
  const runAt = async (depth: number): Promise<unknown> => {
    const tools = { deeper: () => runAt(depth + 1) };
    const run = await lab.run("return await tools.deeper({})", tools);
    if (run.status === "limit") return [depth, run.error?.limit];
    depths.push(depth);
    return run.value;
  };
  expect(await runAt(0)).toEqual([3, "depth"]);
  expect(depths).toEqual([2, 1, 0]);
  expect(await lab.value("return 1")).toBe(1);
});

test("design 4: workers that nobody needs end, but one", async () => {
  const lab = labWith({ workers: 2, idleMs: 50 });
  const parked = [1, 2, 3].map(() => lab.run("await tools.held({});"));
  await until(() => lab.seen.length === 3);
  await lab.run("return 1");
  expect(await threads(lab)).toHaveLength(2);
  lab.gate.open("go on");
  await Promise.all(parked);
  await until(async () => (await threads(lab)).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await threads(lab)).toHaveLength(1);
  expect(await lab.value("return 2")).toBe(2);
});

test("C4: calls beyond maxConcurrentCalls wait in the sandbox", async () => {
  const lab = labWith({ workers: 1, limits: { maxConcurrentCalls: 3 } });
  const running = lab.run("return (await Promise.all([1, 2, 3, 4, 5].map((n) => tools.held({ n })))).length");
  await until(() => lab.seen.length === 3);
  await lab.value("return 1"); // the worker has had time to send more
  expect(lab.seen).toHaveLength(3);
  lab.gate.open("go on");
  expect((await running).value).toBe(5);
  expect(lab.peak).toBeLessThanOrEqual(3);
});
