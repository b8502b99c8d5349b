export { type ApprovalGuardOptions, type ApprovalRequest, approvalGuard, needsApproval } from "./approval-guard.js";
export { type BudgetGuardOptions, budgetGuard } from "./budget-guard.js";
export { type PlanModeGuardOptions, planModeGuard } from "./plan-mode-guard.js";
export { type RedactionOptions, redactionGuard, redactor } from "./redaction-guard.js";
