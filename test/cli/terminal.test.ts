// What a person sees at a terminal: the tree that is drawn in place, and the question before a call. util-linux's `script`
// gives the terminal; without it these tests are skipped.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folderWith, MAIN } from "./cli.js";

vi.setConfig({ testTimeout: 60_000 });

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;
const TOOLS = `
import { defineTool, Type } from "nestcall";
const inputSchema = Type.Object({});
export default [
  defineTool({ name: "wipe", description: "Wipes.", effect: "destructive", inputSchema, execute: () => "wiped" }),
  defineTool({ name: "paint", description: "Paints.", effect: "read", inputSchema, execute: () => "a\\u001b[2Jb\\u001b]52;c;eA==\\u0007c\\u009bd\\u202ee" }),
  defineTool({ name: "look", description: "Looks.", effect: "read", inputSchema, execute: () => "seen" }),
];`;

/** Runs nestcall in a terminal; types `answer` once it is asked. */
async function atTerminal(args: readonly string[], { answer = "", env = {} } = {}): Promise<string> {
  const cwd = folderWith({
    "tools.ts": TOOLS,
    "p.js": "return tools.paint({})",
    "s.js": "await tools.look({}); return tools.wipe({}).catch((e) => e.message)",
  });
  const line = [process.execPath, MAIN, ...args, "--tools", "tools.ts"].map((word) => `'${word}'`).join(" ");
  const all = {
    ...process.env,
    NO_COLOR: undefined,
    TERM: "xterm",
    HOME: cwd,
    XDG_CONFIG_HOME: join(cwd, "config"),
    ...env,
  };
  const child = spawn("script", ["-qec", `${line}; echo "exit $?"`, "/dev/null"], {
    cwd,
    env: all,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let seen = "";
  let isAnswered = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
    if (!isAnswered && seen.includes("[y/N]")) {
      isAnswered = true;
      child.stdin.write(answer);
    }
  });
  await once(child, "close");
  return seen.replaceAll("\r\n", "\n");
}

test.skipIf(!hasScript)("8.1: at a terminal call asks, with the reason and the arguments; yes runs it", async () => {
  const seen = await atTerminal(["call", "wipe"], { answer: "y\r" });
  expect(seen).toContain("May wipe run? no rule fits, and the tool does not claim to be read-only.");
  expect(seen).toMatch(/wiped\nexit 0\n$/);
});

test.skipIf(!hasScript).each([
  ["call", "paint"],
  ["run", "p.js"],
  ["call", "paint", "--json"],
])("8: %s %s: what a tool gives cannot act on the terminal", async (...words) => {
  const seen = await atTerminal([...words, "--quiet"]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(seen).not.toMatch(/\u001b\[2J|\u001b\]52|\u009b|\u202e/);
  expect(seen).toMatch(words.includes("--json") ? /c\\u009bd\\u202ee/ : /abc\\x9bd\\u202ee\n/);
});

test.skipIf(!hasScript).each(["n\r", "\r", "yess\r", "\u0004"])("8.1: %j is no consent", async (answer) => {
  const seen = await atTerminal(["call", "wipe"], { answer });
  expect(seen).not.toContain("wiped\n");
  expect(seen).toMatch(/exit 1\n$/);
});

test.skipIf(!hasScript)("8: Ctrl-C at the question ends the command with 130", async () => {
  expect(await atTerminal(["run", "s.js"], { answer: "\u0003" })).toMatch(
    /Interrupted: stopping what runs\.[\s\S]*exit 130\n$/,
  );
});

test.skipIf(!hasScript)(
  "8: the tree is drawn in place and in colours; NO_COLOR takes the colours, TERM=dumb the moves",
  async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const isColored = (text: string) => /\u001b\[[\d;]*m/.test(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const isMoved = (text: string) => /\u001b\[\d+A/.test(text);
    const ended = ["run", "s.js", "--approve", "all"];
    const colored = await atTerminal(ended);
    expect([isColored(colored), colored.includes("└─")]).toEqual([true, true]);
    const asked = await atTerminal(["run", "s.js"], { answer: "y\r", env: { NO_COLOR: "1" } });
    expect(isColored(asked)).toBe(false);
    const dumb = await atTerminal(ended, { env: { TERM: "dumb" } });
    expect([isColored(dumb), isMoved(dumb)]).toEqual([false, false]);
    expect(dumb).toContain("T/1 look … ok");
  },
);
