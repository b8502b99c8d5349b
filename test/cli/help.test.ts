// What `--help` and `--version` print, how soon, and what is said of wrong words.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { root } from "../examples/built.js";
import { runNode } from "../examples/run.js";
import { MAIN, nestcall } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const commands = readdirSync(join(root, "src", "cli", "commands")).map((file) => file.replace(".ts", ""));
const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

test("8: --version, --help and help go to stdout", async () => {
  expect(await nestcall(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  const { stdout } = await nestcall(["--help"]);
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  expect((await nestcall(["help"])).stdout).toBe(stdout);
});

test.each(commands)("8: the help of %s has examples and names each of its options", async (command) => {
  const { exitCode, stdout } = await nestcall([command, "--help"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: nestcall ${command}\\b`));
  expect(stdout).toContain("Examples:\n");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(130);
  const wrong = await nestcall([command, "--no-such-option"]);
  expect(wrong.exitCode).toBe(2);
  const options = wrong.stderr.match(/--[a-z-]+/g) ?? [];
  const known = options.filter((option) => !["--no-such-option", "--help"].includes(option));
  expect(known.length).toBeGreaterThan(0);
  for (const option of known) expect(stdout).toContain(option);
});

test.each<[string[], string]>([
  [[], "Say what to do."],
  [["tool"], 'There is no command "tool". Did you mean "tools"?'],
  [["frobnicate"], "Commands are call, demo,"],
  [["call"], "nestcall call: name a tool."],
  [["run"], "nestcall run: name a script"],
  [["run", "none.ts"], "there is no such file"],
  [["call", "x", "y"], '"y" is no argument; write key=value'],
  [["call", "x", "{"], "The arguments are no JSON"],
  [["call", "x", "a=1", "a=2"], 'The argument "a" is given twice'],
  [["tools"], "There are no tools: name a configuration with --config FILE"],
  [["call", "x", "--approve", "maybe"], "--approve takes one of ask, read-only, all, none"],
  [["guard", "x"], "nestcall guard knows one thing: explain."],
  [["trace"], "nestcall trace: name a trace or a record"],
  [["tools", "--limit", "0"], "--limit takes a number"],
])("8: %j is exit code 2, with what to do on stderr", async (args, message) => {
  const { exitCode, stdout, stderr } = await nestcall(args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

/** Prints the milliseconds of computing that a process took; other processes that share the machine do not count. */
const METER = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); process._rawDebug(String((user + system) / 1000)); });',
)}`;

test("8: --help and --version take at most 150 ms", async () => {
  for (const option of ["--help", "--version"]) {
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { exitCode, stderr } = await runNode(["--import", METER, MAIN, option]);
      expect(exitCode).toBe(0);
      times.push(Number(stderr));
    }
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.min(...times)).toBeLessThanOrEqual(150);
  }
});
