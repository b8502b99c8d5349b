// The tree of running calls at a terminal: what is waited for and who holds it, when a wait is over, what fits.
import { createExecutor, type Executor } from "nestcall";
import { createGate } from "nestcall/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { drawLiveTree, type LiveTree } from "../../src/cli/live-tree.js";
import { line as widthLine, widthOfLine } from "../../src/trace/text-layout.js";
import { tool } from "../helpers/engine.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubEnv("TERM", "xterm");
  vi.stubEnv("NO_COLOR", "1");
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  };
});

/** A terminal that keeps what is on it. */
function terminal(columns = 80, rows = 40) {
  let screen: string[] = [""];
  const write = (text: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
    const [, up] = /^\u001b\[(\d+)A\u001b\[J/.exec(text) ?? [];
    if (up !== undefined) screen = [...screen.slice(0, -1 - Number(up)), ""];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
    const lines = text.replace(/^\u001b\[\d+A\u001b\[J/, "").split("\n");
    screen = [...screen.slice(0, -1), (screen.at(-1) ?? "") + (lines[0] ?? ""), ...lines.slice(1)];
    return true;
  };
  const stream = { isTTY: true, columns, rows, write } as unknown as NodeJS.WriteStream;
  const shown = () => {
    vi.advanceTimersByTime(100);
    return screen.filter((text) => text !== "");
  };
  return { stream, shown };
}

/** Lets everything run that only waits for its turn or for the disk. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
async function until(check: () => boolean): Promise<void> {
  for (let turns = 0; !check() && turns < 2000; turns += 1) await settle();
  expect(check()).toBe(true);
}

function opened(executor: Executor, isAsking = false, columns?: number): { shown: () => string[]; tree: LiveTree } {
  const { stream, shown } = terminal(columns);
  return { shown, tree: drawLiveTree(executor, { stream, isAsking }) };
}

test("a call that waits for a file says for which and who holds it, until the holder has ended", async () => {
  const [first, second] = [createGate(), createGate()];
  const gates = [first, second];
  const edit = tool("edit", () => gates.shift()?.promise.then(() => "done"), {
    effect: "write",
    mutates: () => ["/tmp/nestcall-none/notes.md"],
  });
  const outer = tool("outer", async (_args, ctx) => {
    await Promise.all([ctx.executeTool("edit", {}), ctx.executeTool("edit", {})]);
  });
  const executor = createExecutor({ tools: [edit, outer] });
  const { shown, tree } = opened(executor);
  const done = executor.executeTool("outer", {}, { toolCallId: "root" });
  await until(() => shown().some((text) => text.includes("waits")));
  expect(shown()).toEqual(["T outer  …", "├─ T/1 edit  …", "└─ T/2 edit  waits for notes.md held by T/1"]);
  first.open();
  await until(() => shown().some((text) => text.startsWith("├─ T/1 edit  ok")));
  expect(shown().at(-1)).toBe("└─ T/2 edit  …");
  second.open();
  await done;
  tree.stop();
  expect(shown().map((text) => text.replace(/\d+ ms/, "N ms"))).toEqual([
    "T outer  ok N ms",
    "├─ T/1 edit  ok N ms",
    "└─ T/2 edit  ok N ms",
  ]);
});

test("the sequential lane and places are waited for in words too; a place goes to the first that waits", async () => {
  const gates = [createGate(), createGate(), createGate()];
  let began = 0;
  const step = tool("step", (_args) => gates[began++]?.promise.then(() => "done"));
  const serial = tool("serial", () => gates[2]?.promise.then(() => "done"), { executionMode: "sequential" });
  const outer = tool("outer", async (_args, ctx) => {
    await Promise.all([1, 2, 3].map((number) => ctx.executeTool("step", { number })));
  });
  const lanes = tool("lanes", async (_args, ctx) => {
    await Promise.all([ctx.executeTool("serial", {}), ctx.executeTool("serial", {})]);
  });
  const executor = createExecutor({ tools: [step, serial, outer, lanes], limits: { maxConcurrency: 1 } });
  const { shown } = opened(executor);
  const done = executor.executeTool("outer", {});
  await until(() => began === 1);
  expect(shown().slice(2)).toEqual([
    expect.stringMatching(/T\/2 step .*waits for a free place$/),
    expect.stringMatching(/T\/3 step .*waits for a free place$/),
  ]);
  gates[0]?.open();
  await until(() => began === 2);
  expect(shown().slice(2)).toEqual([
    expect.stringMatching(/T\/2 step .* {2}…$/),
    expect.stringMatching(/T\/3 step .*waits for a free place$/),
  ]);
  gates[1]?.open();
  gates[2]?.open();
  await done;
  const both = createExecutor({ tools: [serial, lanes] });
  gates[2] = createGate();
  const second = opened(both);
  const ended = both.executeTool("lanes", {});
  await until(() =>
    second.shown().some((text) => text.endsWith("T/2 serial  waits for the sequential lane held by T/1")),
  );
  gates[2].open();
  await ended;
});

test("an answer ends the wait for approval of the call that was asked about", async () => {
  const [answer, run] = [createGate(), createGate()];
  let isRunning = false;
  const wipe = tool("wipe", () => {
    isRunning = true;
    return run.promise.then(() => "gone");
  });
  const executor = createExecutor({ tools: [wipe] });
  let tree: LiveTree | undefined;
  const { approvalGuard } = await import("nestcall/guards");
  const confirm = async () => {
    const resume = tree?.pause();
    await answer.promise;
    resume?.();
    return true;
  };
  executor.on("tool_call", approvalGuard({ confirm }));
  const { shown, tree: own } = opened(executor, true);
  tree = own;
  const done = executor.executeTool("wipe", {});
  await until(() => shown().some((text) => text === "T wipe  waits for approval"));
  answer.open();
  await until(() => isRunning);
  expect(shown().at(-1)).toBe("T wipe  …");
  run.open();
  await done;
});

test("no line is wider than the terminal; long and deep parts are counted", async () => {
  const wide = tool("wide", () => "done");
  const deep = tool("deep", async ({ left }, ctx) => {
    if (Number(left) > 0) await ctx.executeTool("deep", { left: Number(left) - 1 });
    return "done";
  });
  const outer = tool("outer", async (_args, ctx) => {
    await ctx.executeTool("deep", { left: 20 });
    for (let number = 0; number < 40; number += 1)
      await ctx.executeTool("wide", { text: `${number} 漢字 ${"絵文字🎉 long ".repeat(20)}\u202e\u001b[31m\n` });
    throw new Error("went wrong ".repeat(60));
  });
  const executor = createExecutor({ tools: [wide, deep, outer] });
  for (const columns of [80, 40]) {
    const { shown, tree } = opened(executor, false, columns);
    await executor.executeTool("outer", {});
    tree.stop();
    const lines = shown();
    expect(Math.max(...lines.map((text) => widthOfLine(widthLine(text))))).toBeLessThan(columns);
    expect(lines[0]).toMatch(/^T outer {2}error/);
    expect(lines[1]).toBe("├─ … 29 earlier calls");
    expect(lines).toHaveLength(14);
  }
  const { shown, tree } = opened(executor);
  await executor.executeTool("deep", { left: 20 });
  tree.stop();
  expect(shown().at(-1)?.trim()).toBe("└─ … 14 calls below");
});
