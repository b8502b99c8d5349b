// W1: what `write` and `edit` leave as it was, what they refuse to touch, and what they clear away.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takeTemporaryName } from "../../src/file-tools/temporary-file.js";
import { textOf } from "../helpers/engine.js";
import { type EditWorld, editWorld } from "./edit-world.js";

const isRoot = process.getuid?.() === 0;
const isWindows = process.platform === "win32";

test("write creates a file and the folders above it, and replaces a whole file", async () => {
  const world = editWorld();
  const created = await world.call("write", { path: "a/b/c.txt", content: "é\n" });
  expect(created.result).toMatchObject({ structuredContent: { created: true, bytes: 3 } });
  expect(textOf(created)).toBe('Created "a/b/c.txt": 3 bytes.');
  const replaced = await world.call("write", { path: world.path("a/b/c.txt"), content: "" });
  expect(replaced.result.structuredContent).toEqual({ created: false, bytes: 0 });
  expect(world.text("a/b/c.txt")).toBe("");
  expect(readdirSync(world.path("a/b"))).toEqual(["c.txt"]);
});

test("write takes the content as it is: CRLF, a byte order mark, NUL; half a pair has no bytes and is refused", async () => {
  const world = editWorld();
  const content = "\uFEFFa\r\nb\0";
  await world.call("write", { path: "a.txt", content });
  expect(world.text("a.txt")).toBe(content);
  const outcome = await world.call("write", { path: "a.txt", content: "\udc00" });
  expect(textOf(outcome)).toContain('"a.txt" was not written: the content holds half of a surrogate pair');
  expect(world.text("a.txt")).toBe(content);
});

/** Every way to change a file: each turns `old` into `new`. */
const writers: [name: string, change: (world: EditWorld, path: string) => ReturnType<EditWorld["call"]>][] = [
  ["write", (world, path) => world.call("write", { path, content: "new" })],
  ["edit", (world, path) => world.edit(path, "old", "new")],
];

test.each(writers)("W1: %s writes through symlinks, and they stay", async (_name, change) => {
  const world = editWorld();
  world.put("real/target.txt", "old");
  symlinkSync("real/target.txt", world.path("link.txt"));
  symlinkSync(world.path("link.txt"), world.path("link-of-link.txt"));
  expect((await change(world, "link-of-link.txt")).isError).toBe(false);
  expect(world.text("real/target.txt")).toBe("new");
  expect(readlinkSync(world.path("link.txt"))).toBe("real/target.txt");
  expect(lstatSync(world.path("link-of-link.txt")).isSymbolicLink()).toBe(true);
  expect(readdirSync(world.folder).sort()).toEqual(["link-of-link.txt", "link.txt", "real"]);
});

test("W1: write through a dangling link makes its target", async () => {
  const world = editWorld();
  symlinkSync("deep/er/target.txt", world.path("link.txt"));
  expect((await world.call("write", { path: "link.txt", content: "new" })).isError).toBe(false);
  expect(world.text("deep/er/target.txt")).toBe("new");
  expect(lstatSync(world.path("link.txt")).isSymbolicLink()).toBe(true);
});

test.each(writers)("W1: after %s other hard links keep the old content", async (_name, change) => {
  const world = editWorld();
  linkSync(world.put("a.txt", "old"), world.path("b.txt"));
  await change(world, "a.txt");
  expect([world.text("a.txt"), world.text("b.txt")]).toEqual(["new", "old"]);
});

test.skipIf(isWindows).each(writers)("W1: %s keeps the mode", async (_name, change) => {
  const world = editWorld();
  for (const mode of [0o755, 0o600, 0o640, 0o4755, 0o2664]) {
    chmodSync(world.put("a.txt", "old"), mode);
    await change(world, "a.txt");
    expect(statSync(world.path("a.txt")).mode & 0o7777).toBe(mode);
  }
});

test.runIf(isRoot).each(writers)("W1: %s keeps owner and group", async (_name, change) => {
  const world = editWorld();
  chownSync(world.put("a.txt", "old"), 1234, 2345);
  chmodSync(world.path("a.txt"), 0o6750);
  await change(world, "a.txt");
  const { uid, gid, mode } = statSync(world.path("a.txt"));
  expect([uid, gid, mode & 0o7777]).toEqual([1234, 2345, 0o6750]);
});

test.each(writers)("W1: %s leaves a read-only file alone, whoever asks", async (_name, change) => {
  const world = editWorld();
  chmodSync(world.put("a.txt", "old"), 0o444);
  const inode = statSync(world.path("a.txt")).ino;
  expect(textOf(await change(world, "a.txt"))).toMatch(/^"a.txt" was not (written|edited): it is read-only/);
  expect(world.text("a.txt")).toBe("old");
  expect(statSync(world.path("a.txt")).ino).toBe(inode);
});

test.skipIf(isWindows)("W1: what is no regular file is refused without being opened", async () => {
  const world = editWorld();
  execFileSync("mkfifo", [world.path("pipe")]); // opening it would wait for the other end for ever
  symlinkSync("pipe", world.path("link-to-pipe"));
  mkdirSync(world.path("folder"));
  const server = createServer().listen(world.path("socket"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const kinds = { pipe: "named pipe", "link-to-pipe": "named pipe", folder: "folder", socket: "socket" };
  const asked: [path: string, kind: string][] = [
    ...Object.entries(kinds),
    ["/dev/null", "device"],
    ["/dev/tty", "device"],
  ];
  for (const [path, kind] of asked) {
    const outcomes = [...writers.map(([, change]) => change(world, path)), world.call("read", { path })];
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toContain(JSON.stringify(path));
      expect(textOf(outcome)).toContain(kind);
    }
  }
  expect(lstatSync(world.path("pipe")).isFIFO()).toBe(true);
});

test("paths that no file can have are text results that name the path", async () => {
  const world = editWorld();
  world.put("file", "old");
  symlinkSync("loop-b", world.path("loop-a"));
  symlinkSync("loop-a", world.path("loop-b"));
  for (const path of ["file/below", "new/", "nul\0", `${"long".repeat(100)}`, "loop-a", "missing/../file"]) {
    const outcome = await world.call("write", { path, content: "new" });
    expect([path, outcome.isError]).toEqual([path, true]);
    expect(textOf(outcome)).toContain(JSON.stringify(path).slice(1, -1));
  }
  expect(readdirSync(world.folder).sort()).toEqual(["file", "loop-a", "loop-b"]);
  expect(world.text("file")).toBe("old");
});

test.runIf(isRoot && process.platform === "linux").each(writers)(
  "W1: without space left %s keeps the old content and no temporary file",
  async (_name, change) => {
    const world = editWorld();
    mkdirSync(world.path("small"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", world.path("small")]);
    if (mounted.status !== 0) return; // a container without the right to mount
    try {
      world.put("small/a.txt", `old${"x".repeat(40_000)}`);
      const { isError, result } =
        _name === "edit"
          ? await change(world, "small/a.txt")
          : await world.call("write", { path: "small/a.txt", content: "y".repeat(60_000) });
      expect(isError).toBe(true);
      expect(textOf({ result })).toMatch(
        /"small\/a.txt" was not (written|edited): there is no space left on the device/,
      );
      expect(world.text("small/a.txt")).toBe(`old${"x".repeat(40_000)}`);
      expect(readdirSync(world.path("small"))).toEqual(["a.txt"]);
    } finally {
      spawnSync("umount", [world.path("small")]);
    }
  },
);

test("W1: the next write clears away what dead writers of that file left, and nothing else", async () => {
  const world = editWorld();
  const target = world.put("a.txt", "old");
  const mine = takeTemporaryName(target); // as if another call of this process were at it
  const named = (path: string, pid: number, host = "") =>
    path.replace(
      /-([0-9a-f]{16})-\d+-[0-9a-z]+\.tmp$/,
      (_all, own: string) => `-${host || own}-${pid}-0123456789ab.tmp`,
    );
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const ofDead = named(mine, dead);
  const ofEarlierRun = named(mine, process.pid);
  const ofLiving = named(mine, process.ppid);
  const ofOtherTarget = named(takeTemporaryName(world.path("b.txt")), dead);
  const ofOtherHost = named(mine, dead, "0".repeat(16));
  const ofOtherHostLongAgo = named(mine, dead, "1".repeat(16));
  const foreign = join(world.folder, ".nestcall-notes");
  const all = [mine, ofDead, ofEarlierRun, ofLiving, ofOtherTarget, ofOtherHost, ofOtherHostLongAgo, foreign];
  for (const path of all) writeFileSync(path, "left");
  for (const path of [ofEarlierRun, ofOtherHostLongAgo]) utimesSync(path, new Date(0), new Date(0));
  await world.call("write", { path: "a.txt", content: "new" });
  const stays = [mine, ofLiving, ofOtherTarget, ofOtherHost, foreign];
  expect(all.filter((path) => existsSync(path))).toEqual(stays);
  expect(world.text("a.txt")).toBe("new");
});

test("an abort before the rename leaves the old content, and no temporary file", async () => {
  const world = editWorld();
  world.put("a.txt", "old");
  for (let turns = 0; turns < 40; turns += 1) {
    const controller = new AbortController();
    const content = `new ${turns} ${"x".repeat(100_000)}`;
    const call = world.executor.executeTool("write", { path: "a.txt", content }, { signal: controller.signal });
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const before = world.text("a.txt");
    controller.abort();
    const { status } = await call;
    // T2: a rename that was on its way is not taken back.
    expect(status === "aborted" ? [before, content] : [content]).toContain(world.text("a.txt"));
    expect(readdirSync(world.folder)).toEqual(["a.txt"]);
  }
});

test("both declare what they change and what it means", () => {
  const { tools } = editWorld();
  const hints = ({ annotations }: { annotations: object }) => annotations;
  expect(hints(tools.write)).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(hints(tools.edit)).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
  expect(hints(tools.read)).toMatchObject({ readOnlyHint: true, openWorldHint: false });
  for (const tool of [tools.read, tools.write, tools.edit])
    expect(tool.inputSchema).toMatchObject({ additionalProperties: false });
  expect(tools.edit.mutates?.({ path: "/x/../a.txt", edits: [] })).toEqual(["/x/../a.txt"]);
});

test("a file is not reached by the path of a folder", async () => {
  const world = editWorld();
  world.put("f.txt", "old");
  for (const path of ["f.txt/", "f.txt/.", "f.txt//./"]) {
    for (const outcome of [...writers.map(([, change]) => change(world, path)), world.call("read", { path })]) {
      const { isError, result } = await outcome;
      expect([isError, textOf({ result })]).toEqual([
        true,
        `The path ${JSON.stringify(path)} is refused: it is a file, not a folder.`,
      ]);
    }
  }
  expect(textOf(await world.call("write", { path: "new/.", content: "" }))).toContain("ends like the path of a folder");
  expect([world.text("f.txt"), readdirSync(world.folder)]).toEqual(["old", ["f.txt"]]);
});

test.skipIf(isWindows).each(writers)(
  "%s of a path that cannot be looked up says what read says",
  async (name, change) => {
    const world = editWorld();
    symlinkSync("loop-b", world.path("loop-a"));
    symlinkSync("loop-a", world.path("loop-b"));
    for (const path of ["loop-a", "loop-a/below", "long".repeat(100)]) {
      const wanted = textOf(await world.call("read", { path }));
      expect(wanted).toContain(`The path ${JSON.stringify(path)} is refused: `);
      const outcome = await change(world, path);
      expect([name, outcome.isError, textOf(outcome)]).toEqual([name, true, wanted]);
    }
  },
);

test("W1: a path that could not be looked up when the call was made is not written without a lease", async () => {
  const world = editWorld();
  symlinkSync("loop", world.path("loop"));
  const args = { path: "loop", content: "new" };
  expect(world.tools.write.mutates?.(args)).toEqual([]);
  rmSync(world.path("loop")); // before the first check has looked, or after: there is no lease
  expect(world.tools.write.mutates?.(args)).toEqual([]);
  const result = await world.tools.write.execute(args, { signal: new AbortController().signal } as never);
  expect(result).toMatchObject({ isError: true });
  expect(existsSync(world.path("loop"))).toBe(false);
});
