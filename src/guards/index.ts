export { type ApprovalGuardOptions, type ApprovalRequest, approvalGuard, needsApproval } from "./approval-guard.js";
export { type BudgetGuardOptions, budgetGuard } from "./budget-guard.js";
export { type PlanModeGuardOptions, planModeGuard } from "./plan-mode-guard.js";
export {
  Policy,
  type PolicyDecision,
  type PolicyDefinition,
  type PolicyRule,
  type PolicyVerdict,
  readPolicy,
} from "./policy.js";
export { type PolicyGuardOptions, policyGuard } from "./policy-guard.js";
export { type RedactionOptions, redactionGuard, redactor } from "./redaction-guard.js";
