// F9 inside one process: two queues are to each other what two processes are.
import { getEventListeners } from "node:events";
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createFileMutationQueue, defineTool, Type } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, test, vi } from "vitest";
import { freshFolder } from "../helpers/process.js";

const createQueue = () => createFileMutationQueue({ crossProcess: true }).withFileMutationQueue;

function makeFile(name = "file"): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, "text");
  return file;
}

/** How many files this process has open; Linux tells. */
const openFiles = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);

/** When this has run, whoever could start has started. */
const othersHadTheirTurn = (run: ReturnType<typeof createQueue>, file: string) => run(`${file}-free`, () => {});

test("F9: two queues of one process exclude each other, under every name of a file", async () => {
  const file = makeFile();
  linkSync(file, `${file}-hard`);
  symlinkSync(file, `${file}-link`);
  const [first, second] = [createQueue(), createQueue()];
  const [holds, mayEnd] = [createGate(), createGate()];
  const events: string[] = [];
  const holder = first(file, async () => {
    holds.open();
    await mayEnd.promise;
    events.push("first ends");
  });
  await holds.promise;
  const others = ["-hard", "-link"].map((name) => second(file + name, () => events.push("second runs")));
  await othersHadTheirTurn(second, file);
  expect(events).toEqual([]);
  mayEnd.open();
  await Promise.all([holder, ...others]);
  expect(events).toEqual(["first ends", "second runs", "second runs"]);
});

test("F9: turns of one queue keep the order of the calls", async () => {
  const file = makeFile();
  const run = createQueue();
  const order: number[] = [];
  await Promise.all(Array.from({ length: 50 }, (_, index) => run(file, () => order.push(index))));
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("F9: a queue with a long row of requests lets those that wait elsewhere in between", async () => {
  const file = makeFile();
  const [first, second] = [createQueue(), createQueue()];
  let [turns, most] = [0, 1_000];
  const row = async () => {
    while (turns < most) {
      await first(file, async () => {
        for (let step = 0; step < 5; step += 1) await stat(file);
        turns += 1;
      });
    }
  };
  const rows = [row(), row(), row(), row()]; // one waits always, and takes over in the moment in which another ends
  await first(file, () => {});
  for (let time = 0; time < 5; time += 1) await second(file, () => {});
  expect(turns, "the row has not come to its end").toBeLessThan(most);
  most = 0;
  await Promise.all(rows);
});

test("F7: an abort while others hold the file leaves at once, with no open file and no listener", async () => {
  const file = makeFile();
  const [first, second] = [createQueue(), createQueue()];
  await Promise.all([first(file, () => {}), second(file, () => {})]); // everything is loaded
  const before = openFiles();
  const [holds, mayEnd] = [createGate(), createGate()];
  const holder = first([file, `${file}-b`], async () => {
    holds.open();
    await mayEnd.promise;
  });
  await holds.promise;
  const whileHeld = openFiles();
  const controller = new AbortController();
  let ran = 0;
  const waiting = [[file], [`${file}-a`, `${file}-b`], [`${file}-b`]].map((paths) =>
    second(paths, () => (ran += 1), { signal: controller.signal }),
  );
  await othersHadTheirTurn(second, file);
  controller.abort(new Error("enough"));
  for (const result of await Promise.allSettled(waiting)) {
    expect(result).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  }
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  expect(openFiles(), "only what the holder has").toBe(whileHeld);
  expect(await second(`${file}-a`, () => "free"), "what it wanted besides is free").toBe("free");
  mayEnd.open();
  await holder;
  expect(openFiles()).toBe(before);
  expect(ran).toBe(0);
});

test("F4: requests for the same files in any order never block each other, and hold none while they wait", async () => {
  const [a, b] = [makeFile("a"), makeFile("b")];
  const [first, second] = [createQueue(), createQueue()];
  let holders = 0;
  const hold = async () => {
    holders += 1;
    await new Promise(setImmediate);
    expect(holders).toBe(1);
    holders -= 1;
  };
  const all = Array.from({ length: 30 }, (_, index) => [first([a, b], hold), second([b, a], hold), index]).flat();
  await Promise.all(all);

  const [holds, mayEnd] = [createGate(), createGate()];
  const holder = first(b, async () => {
    holds.open();
    await mayEnd.promise;
  });
  await holds.promise;
  const both = second([a, b], () => "both");
  await othersHadTheirTurn(second, a);
  expect(await first(a, () => "a is free")).toBe("a is free");
  mayEnd.open();
  await holder;
  expect(await both).toBe("both");
});

test("F5: inner uses run at once, also of a file that the holder replaced", async () => {
  const file = makeFile();
  const run = createQueue();
  const events: string[] = [];
  await run(file, async () => {
    await run(`${file}/../file`, () => events.push("same file"));
    writeFileSync(`${file}-new`, "new");
    renameSync(`${file}-new`, file);
    linkSync(file, `${file}-hard`);
    await run(file, () => run(`${file}-hard`, () => events.push("new file")));
    await run([file, `${file}-more`], () => events.push("one more"));
  });
  expect(events).toEqual(["same file", "new file", "one more"]);
});

test("F5: others wait for the last inner use, and locks go with it", async () => {
  const file = makeFile();
  const [first, second] = [createQueue(), createQueue()];
  const [innerHolds, innerMayEnd] = [createGate(), createGate()];
  const events: string[] = [];
  let inner: Promise<unknown> | undefined;
  await first(file, async () => {
    inner = first(file, async () => {
      innerHolds.open();
      await innerMayEnd.promise;
      events.push("inner ends");
    });
    await innerHolds.promise;
  });
  const other = second(file, () => events.push("other runs"));
  for (let round = 0; round < 3; round += 1) await othersHadTheirTurn(second, file);
  innerMayEnd.open();
  await Promise.all([inner, other]);
  expect(events).toEqual(["inner ends", "other runs"]);
});

test("F3: a file that its holder removed is had by its name alone, and no lock of the old one stays", async () => {
  const file = makeFile();
  const [first, second] = [createQueue(), createQueue()];
  const before = openFiles();
  const [holds, mayEnd] = [createGate(), createGate()];
  const holder = first(file, async () => {
    holds.open();
    await mayEnd.promise;
    linkSync(file, `${file}-kept`);
    rmSync(file);
  });
  await holds.promise;
  const next = second(file, async () => {
    expect(await first(`${file}-kept`, () => "free")).toBe("free");
    writeFileSync(file, "made anew");
  });
  await othersHadTheirTurn(second, file);
  mayEnd.open();
  await Promise.all([holder, next]);
  expect(openFiles()).toBe(before);
});

test("F6: a cycle inside one queue is refused as in every queue", async () => {
  const [a, b] = [makeFile("a"), makeFile("b")];
  const run = createQueue();
  const gates = [createGate(), createGate()];
  const take = (outer: string, inner: string, mine: number) =>
    run(outer, async () => {
      gates[mine]?.open();
      await gates[1 - mine]?.promise;
      return run(inner, () => "got it").catch((error) => error.code);
    });
  expect(await Promise.all([take(a, b, 0), take(b, a, 1)])).toContain("DEADLOCK");
});

test("F7, F10: what fn throws goes to its caller, an impossible path is Node's error, and everyone else goes on", async () => {
  const file = makeFile();
  const run = createQueue();
  const before = openFiles();
  await expect(run(file, () => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
  await expect(run(`${file}\0`, () => {})).rejects.toMatchObject({ code: "ERR_INVALID_ARG_VALUE" });
  expect(await run([], () => "no file")).toBe("no file");
  expect(await run(file, () => "goes on")).toBe("goes on");
  expect(openFiles()).toBeLessThanOrEqual(before);
});

test("F8, F9: an engine's leases, lane and guards work with such a queue; a wait for others is told", async () => {
  const file = makeFile();
  const mutationQueue = createFileMutationQueue({ crossProcess: true });
  const outside = createQueue();
  const parameters = Type.Object({ text: Type.String() }, { additionalProperties: false });
  const append = defineTool({
    name: "append",
    description: "Appends.",
    inputSchema: parameters,
    executionMode: "sequential",
    mutates: () => [file],
    execute: ({ text }, ctx) =>
      ctx.withFileMutationQueue(file, () => {
        writeFileSync(file, readFileSync(file, "utf8") + text);
        return "done";
      }),
  });
  const executor = createExecutor({ tools: [append], mutationQueue });
  const seen: string[] = [];
  const waits: unknown[] = [];
  executor.on("before_mutation", ({ paths }) => void seen.push(...paths));
  executor.on("tool_execution_wait", ({ reason, paths, heldBy }) => void waits.push({ reason, paths, heldBy }));
  const [holds, mayEnd] = [createGate(), createGate()];
  const holder = outside(file, async () => {
    holds.open();
    await mayEnd.promise;
  });
  await holds.promise;
  const stopped = executor.executeTool("append", { text: "x" }, { timeoutMs: 50 });
  expect(await stopped).toMatchObject({ error: { code: "TIMEOUT", message: expect.stringContaining(file) } });
  expect(waits).toEqual([{ reason: "files", paths: [file], heldBy: undefined }]);
  const outcomes = Promise.all(["a", "b", "c"].map((text) => executor.executeTool("append", { text })));
  mayEnd.open();
  await holder;
  expect((await outcomes).map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(readFileSync(file, "utf8")).toBe("textabc");
  expect(seen).toEqual([file, file, file]);
  await executor.close();
});

test("F9: 200 files at once, many times, leave nothing open", async () => {
  const folder = freshFolder();
  const run = createQueue();
  const files = Array.from({ length: 200 }, (_, index) => join(folder, `${index}`));
  await run(files[0] as string, () => {});
  const before = openFiles();
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(files.map((file) => run(file, () => writeFileSync(file, "x"))));
    await run(files, () => {});
  }
  expect(openFiles()).toBe(before);
});

test("F9: without the optional package every use says what is missing, and an empty list still runs", async () => {
  vi.resetModules();
  vi.doMock("fs-native-extensions", () => {
    throw new Error("Cannot find package 'fs-native-extensions'");
  });
  try {
    const { createFileMutationQueue: create } = await import("../../src/mutation-queue/with-file-mutation-queue.js");
    const { withFileMutationQueue: run } = create({ crossProcess: true });
    const file = makeFile();
    for (let time = 0; time < 2; time += 1) {
      await expect(run(file, () => {})).rejects.toMatchObject({
        name: "NestcallError",
        code: "INVALID_ARGUMENTS",
        message: expect.stringContaining("npm install fs-native-extensions"),
      });
    }
    expect(await run([], () => "no file")).toBe("no file");
    expect(await create().withFileMutationQueue(file, () => "ordinary")).toBe("ordinary");
  } finally {
    vi.doUnmock("fs-native-extensions");
    vi.resetModules();
  }
});
