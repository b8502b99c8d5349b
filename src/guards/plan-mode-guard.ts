// E51: while a host plans, only what changes nothing may run, and what those tools call as well.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { atOnce } from "../errors/thenable.js";
import type { ToolCallHook, ToolCallHookEvent } from "../executor/hook.js";
import { Registry } from "../registry/registry.js";

export interface PlanModeGuardOptions {
  /** Whether the host plans now; asked once a call. Default: always. */
  readonly isPlanning?: ((event: ToolCallHookEvent) => boolean) | undefined;
  /** Exact names that are allowed besides the host's own read-only tools. A pattern is refused. */
  readonly planSafe?: readonly string[] | undefined;
}

/**
 * A `tool_call` hook for hosts that switch between planning and building themselves; a session made with
 * `registry.forSession({ planMode: true })` needs none. A call that begins while the host plans is read-only with all that
 * it calls, also when the host goes on to build meanwhile.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a wrong option.
 */
export function planModeGuard(registry: Registry, options: PlanModeGuardOptions = {}): ToolCallHook {
  if (!(registry instanceof Registry)) throw wrong("its first argument", registry, "the registry of an executor");
  if (typeof options !== "object" || options === null) throw wrong("options", options, "an object");
  const { isPlanning = () => true, planSafe = [] } = options;
  if (typeof isPlanning !== "function") throw wrong("options.isPlanning", isPlanning, "a function");
  registry.allowInPlanMode(planSafe);
  return (event) => {
    return atOnce(isPlanning(event)) === false ? undefined : { access: { planMode: true } };
  };
}

function wrong(where: string, value: unknown, wanted: string): NestcallError {
  const message = `planModeGuard: ${where} must be ${wanted}, not ${describeValue(value)}.`;
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
