// What the command does when its output cannot be written.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { folderWith, MAIN } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const TOOLS =
  'export const hello = { name: "hello", description: "Greets.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true }, execute: () => "hi ".repeat(1e5) };';
const COMMANDS = [
  ["--help"],
  ["--version"],
  ["tools", "--tools", "tools.mjs", "--json"],
  ["call", "--tools", "tools.mjs", "hello", "--quiet"],
];

/** How it ends with this stdout; a `pipe` is closed at once. */
async function endWith(args: readonly string[], stdout: number | "pipe"): Promise<readonly [number, string]> {
  const cwd = folderWith({ "tools.mjs": TOOLS });
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    stdio: ["ignore", stdout, "pipe"],
    env: { ...process.env, HOME: cwd },
  });
  child.stdout?.destroy();
  if (child.stderr === null) throw new Error("it was asked for as a pipe");
  const said = text(child.stderr);
  const [code] = (await once(child, "close")) as [number];
  return [code, await said];
}

test.skipIf(!existsSync("/dev/full")).each(COMMANDS)(
  "8: output that cannot be written is a failure: %s",
  async (...args) => {
    const [code, said] = await endWith(args, openSync("/dev/full", "w"));
    expect([code, said]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC/)]);
  },
);

test.each(COMMANDS)("8: a reader that has gone is none: %s", async (...args) => {
  expect(await endWith(args, "pipe")).toEqual([0, ""]);
});
