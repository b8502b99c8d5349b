// Cases from public bug reports that are about files, batches, abort and time.
import { readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createFileMutationQueue, type ToolCallOutcome, Type, withFileMutationQueue } from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { afterEach, expect, test, vi } from "vitest";
import { at, caller, closed, endOf, textOf, tool, untilAborted } from "../helpers/engine.js";
import { freshFolder, uncaughtDuring } from "../helpers/process.js";

afterEach(() => {
  vi.useRealTimers();
});

test("TC15: two edits of one file in a parallel batch are both applied", async () => {
  const path = join(freshFolder(), "lines.txt");
  writeFileSync(path, "1\n2\n3\n");
  const edit = tool(
    "edit",
    (args) =>
      withFileMutationQueue(String(args.path), async () => {
        const text = await readFile(path, "utf8");
        for (let count = 0; count < 5; count += 1) await turn();
        await writeFile(path, text.replace(String(args.from), String(args.to)));
      }),
    { inputSchema: closed({ path: Type.String(), from: Type.String(), to: Type.String() }) },
  );
  const executor = createExecutor({ tools: [edit] });
  const { outcomes } = await executor.executeBatch([
    { id: "a", name: "edit", arguments: { path, from: "1", to: "one" } },
    { id: "b", name: "edit", arguments: { path, from: "3", to: "three" } },
  ]);
  expect(outcomes.map(endOf)).toEqual(["ok", "ok"]);
  expect(readFileSync(path, "utf8")).toBe("one\n2\nthree\n");
});

test("TC17: a mutation that throws and one that is aborted while it waits stop nobody else", async () => {
  const path = join(freshFolder(), "file");
  const { withFileMutationQueue: inTurn } = createFileMutationQueue();
  const [ran, gate, controller] = [[] as number[], createGate(), new AbortController()];
  const first = inTurn(path, async () => {
    ran.push(1);
    await gate.promise;
    throw new Error("bad");
  });
  const second = inTurn(path, () => {
    ran.push(2);
    return 2;
  });
  const third = inTurn(path, () => void ran.push(3), { signal: controller.signal });
  controller.abort(new Error("not needed any more"));
  await expect(third).rejects.toThrow("not needed any more"); // the first still runs
  gate.open();
  await expect(first).rejects.toThrow("bad");
  expect(await second).toBe(2);
  await inTurn(path, () => {}); // asked last: whoever could run has run
  expect(ran).toEqual([1, 2]);
});

test("TC19: a batch terminates only when every result says so, and results are in call order", async () => {
  const slow = createGate();
  const terminating = (name: string, before: () => unknown) =>
    tool(name, async ({ terminate }) => {
      await before();
      return { content: [{ type: "text", text: name }], terminate: terminate === true };
    });
  const executor = createExecutor({
    tools: [
      terminating("x", () => slow.promise),
      terminating("y", () => slow.open()),
      tool("z", () => {
        slow.open();
        throw new Error("broken");
      }),
    ],
  });
  const run = async (second: string, terminate: boolean) => {
    const {
      outcomes,
      messages,
      terminate: agreed,
    } = await executor.executeBatch([
      { id: "1", name: "x", arguments: { terminate: true } },
      { id: "2", name: second, arguments: { terminate } },
    ]);
    expect(messages.map(({ toolName }) => toolName)).toEqual(["x", second]);
    expect(outcomes.map(({ toolCall }) => toolCall.id)).toEqual(["1", "2"]);
    return agreed;
  };
  expect([await run("y", true), await run("y", false), await run("z", true)]).toEqual([true, false, false]);
});

test("TC21: an abort reaches the innermost call, every call above is aborted, and nothing new runs", async () => {
  const [ran, started, saw] = [[] as string[], createGate(), [] as boolean[]];
  const sleep = tool("sleep", async (_args, ctx) => {
    started.open();
    await untilAborted(ctx.signal).catch(() => {});
    saw.push(ctx.signal.aborted);
    ctx.signal.throwIfAborted();
  });
  const leaf = tool("leaf", () => void ran.push("leaf"));
  const outer = caller("outer", [["mid"], ["leaf", { n: 1 }]]);
  const executor = createExecutor({ tools: [sleep, leaf, caller("mid", [["sleep", { ms: 10_000 }]]), outer] });
  const controller = new AbortController();
  const call = executor.executeTool("outer", {}, { toolCallId: "T", signal: controller.signal });
  await started.promise;
  controller.abort();
  const { status, nestedCalls } = await call;
  expect([status, saw, ran]).toEqual(["aborted", [true], []]);
  expect(nestedCalls?.calls.slice(0, 2)).toMatchObject([
    { id: "T/1", status: "aborted" },
    { id: "T/1/1", status: "aborted" },
  ]);
});

test("TC23: an update after the return is not delivered, and a consumer that throws harms nothing", async () => {
  const [late, done] = [createGate(), createGate()];
  const talker = tool("talker", (_args, ctx) => {
    ctx.onUpdate({ content: [{ type: "text", text: "u1" }] });
    void late.promise.then(() => {
      ctx.onUpdate({ content: [{ type: "text", text: "u2" }] });
      done.open();
    });
    return "r";
  });
  const executor = createExecutor({ tools: [talker] });
  executor.on("observer_error", () => {});
  const delivered: string[] = [];
  const uncaught = await uncaughtDuring(async () => {
    const outcomes = [
      await executor.executeTool(
        "talker",
        {},
        {
          onUpdate: ({ content = [] }) => void delivered.push(textOf({ result: { content } })),
        },
      ),
      await executor.executeTool(
        "talker",
        {},
        {
          onUpdate: () => {
            throw new Error("the consumer failed");
          },
        },
      ),
    ];
    late.open();
    await done.promise;
    expect(outcomes.map(endOf)).toEqual(["ok", "ok"]);
  });
  expect([uncaught, delivered]).toEqual([[], ["u1"]]);
});

test("TC25: a nested call beyond its time limit is an error that says so, and its caller goes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [saw, nested] = [[] as unknown[], [] as ToolCallOutcome[]];
  const sleep = tool("sleep", async (_args, ctx) => {
    await untilAborted(ctx.signal).catch((reason: Error) => void saw.push(reason.name));
    ctx.signal.throwIfAborted();
  });
  const outer = tool("outer", async (_args, ctx) => {
    nested.push(await ctx.executeTool("sleep", { ms: 1000 }, { timeoutMs: 50 }));
    return "went on";
  });
  const call = createExecutor({ tools: [sleep, outer] }).executeTool("outer");
  await vi.advanceTimersByTimeAsync(49);
  expect([saw, nested]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(textOf(await call)).toBe("went on");
  expect([saw, nested.map(endOf)]).toEqual([["TimeoutError"], ["TIMEOUT"]]);
  expect(textOf(at(nested, 0))).toMatch(/sleep.* timed out/);
});
