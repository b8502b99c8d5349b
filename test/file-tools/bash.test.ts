// W3: what a command printed, how it ended, and what a model gets of it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createFileTools } from "../../src/file-tools/index.js";
import { countLines } from "../../src/file-tools/truncate-text.js";
import type { RootCallOutcome } from "../../src/index.js";
import { type FileWorld, fileWorld, textOf } from "./file-world.js";

interface BashData {
  readonly output: string;
  readonly exit_code: number;
  readonly truncated: boolean;
  readonly full_output_path?: string;
  readonly wall_time_seconds: number;
}
const dataOf = ({ result }: RootCallOutcome) => result.structuredContent as BashData;
const bash = (world: FileWorld, command: string) => world.call("bash", { command });
/** A command that prints exactly these bytes. */
const print = (count: number, character = "x") => `head -c ${count} /dev/zero | tr '\\0' '${character}'`;
const MIB = 1_024 * 1_024;

describe("W3: the end of a command", () => {
  test("P12: an exit code other than 0 is data", async () => {
    const outcome = await bash(fileWorld(), "echo no; exit 3");
    expect(outcome).toMatchObject({ status: "ok", isError: false });
    expect(textOf(outcome)).toBe("no\n[Exit code 3.]");
    expect(dataOf(outcome)).toEqual({
      output: "no\n",
      exit_code: 3,
      truncated: false,
      wall_time_seconds: expect.any(Number),
    });
  });

  test("a signal that ended the shell, or a program in it, is named", async () => {
    const world = fileWorld();
    const shell = await bash(world, "echo a; kill -KILL $$");
    expect(textOf(shell)).toBe("a\n[Ended by signal SIGKILL (exit code 137).]");
    expect(dataOf(shell).exit_code).toBe(137);
    const program = await bash(world, "bash -c 'kill -TERM $$' 2>/dev/null; exit $?");
    expect(textOf(program)).toContain("[Exit code 143, which stands for signal SIGTERM.]");
    expect([shell.isError, program.isError]).toEqual([false, false]);
  });

  test("a command that says nothing, one of several lines, and one that looks like an option", async () => {
    const world = fileWorld();
    expect(textOf(await bash(world, "true"))).toBe("(no output)");
    expect(textOf(await bash(world, "a=1\nfor i in 1 2; do\n  echo $a$i\ndone"))).toBe("11\n12\n");
    expect(dataOf(await bash(world, "-x")).exit_code).toBe(127);
  });

  test("it starts in cwd, without input and without a terminal", async () => {
    const world = fileWorld();
    const outcome = await bash(world, "pwd -P; cat; tty; [ -t 1 ] || echo no terminal");
    expect(dataOf(outcome).output).toBe(`${world.folder}\nnot a tty\nno terminal\n`);
  });

  test("a working folder that is gone, a command too long, and one with a NUL are text results", async () => {
    const world = fileWorld();
    expect(textOf(await bash(world, `: ${"x".repeat(300_000)}`))).toContain("too long (300,002 bytes)");
    expect(textOf(await bash(world, "echo a\0b"))).toContain("has a NUL");
    await bash(world, 'rmdir "$PWD"');
    const outcome = await bash(world, "true");
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain(`${world.folder} cannot be used: there is no such file or folder.`);
  });

  test("its annotations say that it may destroy things and reach the world", () => {
    const { annotations } = createFileTools({ cwd: "/" }).bash;
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  });
});

describe("W3: both streams share one pipe", () => {
  test("stdout and stderr come in the order of writing", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `o${index}\ne${index}\n`).join("");
    const { output } = dataOf(await bash(fileWorld(), "for i in $(seq 0 199); do echo o$i; echo e$i >&2; done"));
    expect(output).toBe(lines);
  });

  test("it is a real pipe: a program may open it by name, which it could not open a socket", async () => {
    const outcome = await bash(
      fileWorld(),
      "echo a > /dev/stderr; echo b | tee /dev/stderr > /dev/null; [ -p /dev/fd/1 ]",
    );
    expect(dataOf(outcome)).toMatchObject({ output: "a\nb\n", exit_code: 0 });
  });
});

describe("P26, P27: long output", () => {
  test.each([
    [MIB, false],
    [MIB + 1, true],
  ])("%i bytes: truncated is %s, and the file has every byte", async (size, isTruncated) => {
    const outcome = await bash(fileWorld(), `printf begin; ${print(size - 8)}; printf end`);
    const { output, truncated, full_output_path: path } = dataOf(outcome);
    expect(outcome.isError).toBe(false);
    expect(truncated).toBe(isTruncated);
    expect(readFileSync(path ?? "", "utf8")).toBe(`begin${"x".repeat(size - 8)}end`);
    if (!isTruncated) expect(output).toBe(`begin${"x".repeat(size - 8)}end`);
    else {
      const [head, marker, tail, ...rest] = output.split("\n");
      expect([head?.length, tail?.length, rest]).toEqual([MIB / 2, MIB / 2, []]);
      expect(marker).toBe(`[… 1 bytes are missing here; the complete output is in ${path} …]`);
    }
    expect(textOf(outcome)).toContain(path);
  });

  test("P13: 2 MiB do not throw; the model's text keeps both limits and names the file, which is the user's alone", async () => {
    const outcome = await bash(fileWorld(), `printf begin; ${print(2 * MIB)}; printf end; exit 1`);
    const { full_output_path: path = "", output, exit_code } = dataOf(outcome);
    expect({ exit_code, isError: outcome.isError }).toEqual({ exit_code: 1, isError: false });
    expect(output.length).toBeLessThan(MIB + 300);
    expect(textOf(outcome)).toMatch(/^begin.*end\n\[Exit code 1\.\]$/s);
    expect(Buffer.byteLength(textOf(outcome))).toBeLessThanOrEqual(50 * 1_024);
    expect(textOf(outcome)).toContain(path);
    expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([2 * MIB + 8, 0o600]);
  });

  test("W5: the cuts are between code points", async () => {
    const outcome = await bash(fileWorld(), "printf a; yes 日本 | tr -d '\\n' | head -c 1500000");
    const { output, full_output_path: path = "" } = dataOf(outcome);
    expect(output).not.toContain("\uFFFD");
    expect(textOf(outcome)).not.toContain("\uFFFD");
    const missing = Number(/… ([\d,]+) bytes/.exec(output)?.[1]?.replaceAll(",", ""));
    const [head = "", , tail = ""] = output.split("\n");
    expect(missing).toBe(statSync(path).size - Buffer.byteLength(head) - Buffer.byteLength(tail));
  });

  test("the text shows 2,000 lines whole; of one more the middle is missing, though `output` has it", async () => {
    const world = fileWorld();
    const whole = await bash(world, "seq 2000");
    expect(countLines(textOf(whole))).toBe(2_000);
    expect(dataOf(whole).full_output_path).toBeUndefined();
    expect(existsSync(world.outputFolder)).toBe(false);

    const cut = await bash(world, "seq 2001");
    const { output, truncated, full_output_path: path = "" } = dataOf(cut);
    expect(output).toBe(readFileSync(path, "utf8"));
    expect({ truncated, lines: countLines(output) }).toEqual({ truncated: false, lines: 2_001 });
    expect(countLines(textOf(cut))).toBeLessThanOrEqual(2_000);
    expect(textOf(cut)).toMatch(
      /^1\n2\n.*\n\[… \d+ bytes are missing here; the complete output is in .*\]\n.*\n2001\n$/s,
    );
  });

  test("an output folder that cannot be written costs the file, not the call", async () => {
    const world = fileWorld({ occupied: "" });
    const outcome = await fileWorld({}, { outputFolder: `${world.folder}/occupied` }).call("bash", {
      command: print(2 * MIB),
    });
    expect(outcome.isError).toBe(false);
    expect(dataOf(outcome)).toMatchObject({ truncated: true, exit_code: 0 });
    expect(dataOf(outcome)).not.toHaveProperty("full_output_path");
    expect(textOf(outcome)).toContain("the complete output could not be kept: ");
  });
});

describe("what a model must not get as it is", () => {
  test("invalid UTF-8 is U+FFFD, and a character that comes in two parts is whole", async () => {
    const { output } = dataOf(
      await bash(fileWorld(), "printf 'a\\xffb\\xc3'; printf '\\xe6\\x97'; sleep 0.05; printf '\\xa5'"),
    );
    expect(output).toBe("a\uFFFDb\uFFFD日");
  });

  test.each([
    ["colours", "\\033[1;31mred\\033[0m", "red"],
    ["a title and a link", "\\033]0;title\\007a\\033]8;;http://x\\033\\\\b", "ab"],
    ["a sequence without an end hides nothing", "\\033]0;a\\nb", "\\x1b]0;a\nb"],
    ["NUL and backspaces", "a\\0b\\bc", "a\\x00b\\x08c"],
    ["letters that man struck twice", "_\\bab\\bb", "ab"],
    ["carriage returns", "10%%\\r20%%\\r\\nend", "10%\n20%\nend"],
    ["marks that turn text around", "a\\xe2\\x80\\xaeb", "a\\u202eb"],
    ["invisible tags", "a\\xf3\\xa0\\x81\\x81b", "a\\u{e0041}b"],
    ["tabs, accents and emoji stay", "\\tä👩‍👩‍👧", "\tä👩‍👩‍👧"],
  ])("%s", async (_, printed, shown) => {
    const outcome = await bash(fileWorld(), `printf '${printed}'`);
    expect([dataOf(outcome).output, textOf(outcome)]).toEqual([shown, shown]);
  });
});

describe("env", () => {
  test("a record is all that a command gets", async () => {
    process.env.NESTCALL_TEST_SECRET = "hush";
    const world = fileWorld({}, { env: { GIVEN: "1" } });
    const { output } = dataOf(await bash(world, "/usr/bin/env"));
    const names = output
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.toSorted()).toEqual(["GIVEN", "PWD", "SHLVL", "_"]); // the last three are the shell's own
    expect(dataOf(await bash(fileWorld(), "echo $NESTCALL_TEST_SECRET")).output).toBe("hush\n");
    delete process.env.NESTCALL_TEST_SECRET;
  });
});
