// What a configuration says beside servers and policy: how tools are reached, and what one call may spend.
import { type CodemodeLimits, DEFAULT_LIMITS } from "../../../codemode/limits.js";
import { ErrorCode } from "../../../errors/error-code.js";
import { NestcallError } from "../../../errors/nestcall-error.js";
import { describeValue } from "../../../errors/text.js";
import { closestNames } from "../../../tools/closest-names.js";
import { namePattern } from "../../../tools/name-pattern.js";
import { quotedText } from "../../../tools/place-text.js";
import type { Exposure } from "../../../tools/tool.js";

/** How tools are reached, unless the policy denies them. */
export interface ExposureRules {
  readonly of: (toolName: string) => Exposure;
  /** By all that a tool is called. */
  readonly ofAny: (names: readonly string[]) => Exposure;
  /** Whether a client may be shown more than the gateway's own tools. */
  readonly showsTools: boolean;
}

export interface GatewayLimits {
  /** Limits of a script, as `nestcall/codemode` has them. */
  readonly script: Partial<CodemodeLimits>;
  /** How deep calls may nest; how many one root call may make; how many of one parent run at once. */
  readonly engine: { readonly maxDepth?: number; readonly maxCallsPerRoot?: number; readonly maxConcurrency?: number };
  /** How long a person has for an answer, in milliseconds. */
  readonly approvalMs?: number;
}

/** What the calls of some tools may spend together in one root call, or each by itself. */
export interface ToolBudget {
  /** As it stands in the configuration: a name in which `*` stands for any text. */
  readonly pattern: string;
  readonly fits: (toolName: string) => boolean;
  /** Calls in one root call. */
  readonly maxCalls: number;
}

type Given = Readonly<Record<string, unknown>>;

const EXPOSURES: readonly string[] = ["direct", "codemode", "deferred", "hidden"];
/** They are in the client's list, or in the description of a tool that is. */
const SHOWN: readonly string[] = ["direct", "codemode"];
const ENGINE_LIMITS = ["maxDepth", "maxCallsPerRoot", "maxConcurrency"] as const;
const LONGEST_TIMER_MS = 2_147_483_647;

/** `"deferred"`, or `{ "mcp__github__*": "direct" }`, of which the first name that fits counts. */
export function readExposure(given: unknown, where: string): ExposureRules {
  if (given === undefined || typeof given === "string") {
    const one = exposureOf(given ?? "deferred", where);
    return { of: () => one, ofAny: () => one, showsTools: SHOWN.includes(one) };
  }
  if (!isObject(given))
    throw wrong(where, given, `one of ${EXPOSURES.join(", ")}, or an object of them by the name of a tool`);
  const rules = Object.entries(given).map(([pattern, value]) => {
    return { fits: toolPattern(where, pattern), exposure: exposureOf(value, `${where}.${pattern}`) };
  });
  const ofAny = (names: readonly string[]) => rules.find(({ fits }) => names.some(fits))?.exposure ?? "deferred";
  return {
    of: (name) => ofAny([name]),
    ofAny,
    showsTools: rules.some(({ exposure }) => SHOWN.includes(exposure)),
  };
}

export function readLimits(given: unknown = {}, where: string): GatewayLimits {
  if (!isObject(given)) throw wrong(where, given, "an object");
  checkKeys(where, given, [...ENGINE_LIMITS, "script", "approvalMs"]);
  const engine: { [name in (typeof ENGINE_LIMITS)[number]]?: number } = {};
  for (const name of ENGINE_LIMITS) {
    const least = name === "maxConcurrency" ? 1 : 0;
    if (given[name] !== undefined) engine[name] = count(given[name], `${where}.${name}`, least);
  }
  const script = readScriptLimits(given.script, `${where}.script`);
  if (given.approvalMs === undefined) return { engine, script };
  const approvalMs = count(given.approvalMs, `${where}.approvalMs`, 1);
  if (approvalMs > LONGEST_TIMER_MS) throw wrong(`${where}.approvalMs`, approvalMs, `at most ${LONGEST_TIMER_MS}`);
  return { engine, script, approvalMs };
}

/** `{ "mcp__github__*": { "maxCalls": 20 } }`; all that fit a tool count. */
export function readBudgets(given: unknown = {}, where: string): readonly ToolBudget[] {
  if (!isObject(given)) throw wrong(where, given, "an object by the name of a tool");
  return Object.entries(given).map(([pattern, budget]) => {
    const place = `${where}.${pattern}`;
    const fits = toolPattern(where, pattern);
    if (!isObject(budget)) throw wrong(place, budget, 'an object such as { "maxCalls": 20 }');
    checkKeys(place, budget, ["maxCalls"]);
    return { pattern, fits, maxCalls: count(budget.maxCalls, `${place}.maxCalls`, 0) };
  });
}

function readScriptLimits(given: unknown = {}, where: string): Partial<CodemodeLimits> {
  if (!isObject(given)) throw wrong(where, given, "an object");
  checkKeys(where, given, Object.keys(DEFAULT_LIMITS));
  const limits = Object.entries(given).map(([name, value]) => [name, count(value, `${where}.${name}`, 0)] as const);
  return Object.fromEntries(limits);
}

function exposureOf(value: unknown, where: string): Exposure {
  if (typeof value === "string" && EXPOSURES.includes(value)) return value as Exposure; // one of them
  throw wrong(where, value, `one of ${EXPOSURES.join(", ")}`);
}

/** A tool's name has no other characters, so one with another would never fit anything. */
function toolPattern(where: string, pattern: string): (name: string) => boolean {
  if (/^[\w*-]+$/.test(pattern)) return namePattern(pattern);
  const message = `${where} has the key ${quotedText(pattern, 80)}; wanted is the name of a tool, in which * stands for any text.`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function count(value: unknown, where: string, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw wrong(where, value, `a whole number from ${least} up`);
}

function checkKeys(where: string, given: Given, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  throw new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `${where} has the key ${quotedText(unknown, 60)}, which is not known here; ${hint}`,
  );
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `${where} must be ${wanted}; it is ${describeValue(value)}.`);
}
