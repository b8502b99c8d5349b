// The budgets of a configuration as a gate: how often tools may be called in one root call, at every depth.
import type { Executor } from "../../../executor/create-executor.js";
import type { ToolBudget } from "./config-parts.js";
import type { SpokenNames } from "./spoken-names.js";

/** Adds the gate. Owns what each root call has spent, until it has ended. */
export function addBudgetGate(executor: Executor, budgets: readonly ToolBudget[], names: SpokenNames): void {
  if (budgets.length === 0) return;
  const spent = new Map<string, Map<ToolBudget, number>>();
  executor.on("tool_execution_end", ({ depth, toolCallId }) => {
    if (depth === 0) spent.delete(toolCallId);
  });
  executor.on("tool_call", ({ toolName, rootCall }) => {
    const fitting = budgets.filter(({ fits }) => fits(toolName) || names.of(toolName).some(fits));
    if (fitting.length === 0) return undefined;
    const counts = spent.get(rootCall.toolCallId) ?? new Map<ToolBudget, number>();
    spent.set(rootCall.toolCallId, counts);
    const empty = fitting.find((budget) => (counts.get(budget) ?? 0) >= budget.maxCalls);
    if (empty !== undefined) return { block: true, reason: reasonOf(toolName, empty) };
    for (const budget of fitting) counts.set(budget, (counts.get(budget) ?? 0) + 1);
    return undefined;
  });
}

function reasonOf(toolName: string, { pattern, maxCalls }: ToolBudget): string {
  const calls = maxCalls === 1 ? "1 call" : `${maxCalls} calls`;
  return `${toolName} was not run: the budget of ${calls} for "${pattern}" is spent. To allow more, raise budgets["${pattern}"].maxCalls.`;
}
