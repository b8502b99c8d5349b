// The fault of the nearest peer that is about lost updates of files: D16.
import { linkSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createFileMutationQueue, type MutationQueue, Type } from "nestcall";
import { createGate, turn } from "nestcall/testing";
import { expect, test } from "vitest";
import { closed, tool } from "../helpers/engine.js";
import { freshFolder } from "../helpers/process.js";

/** A read-modify-write with a pause in the middle. A missing file counts as 0. */
async function increment(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "0");
  await turn();
  await writeFile(path, String(Number(text) + 1));
}

async function incrementBy(queue: MutationQueue, paths: readonly string[], times: number): Promise<string> {
  const edits = Array.from({ length: times }, (_, index) => {
    const path = paths[index % paths.length] as string; // inside the array
    return queue.withFileMutationQueue(path, () => increment(path));
  });
  await Promise.all(edits);
  return readFile(paths[0] as string, "utf8");
}

/** A folder `real` and a link `linked` to it. */
function linkedFolder(): { readonly folder: string; readonly real: string; readonly linked: string } {
  const folder = freshFolder();
  const [real, linked] = [join(folder, "real"), join(folder, "linked")];
  mkdirSync(real);
  symlinkSync(real, linked);
  return { folder, real, linked };
}

test("D16: 50 increments of a file, every other through its hard link, give 50", async () => {
  const folder = freshFolder();
  const [file, hardLink] = [join(folder, "a"), join(folder, "b")];
  writeFileSync(file, "0");
  linkSync(file, hardLink);
  expect(await incrementBy(createFileMutationQueue(), [file, hardLink], 50)).toBe("50");
});

test("D16: 50 increments of a missing file, every other through a linked folder, give 50", async () => {
  const { real, linked } = linkedFolder();
  expect(await incrementBy(createFileMutationQueue(), [join(real, "new"), join(linked, "new")], 50)).toBe("50");
});

test("D16: 50 increments of a missing file by one path through a linked folder give 50", async () => {
  const { linked } = linkedFolder();
  expect(await incrementBy(createFileMutationQueue(), [join(linked, "new")], 50)).toBe("50");
});

test("D16: 50 increments through a dangling link and by its target's path give 50", async () => {
  const folder = freshFolder();
  const [target, link] = [join(folder, "target"), join(folder, "link")];
  symlinkSync(target, link);
  expect(await incrementBy(createFileMutationQueue(), [target, link], 50)).toBe("50");
});

test("D16: 50 increments by a path with .. behind a linked folder and by the physical path give 50", async () => {
  const { folder, linked } = linkedFolder();
  const inner = join(folder, "real", "inner");
  mkdirSync(inner);
  symlinkSync(inner, join(folder, "to-inner"));
  const physical = join(folder, "real", "counter");
  const throughDots = `${folder}/to-inner/../counter`; // join() would take the dots by their text
  expect(realpathSync.native(`${folder}/to-inner/..`)).toBe(realpathSync(linked));
  expect(await incrementBy(createFileMutationQueue(), [physical, throughDots], 50)).toBe("50");
});

test.each([
  ["the call creates the file", () => {}],
  [
    "the link is replaced",
    ({ folder, linked }: ReturnType<typeof linkedFolder>) => {
      mkdirSync(join(folder, "other"));
      rmSync(linked);
      symlinkSync(join(folder, "other"), linked);
    },
  ],
  [
    "the link's target is moved away",
    ({ folder, real }: ReturnType<typeof linkedFolder>) => {
      renameSync(real, join(folder, "moved"));
    },
  ],
])("D16: two calls on one path through a linked folder exclude each other when %s meanwhile", async (_what, change) => {
  const world = linkedFolder();
  const path = join(world.linked, "new");
  const { withFileMutationQueue } = createFileMutationQueue();
  const log: string[] = [];
  const [created, gate] = [createGate(), createGate()];
  const first = withFileMutationQueue(path, async () => {
    writeFileSync(path, "first");
    change(world);
    created.open();
    await gate.promise;
    log.push("first ends");
  });
  await created.promise;
  const second = withFileMutationQueue(path, () => void log.push("second starts"));
  await withFileMutationQueue(join(world.folder, "free"), () => {}); // asked last, free to run
  expect(log).toEqual([]);
  gate.open();
  await Promise.all([first, second]);
  expect(log).toEqual(["first ends", "second starts"]);
});

const editSchema = { inputSchema: closed({ path: Type.String(), from: Type.String(), to: Type.String() }) };

/** Replaces a text in a file, and says how often it was there. */
const edit = tool(
  "edit",
  async ({ path, from, to }) => {
    const text = await readFile(String(path), "utf8");
    await turn();
    await writeFile(String(path), text.replace(String(from), String(to)));
    return { content: [], isError: !text.includes(String(from)) };
  },
  { ...editSchema, mutates: ({ path }: { path: string }) => path },
);

test.each([0, 1])(
  "D16: 20 parallel nested edits over a file and its hard link are all applied (first: %i)",
  async (offset) => {
    const folder = freshFolder();
    const paths = [join(folder, "a"), join(folder, "b")] as const;
    const lines = Array.from({ length: 20 }, (_, index) => `line-${index}.`);
    writeFileSync(paths[0], lines.join("\n"));
    linkSync(paths[0], paths[1]);
    const top = tool("top", async (_args, ctx) => {
      const calls = lines.map((from, index) => {
        const path = paths[(index + offset) % 2] as string;
        return ctx.executeTool("edit", { path, from, to: `edited-${index}.` });
      });
      return { content: [], isError: (await Promise.all(calls)).some(({ isError }) => isError) };
    });
    const outcome = await createExecutor({ tools: [edit, top] }).executeTool("top");
    expect(outcome.status).toBe("ok");
    expect(await readFile(paths[1], "utf8")).toBe(lines.map((_, index) => `edited-${index}.`).join("\n"));
  },
);

test("D16: a write of a new file and 10 edits, over alternating spellings, are all applied in call order", async () => {
  const { real, linked } = linkedFolder();
  const paths = [join(linked, "new"), join(real, "new")] as const;
  const lines = Array.from({ length: 10 }, (_, index) => `line-${index}.`);
  const write = tool("write", ({ path }) => writeFile(String(path), lines.join("\n")), {
    mutates: ({ path }: { path: string }) => path,
  });
  const top = tool("top", async (_args, ctx) => {
    const calls = [
      ctx.executeTool("write", { path: paths[0] }),
      ...lines.map((from, index) =>
        ctx.executeTool("edit", { path: paths[(index + 1) % 2] as string, from, to: `edited-${index}.` }),
      ),
    ];
    return { content: [], isError: (await Promise.all(calls)).some(({ isError }) => isError) };
  });
  const outcome = await createExecutor({ tools: [edit, write, top] }).executeTool("top");
  expect(outcome.status).toBe("ok");
  expect(await readFile(paths[1], "utf8")).toBe(lines.map((_, index) => `edited-${index}.`).join("\n"));
});

test("D16: a change of the working directory right after the call changes no file", async () => {
  const [before, after] = [freshFolder(), freshFolder()];
  const { withFileMutationQueue } = createFileMutationQueue();
  const home = process.cwd();
  const gate = createGate();
  const log: string[] = [];
  try {
    process.chdir(before);
    const holder = withFileMutationQueue(join(before, "file"), () => gate.promise);
    const relative = withFileMutationQueue("file", () => void log.push("relative"));
    process.chdir(after);
    const absolute = withFileMutationQueue(join(after, "file"), () => void log.push("the other folder's"));
    await absolute; // nobody holds it
    expect(log).toEqual(["the other folder's"]);
    gate.open();
    await Promise.all([holder, relative]);
    expect(log).toEqual(["the other folder's", "relative"]);
  } finally {
    process.chdir(home);
  }
});
