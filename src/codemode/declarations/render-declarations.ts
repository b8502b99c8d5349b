// C6: the tools of a script as TypeScript that compiles, accepts what the schemas accept, and stays within a budget.
import { checkTools } from "./check-tools.js";
import { collectDeclarations } from "./collect-declarations.js";
import { type Chosen, DeclarationLayout } from "./declaration-layout.js";
import type { DeclaredTool, RenderDeclarationsOptions } from "./declared-tool.js";
import { tokensOf } from "./safe-words.js";
import { BARE, NAME_ONLY, type ToolDeclaration } from "./tool-text.js";

const DEFAULT_BUDGET = 4_000;
const DEFAULT_TOOL_BUDGET = 400;
/** A lone tool that must be cut is cut to what can be taken in at a glance; `describeTool` has the rest. */
const LONE_CUT_TOKENS = 1_500;
/** Shares of a tool's budget that all tools are cut to, together, before any is left out. */
const SMALLER_SHARES = [0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0];
/** What a tool may take where others are left out. */
const CROWDED_SHARE = 0.25;
/** What stands around aliases. */
const ALIAS_FRAME_TOKENS = 9;
/** Nothing is declared in less. */
const LEAST_TOOL_TOKENS = 12;

/**
 * The listed tools as TypeScript: a `declare const tools`, with an object for each namespace and aliases for
 * definitions. Descriptions come from outside and are made safe and short.
 *
 * @param options - Tokens are estimated at four characters. Over the budget every tool loses detail by steps, then
 *   the last ones keep only their names.
 * @throws NestcallError `INVALID_ARGUMENTS` for what is no list of tools.
 */
export function renderDeclarations(tools: readonly DeclaredTool[], options: RenderDeclarationsOptions = {}): string {
  checkTools(tools, "renderDeclarations()");
  const budget = tokensOption(options.budgetTokens, DEFAULT_BUDGET);
  const toolBudget = Math.min(budget, tokensOption(options.toolBudgetTokens, DEFAULT_TOOL_BUDGET));
  const declarations = collectDeclarations(tools);
  const layout = new DeclarationLayout(declarations, budget);
  const [lone, ...others] = declarations.items;
  if (lone !== undefined && others.length === 0) {
    return layout.text(choiceForOne(lone, layout, budget, Math.min(budget, LONE_CUT_TOKENS)));
  }
  return layout.text(new Choice(declarations.items, layout, budget, toolBudget).make());
}

/** One tool with as much detail as the budget holds. */
export function renderWhole(tool: DeclaredTool, budgetTokens: number): string {
  const declarations = collectDeclarations([tool]);
  const [item] = declarations.items;
  const layout = new DeclarationLayout(declarations, budgetTokens);
  return layout.text(item === undefined ? new Map() : choiceForOne(item, layout, budgetTokens, budgetTokens));
}

/** All of it within the budget, else what is within `cutTokens`, else what is within the budget. */
function choiceForOne(item: ToolDeclaration, layout: DeclarationLayout, budget: number, cutTokens: number): Chosen {
  const { tokens } = item.at(NAME_ONLY);
  const frame = tokensOf(layout.whole(new Map([[item, NAME_ONLY]]))) - tokens + ALIAS_FRAME_TOKENS;
  const step = item.stepWithin(budget - frame);
  const cutStep = step === 0 ? 0 : item.stepWithin(cutTokens - frame);
  return new Map([[item, cutStep < NAME_ONLY ? cutStep : step]]);
}

/** How much is said of each of several tools. */
class Choice {
  readonly #items: readonly ToolDeclaration[];
  readonly #layout: DeclarationLayout;
  readonly #budget: number;
  readonly #toolBudget: number;

  constructor(items: readonly ToolDeclaration[], layout: DeclarationLayout, budget: number, toolBudget: number) {
    this.#items = items;
    this.#layout = layout;
    this.#budget = budget;
    this.#toolBudget = toolBudget;
  }

  /** All at the same budget, the largest at which the whole fits; then what is left goes to the first tools. */
  make(): Chosen {
    if (this.#items.length * LEAST_TOOL_TOKENS > this.#budget) return this.#asManyAsFit();
    const whole = this.#allWithin(this.#toolBudget);
    if (this.#fits(whole)) return whole;
    for (const share of SMALLER_SHARES) {
      const chosen = this.#allWithin(this.#toolBudget * share);
      if (this.#fits(chosen)) return this.#improved(chosen);
    }
    return this.#asManyAsFit();
  }

  #fits(chosen: Chosen): boolean {
    return tokensOf(this.#layout.whole(chosen)) <= this.#budget;
  }

  #allWithin(tokens: number): Chosen {
    return new Map(this.#items.map((item) => [item, this.#stepOf(item, tokens)]));
  }

  /** The required properties stay as long as they alone are within the budget of a tool. */
  #stepOf(item: ToolDeclaration, tokens: number): number {
    const step = item.stepWithin(tokens);
    return step === NAME_ONLY && item.at(BARE).tokens <= this.#toolBudget ? BARE : step;
  }

  #improved(chosen: Chosen): Chosen {
    let left = this.#budget - tokensOf(this.#layout.whole(chosen));
    const better = new Map(chosen);
    for (const [item, step] of chosen) {
      for (let candidate = item.stepWithin(this.#toolBudget); candidate < step; candidate += 1) {
        const cost = item.at(candidate).tokens - item.at(step).tokens + 1;
        if (cost > left) continue;
        left -= Math.max(0, cost);
        better.set(item, candidate);
        break;
      }
    }
    return this.#fits(better) ? better : chosen;
  }

  /** The first tools as declarations, the others by name: as many as the budget holds. */
  #asManyAsFit(): Chosen {
    const declaredUpTo = (count: number): Chosen => {
      const first = this.#items.slice(0, count);
      return new Map(first.map((item) => [item, this.#stepOf(item, this.#toolBudget * CROWDED_SHARE)]));
    };
    let [low, high] = [0, Math.min(this.#items.length - 1, Math.floor(this.#budget / LEAST_TOOL_TOKENS))];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#fits(declaredUpTo(middle))) low = middle;
      else high = middle - 1;
    }
    return declaredUpTo(low);
  }
}

function tokensOption(value: number | undefined, fallback: number): number {
  return typeof value === "number" && value > 0 ? value : fallback;
}
