// C6: the tools of a script as TypeScript that compiles, accepts what the schemas accept, and stays within a budget.
import { collectDeclarations } from "./collect-declarations.js";
import { type Chosen, DeclarationLayout } from "./declaration-layout.js";
import type { DeclaredTool, RenderDeclarationsOptions } from "./declared-tool.js";
import { tokensOf } from "./safe-words.js";
import { NAME_ONLY, type ToolDeclaration } from "./tool-text.js";

const DEFAULT_BUDGET = 4_000;
const DEFAULT_TOOL_BUDGET = 400;
/** A lone tool that must be cut is cut to what can be taken in at a glance; `describeTool` has the rest. */
const LONE_CUT_TOKENS = 1_500;
/** Nothing is declared in less. */
const LEAST_TOOL_TOKENS = 15;
/** Shares of the tool's budget that all tools are cut to, together, before any is left out. */
const SMALLER_BUDGETS = [0.75, 0.5, 0.35, 0.25, 0.15, 0.1];

/**
 * The listed tools as TypeScript: a `declare const tools`, with an object for each namespace and aliases for
 * definitions. Descriptions come from outside and are made safe and short.
 *
 * @param options - Tokens are estimated at four characters. Over the budget every tool loses detail by steps, then
 *   the last ones keep only their names.
 */
export function renderDeclarations(tools: readonly DeclaredTool[], options: RenderDeclarationsOptions = {}): string {
  const budget = tokensOption(options.budgetTokens, DEFAULT_BUDGET);
  const declarations = collectDeclarations(tools);
  const { items } = declarations;
  const layout = new DeclarationLayout(declarations);
  const toolBudget = Math.min(budget, tokensOption(options.toolBudgetTokens, DEFAULT_TOOL_BUDGET));
  const chosen =
    items.length === 1
      ? choiceForOne(items, budget, LONE_CUT_TOKENS)
      : choiceForMany(items, layout, budget, toolBudget);
  return layout.text(chosen, budget);
}

/** One tool with as much detail as the budget holds. */
export function renderWhole(tool: DeclaredTool, budgetTokens: number): string {
  const declarations = collectDeclarations([tool]);
  return new DeclarationLayout(declarations).text(choiceForOne(declarations.items, budgetTokens, budgetTokens));
}

function choiceForOne(items: readonly ToolDeclaration[], budget: number, cutTokens: number): Chosen {
  return new Map(
    items.map((item) => {
      if (item.at(0).tokens <= budget) return [item, 0];
      const step = item.stepWithin(Math.min(budget, cutTokens));
      return [item, step < NAME_ONLY ? step : item.stepWithin(budget)];
    }),
  );
}

/** All at the same budget, the largest at which the whole fits; then what is left goes to the first tools. */
function choiceForMany(
  items: readonly ToolDeclaration[],
  layout: DeclarationLayout,
  budget: number,
  toolBudget: number,
): Chosen {
  const smallest = toolBudget * (SMALLER_BUDGETS.at(-1) ?? 1);
  if (items.length * LEAST_TOOL_TOKENS > budget) return asManyAsFit(items, layout, budget, smallest);
  const fits = (chosen: Chosen) => tokensOf(layout.text(chosen)) <= budget;
  const at = (tokens: number): Chosen => new Map(items.map((item) => [item, item.stepWithin(tokens)]));
  let chosen = at(toolBudget);
  if (fits(chosen)) return chosen;
  for (const share of SMALLER_BUDGETS) {
    chosen = at(toolBudget * share);
    if (fits(chosen)) return improved(chosen, layout, budget, toolBudget);
  }
  return asManyAsFit(items, layout, budget, smallest);
}

function improved(chosen: Chosen, layout: DeclarationLayout, budget: number, toolBudget: number): Chosen {
  let left = budget - tokensOf(layout.text(chosen));
  const better = new Map(chosen);
  for (const [item, step] of chosen) {
    for (let candidate = item.stepWithin(toolBudget); candidate < step; candidate += 1) {
      const cost = item.at(candidate).tokens - item.at(step).tokens + 1;
      if (cost > left) continue;
      left -= Math.max(0, cost);
      better.set(item, candidate);
      break;
    }
  }
  return tokensOf(layout.text(better)) <= budget ? better : chosen;
}

/** The first tools as declarations, the others by name: as many as the budget holds. */
function asManyAsFit(
  items: readonly ToolDeclaration[],
  layout: DeclarationLayout,
  budget: number,
  toolBudget: number,
): Chosen {
  const declaredUpTo = (count: number): Chosen =>
    new Map(items.slice(0, count).map((item) => [item, item.stepWithin(toolBudget)]));
  let [low, high] = [0, Math.min(items.length - 1, Math.floor(budget / LEAST_TOOL_TOKENS))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensOf(layout.text(declaredUpTo(middle))) <= budget) low = middle;
    else high = middle - 1;
  }
  return declaredUpTo(low);
}

function tokensOption(value: number | undefined, fallback: number): number {
  return typeof value === "number" && value > 0 ? value : fallback;
}
