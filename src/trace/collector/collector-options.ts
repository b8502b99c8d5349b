// What `createTraceCollector` takes, checked at the door.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import { type RedactionOptions, redactor } from "../../guards/redaction-guard.js";
import { namePattern } from "../../tools/name-pattern.js";
import type { KeepLimits } from "./kept-result.js";

/** A root call when it begins. */
export interface RootCallStart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments?: unknown;
}

export interface TraceCollectorOptions {
  /** Which root calls are kept with all below them: names, `*` standing for any text, or a function. Default: all. */
  readonly roots?: readonly string[] | ((root: RootCallStart) => boolean) | undefined;
  /** About how many bytes of memory all kept events take. Default 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** How many root calls are kept, the latest. Default 100. */
  readonly maxRoots?: number | undefined;
  /** UTF-8 bytes of arguments that are kept of one call; larger ones are left out. Default 8,192. */
  readonly maxArgumentBytes?: number | undefined;
  /** UTF-8 bytes that are kept of one result; texts are cut there, other parts left out. Default 8,192. */
  readonly maxResultBytes?: number | undefined;
  /** What `redactionGuard` takes: nothing that matches is kept, but for ids, which tie calls together. Besides the executor's `redact`, which comes before. */
  readonly patterns?: RedactionOptions["patterns"] | undefined;
  /** What stands in place of a match. Default `[redacted]`. */
  readonly replacement?: string | undefined;
}

export interface CollectorSettings extends KeepLimits {
  readonly isWanted: (root: RootCallStart) => boolean;
  readonly maxBytes: number;
  readonly maxRoots: number;
}

const DEFAULTS = { maxBytes: 16 * 1024 * 1024, maxRoots: 100, maxArgumentBytes: 8192, maxResultBytes: 8192 } as const;
const KNOWN = ["roots", ...Object.keys(DEFAULTS), "patterns", "replacement"];

/**
 * @param known - The options that there are.
 * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted.
 */
export function collectorSettings(options: TraceCollectorOptions, known: readonly string[] = KNOWN): CollectorSettings {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong("options", unknown, `an object of ${known.join(", ")} only`);
  const { roots, patterns, replacement } = options;
  if (replacement !== undefined && patterns === undefined)
    throw wrong("options.replacement", replacement, "given together with patterns");
  return {
    isWanted: wantedRoots(roots),
    maxBytes: amount("maxBytes", options.maxBytes, 1024),
    maxRoots: amount("maxRoots", options.maxRoots, 1),
    maxArgumentBytes: amount("maxArgumentBytes", options.maxArgumentBytes, 0),
    maxResultBytes: amount("maxResultBytes", options.maxResultBytes, 0),
    redact:
      patterns === undefined
        ? undefined
        : redactor({ patterns, ...(replacement === undefined ? {} : { replacement }) }),
  };
}

function wantedRoots(roots: TraceCollectorOptions["roots"]): (root: RootCallStart) => boolean {
  if (roots === undefined) return () => true;
  if (typeof roots === "function") return (root) => roots(root) === true;
  if (!Array.isArray(roots) || roots.some((name) => typeof name !== "string")) {
    throw wrong("options.roots", roots, "a list of names in which * stands for any text, or a function");
  }
  const tests = roots.map((pattern) => namePattern(pattern));
  return ({ toolName }) => tests.some((fits) => fits(toolName));
}

function amount(name: keyof typeof DEFAULTS, value: unknown, least: number): number {
  if (value === undefined) return DEFAULTS[name];
  if (typeof value === "number" && value >= least && !Number.isNaN(value)) return value;
  throw wrong(`options.${name}`, value, `a number from ${least.toLocaleString("en-US")} up`);
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `Traces: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
