// The fault of the nearest peer that is about waits that never end: D12.
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, createFileMutationQueue, type NestcallError, type ToolCallOutcome } from "nestcall";
import { createGate, type Gate } from "nestcall/testing";
import { expect, test } from "vitest";
import { at, caller, endOf, textOf, tool } from "../helpers/engine.js";
import { freshFolder } from "../helpers/process.js";

function fileIn(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  return path;
}

test("D12: a holder that asks again for its file, also by a symbolic link, runs at once", async () => {
  const folder = freshFolder();
  const file = fileIn(folder, "a.txt");
  const link = join(folder, "link.txt");
  symlinkSync(file, link);
  const { withFileMutationQueue } = createFileMutationQueue();
  for (const inner of [file, link]) {
    const value = await withFileMutationQueue(file, () => withFileMutationQueue(inner, () => inner));
    expect(value).toBe(inner);
  }
  expect(await withFileMutationQueue(link, () => "free again")).toBe("free again");
});

/** A tool that appends its name to the file, which it declares. */
function writer(file: string) {
  const execute = () => writeFileSync(file, `${readFileSync(file, "utf8")}written`);
  return tool("write", execute, { mutates: () => file });
}

test("D12: a tool that holds a file and calls a tool that edits it does not hang", async () => {
  const file = fileIn(freshFolder(), "a.txt");
  const byDeclaration = caller("by_declaration", [["write"]], [], { mutates: () => file });
  const byFunction = tool("by_function", (_args, ctx) =>
    ctx.withFileMutationQueue(file, async () => textOf(await ctx.executeTool("write"))),
  );
  const executor = createExecutor({ tools: [writer(file), byDeclaration, byFunction] });
  for (const name of ["by_declaration", "by_function"]) {
    const outcome = await executor.executeTool(name);
    expect(outcome).toMatchObject({ status: "ok", nestedCalls: { complete: true, calls: [{ status: "ok" }] } });
  }
  expect(readFileSync(file, "utf8")).toBe("writtenwritten");
});

test("D12: A then B against B then A is refused with DEADLOCK, and the other goes on", async () => {
  const folder = freshFolder();
  const [a, b] = [fileIn(folder, "a"), fileIn(folder, "b")];
  const { withFileMutationQueue } = createFileMutationQueue();
  const [hasA, hasB] = [createGate(), createGate()];
  const take = (first: string, second: string, mine: Gate, other: Gate) =>
    withFileMutationQueue(first, async () => {
      mine.open();
      await other.promise; // both hold their first file now
      return withFileMutationQueue(second, () => "done");
    });
  const settled = await Promise.allSettled([take(a, b, hasA, hasB), take(b, a, hasB, hasA)]);
  expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = settled.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ name: "NestcallError", code: "DEADLOCK" });
  for (const path of [a, b]) expect((refused.reason as Error).message).toContain(path);
});

test("D12: two tools that edit each other's file get an outcome each, one of them DEADLOCK", async () => {
  const folder = freshFolder();
  const files = { a: fileIn(folder, "a"), b: fileIn(folder, "b") };
  const gates = { a: createGate(), b: createGate() };
  const nested: ToolCallOutcome[] = [];
  const edit = tool("edit", ({ file }) => `edited ${String(file)}`, {
    mutates: ({ file }: { file: string }) => [file],
  });
  const both = (name: string, mine: "a" | "b", other: "a" | "b") =>
    tool(
      name,
      async (_args, ctx) => {
        gates[mine].open();
        await gates[other].promise;
        nested.push(await ctx.executeTool("edit", { file: files[other] }));
      },
      { mutates: () => files[mine] },
    );
  const executor = createExecutor({ tools: [edit, both("ab", "a", "b"), both("ba", "b", "a")] });
  const { outcomes } = await executor.executeBatch([
    { id: "1", name: "ab" },
    { id: "2", name: "ba" },
  ]);
  expect(nested.map(endOf).sort()).toEqual(["DEADLOCK", "ok"]);
  expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok"]);
});

test("D12: a holder of a file that calls a sequential tool, while a holder of the lane waits for the file, does not hang", async () => {
  const file = fileIn(freshFolder(), "a");
  const [hasLane, hasFile] = [createGate(), createGate()];
  const ends: string[] = [];
  const holder = tool(
    "holder",
    async (_args, ctx) => {
      hasFile.open();
      await hasLane.promise;
      ends.push(endOf(await ctx.executeTool("seq")));
    },
    { mutates: () => file },
  );
  const seq = tool("seq", () => "ran", { executionMode: "sequential" });
  const laneFirst = tool(
    "lane_first",
    async (_args, ctx) => {
      hasLane.open();
      await hasFile.promise;
      const lease = ctx.withFileMutationQueue(file, () => "ok");
      ends.push(await lease.catch(({ code }: NestcallError) => code));
    },
    { executionMode: "sequential" },
  );
  const executor = createExecutor({ tools: [holder, seq, laneFirst] });
  const outcomes = await Promise.all(["holder", "lane_first"].map((name) => executor.executeTool(name)));
  expect(outcomes.map(endOf)).toEqual(["ok", "ok"]);
  expect(ends.sort()).toEqual(["DEADLOCK", "ok"]); // whichever wait came second was refused
});

test("D12: a call that needs lane and file asks for both at once, so it holds neither while it waits", async () => {
  const file = fileIn(freshFolder(), "a");
  const [waits, held] = [createGate(), createGate()];
  const nested: ToolCallOutcome[] = [];
  const holder = tool(
    "holder",
    async (_args, ctx) => {
      held.open();
      await waits.promise;
      nested.push(await ctx.executeTool("seq", {}, { timeoutMs: 4000 }));
    },
    { mutates: () => file },
  );
  const seq = tool("seq", () => "ran", { executionMode: "sequential" });
  const needsBoth = tool("needs_both", () => "had its turn", { executionMode: "sequential", mutates: () => file });
  const executor = createExecutor({ tools: [holder, seq, needsBoth] });
  executor.on("tool_execution_wait", ({ toolName }) => {
    if (toolName === "needs_both") waits.open();
  });
  const first = executor.executeTool("holder");
  await held.promise;
  const second = executor.executeTool("needs_both");
  expect((await first).status).toBe("ok");
  expect(["ok", "DEADLOCK"]).toContain(endOf(at(nested, 0)));
  expect(textOf(await second)).toBe("had its turn");
});
