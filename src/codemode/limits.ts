// What a script may use up (design 5), with the defaults.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";

export interface CodemodeLimits {
  /** Time that the script itself computes, tools not counted. Default 5,000. */
  readonly cpuMs: number;
  /** Time from the first instruction, tools included, waiting for a person not. Default 120,000. */
  readonly wallMs: number;
  /** Time to wait for a place. Default 30,000. */
  readonly queueMs: number;
  /** What the script's values take. Default 64 MiB, 4,092 MiB at most. */
  readonly memoryBytes: number;
  /** Calls in total. The first beyond it rejects, the second ends the script. Default 10,000. */
  readonly maxCalls: number;
  /** Calls that run at once; others wait. Default 64. */
  readonly maxConcurrentCalls: number;
  /** JSON of one call's arguments. Default 1 MiB. */
  readonly argumentBytes: number;
  /** JSON of one call's result, and all images of a script. Default 16 MiB. */
  readonly resultBytes: number;
  /** JSON of the script's value. Default 1 MiB. */
  readonly valueBytes: number;
  /** Printed text and console lines together. Default 256 KiB. */
  readonly outputBytes: number;
  /** Printed items and console lines together. Default 2,000. */
  readonly outputItems: number;
  /**
   * Scripts at once, nested ones and those that wait for a person not counted: with the latter at most eight times as many.
   * Default 64. Of the runtime, not of one run.
   */
  readonly maxScripts: number;
  /** Scripts that wait for a place. Default 1,024. Of the runtime, not of one run. */
  readonly maxQueuedScripts: number;
  /** How deep scripts may run scripts by tools; 0 allows none. Default 4. */
  readonly maxDepth: number;
  /** How long calls that nobody awaits may hold a script that has ended. Default 10,000. */
  readonly drainMs: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: CodemodeLimits = Object.freeze({
  cpuMs: 5000,
  wallMs: 120_000,
  queueMs: 30_000,
  memoryBytes: 64 * MIB,
  maxCalls: 10_000,
  maxConcurrentCalls: 64,
  argumentBytes: MIB,
  resultBytes: 16 * MIB,
  valueBytes: MIB,
  outputBytes: 256 * 1024,
  outputItems: 2000,
  maxScripts: 64,
  maxQueuedScripts: 1024,
  maxDepth: 4,
  drainMs: 10_000,
});

/** The engine counts its memory in 32 bits; 4 MiB are for itself. */
const MAX_MEMORY_BYTES = 4096 * MIB - 4 * MIB;
/** Fixed: the engine's own stack, the depth of arguments, and the length of a source. */
export const MAX_ARGUMENT_LEVELS = 200;
export const MAX_SOURCE_BYTES = 256 * 1024;
export const MAX_STORED_BYTES = 256 * 1024;
export const MAX_STORE_BYTES = MIB;
const AT_LEAST_ONE: ReadonlySet<string> = new Set(["maxConcurrentCalls", "maxScripts", "memoryBytes"]);

/** The limits with what was given laid over them; throws for a name or a number that is none. */
export function withLimits(base: CodemodeLimits, given: Partial<CodemodeLimits> | undefined): CodemodeLimits {
  if (given === undefined) return base;
  const limits: Record<string, number> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!(name in DEFAULT_LIMITS))
      throw refused(`There is no limit "${name}". Limits: ${Object.keys(base).join(", ")}.`);
    const least = AT_LEAST_ONE.has(name) ? 1 : 0;
    if (typeof value !== "number" || !(value >= least)) {
      throw refused(`limits.${name} must be a number, ${least} or more; it is ${describeValue(value)}.`);
    }
    if (name === "memoryBytes" && value > MAX_MEMORY_BYTES) {
      throw refused(
        `limits.memoryBytes may be ${MAX_MEMORY_BYTES} at most, which the engine can hold; it is ${value}.`,
      );
    }
    limits[name] = value;
  }
  return limits as unknown as CodemodeLimits; // every name is one of them
}

/** Limits that a script sets for itself in its `@options` line: only lower ones count. */
export function lowerLimits(limits: CodemodeLimits, options: object): { limits: CodemodeLimits; warnings: string[] } {
  const lowered: Record<string, number> = { ...limits };
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    const limit = lowered[name];
    if (limit === undefined || !(typeof value === "number" && value >= 0)) {
      warnings.push(
        `The @options line has an option that is not known or no number, which is ignored: ${name.slice(0, 60)}.`,
      );
    } else lowered[name] = Math.min(limit, value);
  }
  return { limits: lowered as unknown as CodemodeLimits, warnings }; // the same names
}

function refused(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
