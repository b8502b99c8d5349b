#!/usr/bin/env node
// The command `nestcall` (DESIGN 8, 8.1). Nothing heavy is loaded here: help and version are there at once, and each command
// loads what it needs.
import { readFileSync } from "node:fs";
import { safeText } from "../errors/safe-text.js";
import type { Cli } from "./cli.js";
import { closestOf } from "./closest.js";
import { EXIT, UsageError } from "./exit.js";
import { HELP, OVERVIEW } from "./help.js";
import { listenForInterrupts } from "./interrupts.js";
import { flushOut, ownOutput } from "./output.js";
import { watchRejections } from "./rejections.js";

type Command = (args: readonly string[], cli: Cli) => Promise<number>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => (await import("./commands/call.js")).call,
  demo: async () => (await import("./commands/demo.js")).demo,
  doctor: async () => (await import("./commands/doctor.js")).doctor,
  guard: async () => (await import("./commands/guard.js")).guard,
  mcp: async () => (await import("./commands/mcp.js")).mcp,
  run: async () => (await import("./commands/run.js")).run,
  tools: async () => (await import("./commands/tools.js")).tools,
  trace: async () => (await import("./commands/trace.js")).trace,
};

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === "--version" || name === "-v") return print(`${version()}\n`);
  if (name === "--help" || name === "-h") return print(OVERVIEW);
  if (name === "help") return print(args[0] === undefined ? OVERVIEW : helpOf(args[0]));
  if (name === undefined) throw new UsageError(`Say what to do.\n\n${OVERVIEW}`);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw new UsageError(unknown(name));
  const end = args.indexOf("--");
  const isHelp = args.slice(0, end === -1 ? undefined : end).some((arg) => arg === "--help" || arg === "-h");
  if (isHelp) return print(helpOf(name));
  ownOutput();
  watchRejections(name);
  const { signal, stop } = listenForInterrupts();
  try {
    const code = await (await load())(args, { signal, version: version(), env: process.env });
    return signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    stop();
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.ok;
}

function helpOf(name: string): string {
  if (!Object.hasOwn(HELP, name)) throw new UsageError(unknown(name));
  return HELP[name] ?? "";
}

function unknown(name: string): string {
  const close = closestOf(name, Object.keys(COMMANDS));
  const hint = close === undefined ? `Commands are ${Object.keys(COMMANDS).join(", ")}.` : `Did you mean "${close}"?`;
  return `There is no command ${JSON.stringify(name)}. ${hint} \`nestcall --help\` tells more.`;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String((manifest as { readonly version?: unknown }).version);
}

/** A broken configuration and a wrong option are errors of usage; what is left is a fault, told in one line. */
function report(error: unknown): number {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const text = typeof message === "string" && message !== "" ? message : String(error);
  process.stderr.write(`${safeText(text.trimEnd())}\n`);
  if (error instanceof UsageError || code === "INVALID_ARGUMENTS" || code === "INVALID_TOOL") return EXIT.usage;
  if (process.env.NESTCALL_DEBUG !== undefined) process.stderr.write(`${(error as Error)?.stack ?? ""}\n`);
  return EXIT.failed;
}

/** Ends the process once stdout has taken everything: what a tool file left running must not hold it. */
function end(code: number): void {
  process.exitCode = code;
  // What could not be written is told one turn after that.
  flushOut(() => process.stderr.write("", () => setImmediate(() => process.exit(code))));
}

// A reader that has enough, such as `head`, is no failure; a full disk is, and nobody must take half of a result for all of it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? EXIT.ok);
  process.stderr.write(`The output cannot be written: ${safeText(error.message)}\n`);
  process.exit(EXIT.failed);
});
process.stderr.on("error", () => {});
void main(process.argv.slice(2)).catch(report).then(end);
