// What `run` takes, checked at the door: what is wrong here is the host's mistake, and rejects.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function checkRunOptions(source: unknown, options: unknown): void {
  if (typeof source !== "string") throw wrong(`run() takes a script as text; it was given ${describeValue(source)}.`);
  const { tools, callTool, ...rest } = (options ?? {}) as { readonly [option: string]: unknown };
  if (!Array.isArray(tools)) throw wrong(`run() takes { tools: [{ name, … }] }; tools is ${describeValue(tools)}.`);
  if (typeof callTool !== "function")
    throw wrong(`run() takes { callTool(name, args, context) }; callTool is ${describeValue(callTool)}.`);
  for (const tool of tools as readonly unknown[]) {
    const name = (tool as { readonly name?: unknown } | null)?.name;
    if (typeof name !== "string") throw wrong(`Every tool of run() needs a name; one has ${describeValue(name)}.`);
  }
  for (const [option, { isRight, wanted }] of Object.entries(OPTIONS)) {
    const value = rest[option];
    if (value === undefined || isRight(value)) continue;
    throw wrong(`run() takes ${wanted} as ${option}; it was given ${describeValue(value)}.`);
  }
}

interface OptionRule {
  readonly wanted: string;
  isRight(value: unknown): boolean;
}

const OPTIONS: Readonly<Record<string, OptionRule>> = {
  signal: { wanted: "an AbortSignal", isRight: (value) => value instanceof AbortSignal },
  store: { wanted: "an object of values", isRight: (value) => isObject(value) && !Array.isArray(value) },
  seed: { wanted: "a number or a text", isRight: (value) => Number.isFinite(value) || typeof value === "string" },
  startedAt: { wanted: "milliseconds since the epoch", isRight: (value) => Number.isFinite(value) },
  journal: { wanted: "a list of entries, or an object that can be gone through and has push,", isRight: isJournal },
  limits: { wanted: "an object of numbers", isRight: isObject },
};

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isJournal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { push, [Symbol.iterator]: iterator } = value as {
    readonly push?: unknown;
    readonly [Symbol.iterator]?: unknown;
  };
  return typeof push === "function" && typeof iterator === "function";
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
