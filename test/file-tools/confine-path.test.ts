// Roots, what leads out of them, and links that are turned while a call waits.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withFileMutationQueue } from "nestcall";
import { createGate } from "nestcall/testing";
import { expect, onTestFinished, test } from "vitest";
import { resolveInside } from "../../src/file-tools/confine-path.js";
import { checkFileToolOptions } from "../../src/file-tools/file-tool-options.js";
import { createFileTools } from "../../src/file-tools/index.js";
import { textOf } from "../helpers/engine.js";
import { editWorld } from "./edit-world.js";

/** A world with the roots `in` and `also`, and a folder `out` beside them with a secret in it. */
function confined() {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), "nestcall-confined-")));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  for (const folder of ["in", "also", "out", "in-but-not"]) mkdirSync(join(outer, folder));
  writeFileSync(join(outer, "out/secret.txt"), "secret");
  writeFileSync(join(outer, "in/a.txt"), "old");
  const world = editWorld({ cwd: join(outer, "in"), roots: [".", "../also"], outputFolder: join(outer, "output") });
  return { ...world, outer };
}

test("what resolves outside every root is refused for every tool, whether it exists or not", async () => {
  const { outer, call } = confined();
  symlinkSync("../out", join(outer, "in/folder-link"));
  symlinkSync("../out/secret.txt", join(outer, "in/file-link"));
  symlinkSync("../out/new.txt", join(outer, "in/dangling-link"));
  symlinkSync("../also", join(outer, "in/also-link"));
  const paths = [
    "../out/secret.txt",
    "../out/missing.txt",
    join(outer, "out/secret.txt"),
    "folder-link/secret.txt",
    "folder-link/new/deep.txt",
    "file-link",
    "dangling-link",
    "also-link/../out/secret.txt",
    "../in-but-not/a.txt",
    "..",
    "/etc/passwd",
    "missing/../folder-link/secret.txt",
    "a.txt/../folder-link/secret.txt",
  ];
  for (const path of paths) {
    const calls = [
      call("read", { path }),
      call("write", { path, content: "x" }),
      call("edit", { path, edits: [{ oldText: "secret", newText: "x" }] }),
    ];
    for (const outcome of await Promise.all(calls)) {
      expect([path, outcome.isError]).toEqual([path, true]);
      expect(textOf(outcome)).toContain(`The path ${JSON.stringify(path)} is refused`);
    }
  }
  expect(readdirSync(join(outer, "out"))).toEqual(["secret.txt"]);
  expect(readFileSync(join(outer, "out/secret.txt"), "utf8")).toBe("secret");
});

test("what leads back into a root, or into another one, is allowed", async () => {
  const { outer, call } = confined();
  symlinkSync(join(outer, "also"), join(outer, "in/also-link"));
  for (const path of ["../in/a.txt", "also-link/../in/a.txt", "also-link/b/c.txt", join(outer, "also/d.txt")]) {
    expect((await call("write", { path, content: path })).isError).toBe(false);
    expect(textOf(await call("read", { path }))).toBe(path);
  }
});

test("the complete outputs may be read whatever the roots are, but not written", async () => {
  const { outer, call } = confined();
  mkdirSync(join(outer, "output"));
  const path = join(outer, "output/1.txt");
  writeFileSync(path, "all of it");
  expect(textOf(await call("read", { path }))).toBe("all of it");
  expect(textOf(await call("write", { path, content: "x" }))).toContain("is refused");
});

test("a root that is a link is what it leads to; the root folder holds everything", async () => {
  const { outer } = confined();
  symlinkSync("in", join(outer, "root-link"));
  const linked = checkFileToolOptions({ cwd: outer, roots: ["root-link"] });
  expect(await resolveInside(linked, "in/new.txt")).toEqual({
    kind: "inside",
    physicalName: join(outer, "in/new.txt"),
  });
  const all = checkFileToolOptions({ cwd: outer, roots: ["/"] });
  expect((await resolveInside(all, "/new-folder/x")).kind).toBe("inside");
});

test("names of close files are not told of a folder around a root", async () => {
  const { outer } = confined();
  const tools = createFileTools({ cwd: outer, roots: ["inn"] });
  const world = editWorld({ cwd: outer, roots: ["inn"] });
  expect(textOf(await world.call("read", { path: "inn" }))).not.toContain('"in"');
  expect(tools.read.name).toBe("read");
});

test.each(["write", "edit"] as const)("W1: %s refuses a link that was turned while the call waited", async (name) => {
  for (const target of ["also/other.txt", "out/secret.txt"]) {
    const { outer, call, executor } = confined();
    const [link, other] = [join(outer, "in/link.txt"), join(outer, target)];
    writeFileSync(other, "old");
    symlinkSync("a.txt", link);
    const waits = new Promise<void>((resolve) => {
      executor.on("tool_execution_wait", () => resolve());
    });
    const args = name === "write" ? { content: "new" } : { edits: [{ oldText: "old", newText: "new" }] };
    const held = createGate();
    const holder = withFileMutationQueue(join(outer, "in/a.txt"), () => held.promise);
    const pending = call(name, { path: "link.txt", ...args });
    await waits;
    symlinkSync(other, `${link}.new`);
    renameSync(`${link}.new`, link);
    held.open();
    await holder;
    const outcome = await pending;
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain('The path "link.txt"');
    expect([readFileSync(join(outer, "in/a.txt"), "utf8"), readFileSync(other, "utf8")]).toEqual(["old", "old"]);
  }
});

test("W1: another editor's save by rename while the call waited is simply the new content", async () => {
  const world = editWorld();
  const path = world.put("a.txt", "old");
  const waits = new Promise<void>((resolve) => {
    world.executor.on("tool_execution_wait", () => resolve());
  });
  const held = createGate();
  const holder = withFileMutationQueue(path, () => held.promise);
  const pending = world.edit("a.txt", "saved", "edited");
  await waits;
  renameSync(world.put("other.txt", "saved elsewhere"), path);
  held.open();
  await holder;
  expect((await pending).isError).toBe(false);
  expect(world.text("a.txt")).toBe("edited elsewhere");
});

test("options: each is named when it is wrong", () => {
  const wrong: [object, string][] = [
    [{}, "options.cwd must be the path of a folder, not undefined"],
    [{ cwd: "" }, "options.cwd"],
    [{ cwd: "/", roots: [] }, "options.roots must be a list of at least one folder, not an array"],
    [{ cwd: "/", roots: ["/a", 1] }, "options.roots[1]"],
    [{ cwd: "/", access: "all" }, 'options.access must be "read" or "write"'],
    [{ cwd: "/", outputFolder: "a\0" }, "options.outputFolder"],
    [{ cwd: "/", env: { A: 1 } }, "options.env.A must be a text"],
    [{ cwd: "/", root: ["/a"] }, 'options has no "root"; did you mean "roots"?'],
  ];
  for (const [options, text] of wrong) {
    expect(() => createFileTools(options as never)).toThrow(text);
    expect(() => createFileTools(options as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENTS" }));
  }
});

test("access: read leaves out what can change something", () => {
  expect(Object.keys(createFileTools({ cwd: "/", access: "read" }))).not.toContain("write");
  for (const name of ["edit", "bash"]) expect(createFileTools({ cwd: "/", access: "read" })).not.toHaveProperty(name);
  const names = Object.values(createFileTools({ cwd: "/" })).map((tool) => tool.name);
  expect(names).toEqual(expect.arrayContaining(["read", "write", "edit", "bash"]));
});
