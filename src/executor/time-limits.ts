// T1, T4: what can stop a call from outside: the caller's signal, time, and silence.
import { ErrorCode } from "../errors/error-code.js";
import { shortenText, thrownText } from "../errors/text.js";
import type { Tool } from "../tools/tool.js";
import type { CallOptions } from "./call-options.js";
import type { CallScope, StopCause } from "./call-scope.js";
import { TimeLimit } from "./time-limit.js";

/** A timer cannot wait longer; a limit beyond this is none. */
const MAX_TIMER_MS = 2_147_483_647;

export function abortCause(reason: unknown): StopCause {
  const isPlain = reason === undefined || (reason instanceof DOMException && reason.name === "AbortError");
  const text = isPlain ? "was aborted" : `was aborted: ${shortenText(thrownText(reason), 500)}`;
  return { code: ErrorCode.ABORTED, reason, text };
}

/** From the call on: the caller's signal and the call's own `timeoutMs`, waits included. */
export function watchCall(scope: CallScope, { signal, timeoutMs, idleTimeoutMs, onUpdate }: CallOptions): void {
  scope.onUpdate = onUpdate;
  scope.timeoutMs = timeoutMs;
  scope.idleTimeoutMs = idleTimeoutMs;
  if (signal !== undefined && scope.parent?.isOwnSignal(signal) !== true) scope.follow(signal, abortCause);
  if (timeoutMs !== undefined && !scope.isSettled) startLimit(scope, timeoutMs, "timeoutMs of the call");
}

/** From `execute` on: the tool's own limits, and silence between updates. */
export function watchExecute(scope: CallScope, tool: Tool): void {
  if (tool.timeoutMs !== undefined) {
    scope.timeoutMs ??= tool.timeoutMs;
    keepForTool(scope, startLimit(scope, tool.timeoutMs, "timeoutMs of the tool"));
  }
  const { idleTimeoutMs: own } = tool;
  const { idleTimeoutMs: asked } = scope;
  if (own === undefined && asked === undefined) return;
  const limitMs = Math.min(own ?? MAX_TIMER_MS, asked ?? MAX_TIMER_MS);
  const limit = startLimit(scope, limitMs, "idleTimeoutMs: no update came");
  keepForTool(scope, limit);
  scope.idleTimeoutMs = limitMs;
  scope.restartIdleTimer = () => limit?.renew();
}

function keepForTool(scope: CallScope, limit: TimeLimit | undefined): void {
  if (limit === undefined) return;
  if (scope.toolLimits === undefined) scope.toolLimits = [limit];
  else scope.toolLimits.push(limit);
}

/** The tool has settled: its own limits have nothing to say about what the engine does after it. */
export function unwatchExecute(scope: CallScope): void {
  for (const limit of scope.toolLimits ?? []) limit.stop();
  scope.timeLimits = scope.timeLimits?.filter((limit) => scope.toolLimits?.includes(limit) !== true);
  scope.toolLimits = undefined;
  scope.restartIdleTimer = undefined;
}

function startLimit(scope: CallScope, limitMs: number, what: string): TimeLimit | undefined {
  if (limitMs > MAX_TIMER_MS) return undefined;
  const limit = new TimeLimit(limitMs, () => {
    const text = `timed out after ${limitMs} ms (${what})`;
    const reason = new DOMException(`Tool "${shortenText(scope.name, 128)}" ${text}.`, "TimeoutError");
    scope.stop({ code: ErrorCode.TIMEOUT, reason, text });
  });
  if (scope.approvalWaits === 0) limit.run();
  if (scope.timeLimits === undefined) scope.timeLimits = [limit];
  else scope.timeLimits.push(limit);
  return limit;
}

/** A timer that goes when the call does. */
export function addTimer(scope: CallScope, timer: NodeJS.Timeout): void {
  if (scope.timers === undefined) scope.timers = [timer];
  else scope.timers.push(timer);
}
