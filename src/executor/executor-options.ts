// What `createExecutor` takes, checked, with the defaults set once.
import { resolve } from "node:path";
import { nanoid } from "nanoid";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import { atOnce } from "../errors/thenable.js";
import { Resource } from "../mutation-queue/resource.js";
import { type MutationQueue, queueOf } from "../mutation-queue/with-file-mutation-queue.js";
import { Registry } from "../registry/registry.js";
import { closestNames } from "../tools/closest-names.js";
import type { Host, Tool } from "../tools/tool.js";
import type { Clock, Engine, ExecutorLimits } from "./engine.js";
import { Hooks } from "./hook.js";
import { Observers } from "./observers.js";
import { ScopeList } from "./scope-list.js";

export interface ExecutorOptions {
  // biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input and output
  readonly tools?: readonly Tool<any, any>[];
  /** How batches run; `sequential` makes every batch one call at a time. Default `parallel`. */
  readonly toolExecution?: "parallel" | "sequential";
  readonly limits?: Partial<ExecutorLimits>;
  /** Default: the process-wide queue. */
  readonly mutationQueue?: MutationQueue;
  /** What relative `mutates` paths are relative to. Default: the working directory of this moment. */
  readonly cwd?: string;
  /** Default: `call_` and 21 random characters. */
  readonly generateId?: () => string;
  /** For every text that observers and records get; the tool gets the original. */
  readonly redact?: (text: string) => string;
  /** Default: `Date.now` and `performance.now`. */
  readonly clock?: Clock;
  /** What tools find as `ctx.host`. */
  readonly host?: Host;
}

const OPTION_NAMES = [
  "tools",
  "toolExecution",
  "limits",
  "mutationQueue",
  "cwd",
  "generateId",
  "redact",
  "clock",
  "host",
] as const;

const DEFAULT_LIMITS: ExecutorLimits = {
  maxDepth: 32,
  maxCallsPerRoot: 10_000,
  maxConcurrency: 64,
  abortGraceMs: 250,
  hookTimeoutMs: undefined,
};
const SYSTEM_CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted. */
export function engineOf(options: ExecutorOptions): Engine {
  try {
    return readOptions(options);
  } catch (error) {
    if (error instanceof NestcallError) throw error;
    const message = `createExecutor: the options cannot be read: ${shortenText(thrownText(error), 200)}`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message, { cause: error });
  }
}

function readOptions(options: ExecutorOptions): Engine {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  checkNames("options", options, OPTION_NAMES);
  const { tools = [], toolExecution = "parallel", cwd = process.cwd(), redact, clock = SYSTEM_CLOCK } = options;
  if (!Array.isArray(tools)) throw wrong("options.tools", tools, "a list of tools");
  if (toolExecution !== "parallel" && toolExecution !== "sequential") {
    throw wrong("options.toolExecution", toolExecution, '"parallel" or "sequential"');
  }
  if (typeof cwd !== "string" || cwd === "") throw wrong("options.cwd", cwd, "the path of a folder");
  if (redact !== undefined && typeof redact !== "function") throw wrong("options.redact", redact, "a function");
  if (typeof clock?.now !== "function" || typeof clock.monotonic !== "function") {
    throw wrong("options.clock", clock, "an object with the functions now and monotonic");
  }
  const queue = queueOf(options.mutationQueue);
  if (queue === undefined) {
    throw wrong("options.mutationQueue", options.mutationQueue, "a queue made by createFileMutationQueue");
  }
  const registry = new Registry();
  for (const tool of tools) registry.register(tool);
  const observers = new Observers();
  registry.reportTo((error, origin) => observers.report({ error, source: "listener" }, origin));
  return {
    registry,
    hooks: new Hooks(),
    observers,
    limits: limitsOf(options.limits ?? {}),
    queue,
    lane: new Resource("lane", "the executor's sequential lane"),
    cwd: resolve(cwd), // F8: of this moment, whatever the process changes to later
    clock: clock === SYSTEM_CLOCK ? clock : steadied(clock),
    host: options.host as Host, // whatever the host gave, `undefined` too
    generateId: generatorOf(options.generateId),
    redact,
    toolExecution,
    openRoots: new ScopeList(),
    isClosed: false,
  };
}

/** A host's clock that throws, or gives no number, must not keep a call from its end. */
function steadied(clock: Clock): Clock {
  const read = (name: "now" | "monotonic") => {
    try {
      const ms: unknown = clock[name]();
      return typeof ms === "number" ? ms : SYSTEM_CLOCK[name]();
    } catch {
      return SYSTEM_CLOCK[name]();
    }
  };
  return { now: () => read("now"), monotonic: () => read("monotonic") };
}

function limitsOf(given: Partial<ExecutorLimits>): ExecutorLimits {
  if (typeof given !== "object" || given === null) throw wrong("options.limits", given, "an object");
  checkNames("options.limits", given, Object.keys(DEFAULT_LIMITS));
  const limits = { ...DEFAULT_LIMITS };
  for (const name of ["maxDepth", "maxCallsPerRoot", "maxConcurrency"] as const) {
    const least = name === "maxConcurrency" ? 1 : 0;
    const value = given[name] ?? limits[name];
    const isCount = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
    if (!isCount || value < least) throw wrong(`options.limits.${name}`, value, `a whole number from ${least} up`);
    limits[name] = value;
  }
  const grace = given.abortGraceMs ?? limits.abortGraceMs;
  if (!isTimer(grace)) throw wrong("options.limits.abortGraceMs", grace, "milliseconds from 0 to 2,147,483,647");
  const hookTimeoutMs = given.hookTimeoutMs ?? undefined;
  if (hookTimeoutMs !== undefined && (!isTimer(hookTimeoutMs) || hookTimeoutMs === 0)) {
    throw wrong("options.limits.hookTimeoutMs", hookTimeoutMs, "milliseconds above 0, to 2,147,483,647");
  }
  return { ...limits, abortGraceMs: grace, hookTimeoutMs };
}

function isTimer(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 2_147_483_647;
}

function generatorOf(generateId: unknown): () => string {
  if (generateId === undefined) return () => `call_${nanoid()}`;
  if (typeof generateId !== "function") throw wrong("options.generateId", generateId, "a function");
  return () => {
    const id: unknown = atOnce(generateId());
    if (typeof id !== "string" || id === "")
      throw wrong("the result of options.generateId", id, "a text that is not empty");
    return id;
  };
}

function checkNames(where: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const [close] = closestNames(name, known, 1);
    const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
    const message = `createExecutor: ${where} has no "${shortenText(name, 60)}"; ${hint}`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  return new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `createExecutor: ${where} must be ${wanted}, not ${describeValue(value)}.`,
  );
}
