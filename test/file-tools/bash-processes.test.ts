// W3: what a command starts ends with it when it is stopped, and nothing of a call is left in this process.
import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGate, turn } from "nestcall/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFileTools } from "../../src/file-tools/index.js";
import { endGroup } from "../../src/file-tools/process-group.js";
import { runShell, type ShellCommand } from "../../src/file-tools/shell-run.js";
import { createUpdateThrottle } from "../../src/file-tools/update-throttle.js";
import { createExecutor, type RootCallOptions } from "../../src/index.js";
import { freshFolder } from "../helpers/process.js";
import { type FileWorld, fileWorld, isRunning, textOf } from "./file-world.js";

/** A grandchild that ignores SIGTERM, in the group and with the pipe of its shell; the shell waits for it. */
const STUBBORN = `bash -c 'trap "" TERM; echo pid $$; while :; do sleep 0.05; done' & wait`;
/** One that has closed the pipe, so only the group knows it. */
const SILENT = `bash -c 'trap "" TERM; echo pid $$; exec >&- 2>&-; while :; do sleep 0.05; done' & wait`;

/** Starts a command and resolves when it has printed `pid` and the pid of a process that has to die. */
async function startStubborn(world: FileWorld, args: object, options: RootCallOptions = {}) {
  const said = createGate<number>();
  const outcome = world.call("bash", args, {
    ...options,
    onUpdate: ({ content }) => {
      const [block] = content ?? [];
      const pid = block?.type === "text" ? /pid (\d+)/.exec(block.text)?.[1] : undefined;
      if (pid !== undefined) said.open(Number(pid));
    },
  });
  const pid = await said.promise;
  killInTheEnd(pid);
  return { pid, outcome };
}

function killInTheEnd(pid: number): void {
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, "SIGKILL");
  });
}

test.each([
  ["with the pipe", STUBBORN],
  ["without it", SILENT],
])("abort: a grandchild that ignores SIGTERM dies, %s; the output so far is kept", async (_, command) => {
  const controller = new AbortController();
  const { pid, outcome } = await startStubborn(fileWorld(), { command }, { signal: controller.signal });
  expect(isRunning(pid)).toBe(true);
  controller.abort();
  expect((await outcome).status).toBe("aborted");
  expect(textOf(await outcome)).toContain(`pid ${pid}`);
  expect(textOf(await outcome)).toContain("Stopped: the call was aborted.");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { interval: 10 }); // a busy system kills late
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test.each([
  ["with the pipe", STUBBORN],
  ["without it", SILENT],
])(
  "timeout_seconds: a grandchild that ignores SIGTERM dies, %s; a text says so, with the output so far",
  async (_, command) => {
    const { pid, outcome } = await startStubborn(fileWorld(), { command, timeout_seconds: 0.5 });
    const { status, error, result } = await outcome;
    expect({ status, code: error?.code }).toEqual({ status: "error", code: "TOOL_FAILED" });
    expect(textOf(await outcome)).toMatch(/^pid \d+\n\[Stopped: not ended after 0\.5 s \(timeout_seconds\)\. .*\]$/);
    expect(result.structuredContent).toMatchObject({ output: `pid ${pid}\n`, exit_code: 143, truncated: false });
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { interval: 10 }); // a busy system kills late
  },
);

test("a command that is left behind by the engine is ended all the same", async () => {
  const before = process.listenerCount("exit");
  const world = fileWorld();
  const { bash } = createFileTools({ cwd: world.folder, outputFolder: world.outputFolder });
  const executor = createExecutor({ tools: [bash], limits: { abortGraceMs: 0 } });
  const controller = new AbortController();
  const call: FileWorld = { ...world, call: (name, args, options) => executor.executeTool(name, args, options) };
  const { pid, outcome } = await startStubborn(call, { command: STUBBORN }, { signal: controller.signal });
  controller.abort();
  expect(textOf(await outcome)).toContain("had not stopped");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { interval: 10 });
  await vi.waitFor(() => expect(process.listenerCount("exit")).toBe(before), { interval: 10 }); // the tool is done too
  await executor.close();
});

test("SIGTERM comes first: a command may clean up, and what it says then is shown", async () => {
  const controller = new AbortController();
  const command = `trap 'echo cleaned; exit 0' TERM; echo pid $$; while :; do sleep 0.01; done`;
  const { outcome } = await startStubborn(fileWorld(), { command }, { signal: controller.signal });
  controller.abort();
  expect(textOf(await outcome)).toContain("\ncleaned\n");
});

test("a call that was aborted before its turn starts nothing", async () => {
  const world = fileWorld();
  const outcome = await world.call("bash", { command: "touch made" }, { signal: AbortSignal.abort() });
  expect(outcome.status).toBe("aborted");
  expect(existsSync(join(world.folder, "made"))).toBe(false);
});

test("when this process exits, a command that still runs dies with it", async () => {
  const before = process.listeners("exit");
  const { pid, outcome } = await startStubborn(fileWorld(), { command: STUBBORN });
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  added[0]?.(0); // as the exit of the process would
  expect((await outcome).result.structuredContent).toMatchObject({ exit_code: 137 });
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { interval: 10 });
  expect(process.listeners("exit")).toEqual(before);
});

test("nobody listens to signals while no command runs", async () => {
  const counts = () => ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => process.listenerCount(signal));
  const before = counts();
  const controller = new AbortController();
  const { outcome } = await startStubborn(fileWorld(), { command: STUBBORN }, { signal: controller.signal });
  expect(counts()).toEqual(before.map((count) => count + 1));
  controller.abort();
  await outcome;
  expect(counts()).toEqual(before);
});

describe("once the shell has ended by itself", () => {
  /** Resolves when the shell has ended and left a process behind that has the pipe; time stands still from the start on. */
  async function startLeaving(more: Partial<ShellCommand>) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const said = createGate<string>();
    const end = runShell({
      command: "sleep 84 & echo $! $$",
      cwd: freshFolder(),
      env: process.env,
      timeoutMs: undefined,
      signal: new AbortController().signal,
      onOutput: (chunk) => void said.open(String(chunk)),
      ...more,
    });
    let isOver = false;
    void end.finally(() => {
      isOver = true;
    });
    const [left = 0, shell = 0] = (await said.promise).split(" ").map(Number);
    killInTheEnd(left);
    while (exists(shell)) await turn(); // until this process has heard of its end
    await turn();
    return { end, left, isOver: () => isOver };
  }

  function exists(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  test("timeout_seconds is over: a time that runs out while late output is awaited stops nothing", async () => {
    const { end, left, isOver } = await startLeaving({ timeoutMs: 300 });
    vi.advanceTimersByTime(499);
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(isOver()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await end).toEqual({ exitCode: 0, signal: undefined, stoppedBy: undefined, isStillWritten: true });
    expect(isRunning(left)).toBe(true);
  });

  test("timeout_seconds is over, even if this process was too busy to hear of the shell's end", async () => {
    const end = await runShell({
      command: "echo",
      cwd: freshFolder(),
      env: process.env,
      timeoutMs: 400,
      signal: new AbortController().signal,
      onOutput: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600), // blocks this thread
    });
    expect(end).toEqual({ exitCode: 0, signal: undefined, stoppedBy: undefined, isStillWritten: false });
  });

  test("an abort ends the wait for late output, and nothing else", async () => {
    const controller = new AbortController();
    const { end, left, isOver } = await startLeaving({ signal: controller.signal });
    expect(isOver()).toBe(false);
    controller.abort();
    expect(await end).toEqual({ exitCode: 0, signal: undefined, stoppedBy: undefined, isStillWritten: true });
    expect(isRunning(left)).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("ending a group that is gone already harms nothing", async () => {
  const child = spawn("true", [], { detached: true });
  await once(child, "exit");
  await endGroup(child.pid ?? 0);
});

test("output soon after the shell's end is kept, what comes more than 500 ms later is dropped; its writer lives on", async () => {
  const world = fileWorld();
  const go = join(world.folder, "go");
  const done = join(world.folder, "done");
  const command = `{ echo soon; while [ ! -e go ]; do sleep 0.01; done; for i in 1 2 3; do echo late; done; echo $? > done; } & echo now`;
  const outcome = await world.call("bash", { command });
  expect(outcome.result.structuredContent).toMatchObject({ exit_code: 0 });
  const lines = textOf(outcome).split("\n");
  expect(lines.slice(0, 2).toSorted()).toEqual(["now", "soon"]);
  expect(lines[2]).toContain("A process that it left behind still runs");
  writeFileSync(go, "");
  await vi.waitFor(() => expect(readFileSync(done, "utf8")).toBe("0\n"), { interval: 10 }); // no SIGPIPE
});

test("updates: the first at once, the last always, at most ten in any second", async () => {
  const times: number[] = [];
  let last = "";
  const onUpdate: RootCallOptions["onUpdate"] = ({ content }) => {
    times.push(performance.now());
    last = content?.map((block) => (block.type === "text" ? block.text : "")).join("") ?? "";
  };
  await fileWorld().call(
    "bash",
    { command: "for i in $(seq 130); do echo $i; sleep 0.01; done; echo end" },
    { onUpdate },
  );
  expect(last).toMatch(/130\nend\n$/);
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at - from <= 1_000).length));
  expect(most).toBeLessThanOrEqual(10);
  expect(times.length).toBeGreaterThan(5);
});

test("the throttle: nothing before its time is over, nothing after the end", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let shown = 0;
  const throttle = createUpdateThrottle(() => {
    shown += 1;
  });
  throttle.note();
  expect(shown).toBe(1);
  throttle.note();
  throttle.note();
  vi.advanceTimersByTime(124);
  expect(shown).toBe(1);
  vi.advanceTimersByTime(1);
  expect(shown).toBe(2);
  throttle.finish();
  expect(shown).toBe(2); // nothing new since
  throttle.note();
  vi.runAllTimers();
  expect(shown).toBe(2);
});

test("no descriptor, listener or handler is left after fifty calls of every kind", async () => {
  const world = fileWorld();
  const descriptors = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
  const run = (index: number) => {
    const controller = new AbortController();
    const call = world.call(
      "bash",
      { command: ["true", "exit 2", "kill -9 $$", "head -c 100000 /dev/zero", "sleep 5"][index % 5] ?? "" },
      { signal: controller.signal },
    );
    if (index % 5 === 4) setImmediate(() => controller.abort());
    return call;
  };
  await Promise.all([0, 1, 2, 3, 4].map(run)); // whatever is opened once is open now
  const before = { descriptors: descriptors(), listeners: process.listenerCount("exit") };
  for (let round = 0; round < 10; round += 1) await Promise.all([0, 1, 2, 3, 4].map(run));
  await vi.waitFor(() =>
    expect({ descriptors: descriptors(), listeners: process.listenerCount("exit") }).toEqual(before),
  );
});
