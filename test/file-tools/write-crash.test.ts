// W1: a process that is killed leaves the old or the new content, and its temporary file goes with the next write.
// FILE_TOOLS_KILLS says how many processes of each tool are killed; the default keeps the test run short.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../helpers/source-files.js";
import { editWorld } from "./edit-world.js";

const KILLS = Number(process.env.FILE_TOOLS_KILLS ?? 20);
const SIZE = 5 * 1_024 * 1_024;
const WRITER = fileURLToPath(new URL("writer-process.mjs", import.meta.url));
let compiled = "";

beforeAll(() => {
  // Beside the packages that the compiled files import.
  compiled = mkdtempSync(join(ROOT, "node_modules/.nestcall-crash-"));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [
    tsc,
    "-p",
    join(ROOT, "tsconfig.build.json"),
    "--outDir",
    compiled,
    "--declaration",
    "false",
  ]);
}, 120_000);
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

test.each(["write", "edit"])(
  `${KILLS} processes killed while they %s 5 MiB`,
  async (tool) => {
    const world = editWorld();
    const contents = ["a", "b"].map((letter) => `${letter.repeat(65_535)}\n`.repeat(SIZE / 65_536));
    const path = world.put("file.txt", contents[0] as string);
    let left = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      world.put("file.txt", contents[0] as string);
      const child = fork(WRITER, [compiled, tool, path, String(SIZE)], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      const ended = once(child, "exit");
      await Promise.race([once(child, "message"), ended]);
      await delay(Math.random() * 250);
      child.kill("SIGKILL");
      expect(await ended).toEqual([null, "SIGKILL"]);
      expect(contents.includes(world.text("file.txt"))).toBe(true);
      left += readdirSync(world.folder).length - 1;
      expect((await world.call("write", { path: "file.txt", content: "next" })).isError).toBe(false);
      expect(readdirSync(world.folder)).toEqual(["file.txt"]);
    }
    if (KILLS >= 100) expect(left).toBeGreaterThan(0); // so many cannot all have missed the moment
  },
  600_000,
);
