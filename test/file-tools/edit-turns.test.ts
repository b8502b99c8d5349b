// Calls of one file take turns, whatever they call it, and a guard that looked is still right when the tool runs.
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createExecutor, defineTool, Type } from "nestcall";
import { turn } from "nestcall/testing";
import { expect, onTestFinished, test } from "vitest";
import { createFileTools } from "../../src/file-tools/index.js";
import { textOf } from "../helpers/engine.js";
import { editWorld } from "./edit-world.js";

const ROUNDS = 200;
const MARKS = Array.from({ length: 20 }, (_, index) => index);

test(`twenty parallel nested edits over four spellings of a file: all twenty applied, ${ROUNDS} runs`, async () => {
  const world = editWorld();
  mkdirSync(world.path("x"));
  symlinkSync("file.txt", world.path("symlink.txt"));
  const spellings = ["file.txt", "hard-link.txt", "symlink.txt", "./x/../file.txt"];
  const editAll = defineTool({
    name: "edit_all",
    description: "Edits the file twenty times at once.",
    inputSchema: Type.Object({}),
    effect: "write",
    execute: async (_args, ctx) => {
      const outcomes = await Promise.all(
        MARKS.map((mark) =>
          ctx.executeTool(world.tools.edit, {
            path: spellings[mark % spellings.length] as string,
            edits: [{ oldText: `<${mark}>`, newText: `[${mark}]` }],
          }),
        ),
      );
      return { structuredContent: outcomes.map(({ error }) => error?.message ?? "ok") };
    },
  });
  world.executor.registry.register(editAll);
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(world.path("hard-link.txt"), { force: true });
    world.put("file.txt", MARKS.map((mark) => `<${mark}>\n`).join(""));
    linkSync(world.path("file.txt"), world.path("hard-link.txt"));
    const outcome = await world.executor.executeTool(editAll, {});
    expect(outcome.result.structuredContent).toEqual(MARKS.map(() => "ok"));
    // W1: a rename parts the hard link from the file, so each of the two names has the edits that were made by it.
    for (const mark of MARKS) expect(world.text(spellings[mark % 4] as string)).toContain(`[${mark}]\n`);
    const byLink = MARKS.filter((mark) => world.text("hard-link.txt").includes(`[${mark}]`));
    const byFile = MARKS.filter((mark) => world.text("file.txt").includes(`[${mark}]`));
    expect([...byLink, ...byFile].length).toBeGreaterThanOrEqual(MARKS.length);
    expect(byFile).toEqual(expect.arrayContaining(MARKS.filter((mark) => mark % 4 !== 1)));
  }
}, 60_000);

test("TC15: two edits of one file in one batch are both applied", async () => {
  const world = editWorld();
  world.put("a.txt", "1\n2\n3\n");
  const call = (id: string, oldText: string, newText: string) => ({
    id,
    name: "edit",
    arguments: { path: "a.txt", edits: [{ oldText, newText }] },
  });
  const { outcomes } = await world.executor.executeBatch([call("a", "1", "one"), call("b", "3", "three")]);
  expect(outcomes.map(({ isError }) => isError)).toEqual([false, false]);
  expect(world.text("a.txt")).toBe("one\n2\nthree\n");
});

test("F8: a guard that asks whether the file changed since it was read is right under 100 parallel writers", async () => {
  const world = editWorld();
  world.put("count.txt", "0");
  const read = new Map<string, string>();
  world.executor.on("before_mutation", ({ toolCallId, paths }) => {
    const [path] = paths;
    const isSame = path !== undefined && readFileSync(path, "utf8") === read.get(toolCallId);
    return isSame ? undefined : { block: true, reason: "the file changed since it was read" };
  });
  let blocked = 0;
  const addOne = async (writer: number): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const toolCallId = `${writer}.${attempt}`;
      const seen = world.text("count.txt");
      read.set(toolCallId, seen);
      const args = { path: "count.txt", content: String(Number(seen) + 1) };
      const outcome = await world.executor.executeTool("write", args, { toolCallId });
      if (!outcome.isError) return;
      expect(outcome.error?.code).toBe("BLOCKED");
      blocked += 1;
    }
  };
  await Promise.all(Array.from({ length: 100 }, (_, writer) => addOne(writer)));
  expect(world.text("count.txt")).toBe("100");
  expect(blocked).toBeGreaterThan(100); // who did not get the first turn had read an older number
}, 60_000);

test("what another program saved while an edit was at work is not overwritten", async () => {
  const world = editWorld();
  const path = world.put("a.txt", `old\n${"x".repeat(4_000_000)}`);
  const call = world.edit("a.txt", "old", "new");
  // The temporary file is there, so the edit has read; it takes milliseconds until it is written and flushed.
  while (!readdirSync(world.folder).some((name) => name.startsWith(".nestcall-"))) await turn();
  writeFileSync(path, "saved elsewhere");
  const outcome = await call;
  expect(textOf(outcome)).toContain('"a.txt" was not edited: another program changed it at the same time');
  expect(world.text("a.txt")).toBe("saved elsewhere");
  expect(readdirSync(world.folder)).toEqual(["a.txt"]);
});

test("types: arguments and data of the tools are inferred, and access says which there are", async () => {
  const world = editWorld();
  world.put("a.txt", "a");
  const executor = createExecutor({ tools: Object.values(world.tools) });
  onTestFinished(() => executor.close());
  const { read, edit, write } = createFileTools({ cwd: world.folder });
  const edited = await executor.executeTool(edit, { path: "a.txt", edits: [{ oldText: "a", newText: "b" }] });
  const line: number | undefined = edited.result.structuredContent?.firstChangedLine;
  const written = await executor.executeTool(write, { path: "b.txt", content: "" });
  const created: boolean | undefined = written.result.structuredContent?.created;
  expect([line, created]).toEqual([1, true]);
  // @ts-expect-error: `path` is a text
  await executor.executeTool(read, { path: 1 });
  // @ts-expect-error: an edit needs both texts
  await executor.executeTool(edit, { path: "a.txt", edits: [{ oldText: "a" }] });
  const reading = createFileTools({ cwd: world.folder, access: "read" });
  // @ts-expect-error: there is no `write` with `access: "read"`
  expect(reading.write).toBeUndefined();
});
