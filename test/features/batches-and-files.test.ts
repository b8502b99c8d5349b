// Rows of features.md about batches, the sequential lane and files: P28 to P31.
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { batchTerminates, createExecutor, withFileMutationQueue } from "nestcall";
import { turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { tool } from "../helpers/engine.js";
import { freshFolder } from "../helpers/process.js";

const KINDS = ["yes", "no", "error", "error yes", "throws", "blocked", "blocked yes", "nobody", "truthy"] as const;
const AGREES: ReadonlySet<string> = new Set(["yes", "error yes", "blocked yes"]);

/** An executor with one tool for each way in which a call can speak about termination. */
function executorOfKinds() {
  const answer = (name: string, result: object) => tool(name.replace(" ", "_"), () => ({ content: [], ...result }));
  const thrower = tool("throws", () => {
    throw new Error("no");
  });
  const executor = createExecutor({
    tools: [
      answer("yes", { terminate: true }),
      answer("no", { terminate: false }),
      answer("error", { isError: true }),
      answer("error yes", { isError: true, terminate: true }),
      answer("truthy", { terminate: "yes" }),
      answer("blocked", {}),
      answer("blocked yes", {}),
      thrower,
    ],
  });
  executor.on("tool_call", ({ toolName }) =>
    toolName.startsWith("blocked") ? { block: true, terminate: toolName === "blocked_yes" } : undefined,
  );
  return executor;
}

test("P28: a batch terminates exactly when it has a call and every result agrees", async () => {
  const executor = executorOfKinds();
  const batches = fc.array(fc.constantFrom(...KINDS), { maxLength: 5 });
  const property = fc.asyncProperty(batches, async (kinds) => {
    const calls = kinds.map((kind, index) => ({ id: `c${index}`, name: kind.replace(" ", "_") }));
    const { terminate, outcomes } = await executor.executeBatch(calls);
    expect(terminate).toBe(kinds.length > 0 && kinds.every((kind) => AGREES.has(kind)));
    expect(batchTerminates(outcomes.map(({ result }) => result))).toBe(terminate);
  });
  await fc.assert(property, { numRuns: 150 }); // a failure prints its seed
});

test("P29: one terminate among three parallel calls does nothing", async () => {
  const executor = executorOfKinds();
  const run = async (...names: readonly string[]) => {
    const { terminate } = await executor.executeBatch(names.map((name, index) => ({ id: `${index}`, name })));
    return terminate;
  };
  expect([await run("yes", "no", "no"), await run("yes", "yes", "yes")]).toEqual([false, true]);
});

test("P30: sequential tools never overlap, in a batch and among nested calls", async () => {
  let [running, most] = [0, 0];
  const sequential = ["one", "two"].map((name) =>
    tool(
      name,
      async () => {
        running += 1;
        most = Math.max(most, running);
        for (let count = 0; count < 3; count += 1) await turn();
        running -= 1;
      },
      { executionMode: "sequential" },
    ),
  );
  const fan = tool("fan", async (_args, ctx) => {
    await Promise.all(["one", "two", "one"].map((name) => ctx.executeTool(name)));
  });
  const executor = createExecutor({ tools: [...sequential, fan] });
  await Promise.all([
    executor.executeBatch(["one", "two", "fan"].map((name) => ({ id: name, name }))),
    executor.executeTool("fan"),
    executor.executeTool("two"),
  ]);
  expect([running, most]).toEqual([0, 1]);
});

test("P31: 100 parallel increments, every other through a symbolic link, end at 100", async () => {
  const folder = freshFolder();
  const [file, link] = [join(folder, "counter"), join(folder, "link")];
  writeFileSync(file, "0");
  symlinkSync(file, link);
  const increments = Array.from({ length: 100 }, (_, index) =>
    withFileMutationQueue(index % 2 === 0 ? file : link, async () => {
      const count = Number(await readFile(file, "utf8"));
      await turn();
      await writeFile(file, String(count + 1));
    }),
  );
  await Promise.all(increments);
  expect(readFileSync(file, "utf8")).toBe("100");
});
