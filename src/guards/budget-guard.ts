// Bounds what one root call may spend: calls, usage, time.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { RootCallInfo, ToolCallHook } from "../executor/hook.js";
import type { UsageValue } from "../records/usage.js";

export interface BudgetGuardOptions {
  /** Nested calls of one root call, at every depth. */
  readonly maxCalls?: number;
  /** Usage of the calls that have settled, by field; nested fields with a dot: `cost.total`. */
  readonly maxUsage?: { readonly [field: string]: number };
  /** Milliseconds from the root call on. */
  readonly maxTimeMs?: number;
}

/**
 * A `tool_call` hook that blocks further calls of a root call that has spent its budget. A call that already runs is not
 * stopped; for that, give the root call a `timeoutMs`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a limit that is no number from 0 up, or when there is no limit at all.
 */
export function budgetGuard(options: BudgetGuardOptions): ToolCallHook {
  const limits = checkLimits(options);
  return ({ rootCall, depth, toolName }) => {
    const spent = depth === 0 ? undefined : spentOf(limits, rootCall);
    if (spent === undefined) return undefined;
    return {
      block: true,
      reason: `${toolName} was not run: the budget of call ${rootCall.toolCallId} is spent (${spent})`,
    };
  };
}

function spentOf({ maxCalls, maxUsage, maxTimeMs }: BudgetGuardOptions, rootCall: RootCallInfo): string | undefined {
  if (maxCalls !== undefined && rootCall.calls > maxCalls) return `${maxCalls} calls`;
  if (maxTimeMs !== undefined && rootCall.elapsedMs >= maxTimeMs) return `${maxTimeMs} ms`;
  if (maxUsage === undefined) return undefined;
  const { usage } = rootCall;
  for (const [field, limit] of Object.entries(maxUsage)) {
    const used = fieldOf(usage, field);
    if (used >= limit) return `${used} of ${limit} ${field}`;
  }
  return undefined;
}

function fieldOf(usage: RootCallInfo["usage"], field: string): number {
  let value: UsageValue | undefined = usage as UsageValue | undefined;
  for (const part of field.split(".")) {
    if (typeof value !== "object" || !Object.hasOwn(value, part)) return 0;
    value = value[part];
  }
  return typeof value === "number" ? value : 0;
}

function checkLimits(options: unknown): BudgetGuardOptions {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const unknown = Object.keys(options).find((name) => !["maxCalls", "maxUsage", "maxTimeMs"].includes(name));
  if (unknown !== undefined) throw wrong("options", unknown, "an object of maxCalls, maxUsage and maxTimeMs only");
  const { maxCalls, maxUsage, maxTimeMs } = options as BudgetGuardOptions;
  if (maxCalls === undefined && maxUsage === undefined && maxTimeMs === undefined) {
    throw wrong("options", options, "an object with maxCalls, maxUsage or maxTimeMs");
  }
  if (maxUsage !== undefined && (typeof maxUsage !== "object" || maxUsage === null)) {
    throw wrong("options.maxUsage", maxUsage, "an object of limits by field");
  }
  const fields = Object.entries(maxUsage ?? {}).map(([field, limit]) => [`maxUsage.${field}`, limit] as const);
  for (const [name, limit] of [["maxCalls", maxCalls], ["maxTimeMs", maxTimeMs], ...fields] as const) {
    if (limit === undefined || (typeof limit === "number" && limit >= 0)) continue;
    throw wrong(`options.${name}`, limit, "a number from 0 up");
  }
  return options;
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  return new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `budgetGuard: ${where} must be ${wanted}, not ${describeValue(value)}.`,
  );
}
