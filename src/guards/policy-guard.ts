// A policy as a gate: what it denies is blocked, what it asks for is put to a person, or refused when nobody can be asked.
import type { ToolCallHook } from "../executor/hook.js";
import { type ApprovalRequest, askPerson } from "./approval-guard.js";
import type { Policy, PolicyDecision } from "./policy.js";

export interface PolicyGuardOptions {
  /** Only `true` is consent. Without it, or when it answers `undefined`, nobody can be asked, and the call is refused. */
  readonly confirm?:
    | ((request: ApprovalRequest, decision: PolicyDecision) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
}

/** A `tool_call` hook. Register it after hooks that change arguments: it decides by what it sees. */
export function policyGuard(policy: Pick<Policy, "decide">, options: PolicyGuardOptions = {}): ToolCallHook {
  const { confirm } = options;
  return async (event) => {
    const decision = policy.decide(event.tool, event.input);
    if (decision.verdict === "allow") return undefined;
    if (decision.verdict === "deny") return { block: true, reason: `${event.toolName} is denied: ${decision.reason}` };
    const answer = confirm === undefined ? undefined : await askPerson(event, (request) => confirm(request, decision));
    if (answer === true) return undefined;
    return {
      block: true,
      reason: answer === undefined ? unasked(event.toolName, decision) : refused(event.toolName, decision),
    };
  };
}

function unasked(name: string, { reason }: PolicyDecision): string {
  return `${name} needs approval (${reason}), and nobody can be asked here. To allow it, add "${name}" to policy.allow.`;
}

function refused(name: string, { reason }: PolicyDecision): string {
  return `${name} was not approved (${reason}). To allow it without asking, add "${name}" to policy.allow.`;
}
