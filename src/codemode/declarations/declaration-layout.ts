// The whole text: aliases, an object for each namespace under its heading, and `tools`, which has them all.
import type { DeclarationGroup, Declarations } from "./collect-declarations.js";
import type { DeclaredName } from "./declared-names.js";
import { DETAIL_STEPS, FULL_DETAIL } from "./detail.js";
import { quoted, safeLine, safeLines, tokensOf } from "./safe-words.js";
import { ALIAS_NAMESPACE, definitionText, type ToolDeclaration } from "./tool-text.js";

/** The step of detail of each tool that is declared; the others are only named. */
export type Chosen = ReadonlyMap<ToolDeclaration, number>;
/** Tools that are named without being declared. */
type Named = ReadonlySet<ToolDeclaration>;

/** Characters of each namespace's description; less where there are so many that headings fill the budget. */
const HEADING_CHARS = [500, 80, 0];
const HEADINGS_SHARE = 0.3;
const ANY_TOOL = "(args?: object) => Promise<unknown>";

export class DeclarationLayout {
  readonly #declarations: Declarations;
  readonly #budget: number;
  readonly #headingChars: number;

  constructor(declarations: Declarations, budget: number) {
    this.#declarations = declarations;
    this.#budget = budget;
    const fits = (chars: number) => {
      const headings = declarations.groups.flatMap((group) => headingLines(group, chars)).join("\n");
      return tokensOf(headings) <= budget * HEADINGS_SHARE;
    };
    this.#headingChars = HEADING_CHARS.find(fits) ?? 0;
  }

  /** The text in which every tool that is not declared is named. */
  whole(chosen: Chosen): string {
    return this.#build(chosen, this.#undeclared(chosen));
  }

  /** The same, less the last names when they are too many for the budget. */
  text(chosen: Chosen): string {
    const all = [...this.#undeclared(chosen)];
    const whole = this.#build(chosen, new Set(all));
    if (tokensOf(whole) <= this.#budget || all.length === 0) return whole;
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (tokensOf(this.#build(chosen, new Set(all.slice(0, middle)))) <= this.#budget) low = middle;
      else high = middle - 1;
    }
    return this.#build(chosen, new Set(all.slice(0, low)));
  }

  #undeclared(chosen: Chosen): Named {
    return new Set(this.#declarations.items.filter((item) => !chosen.has(item)));
  }

  #build(chosen: Chosen, named: Named): string {
    const { groups, items, saysText } = this.#declarations;
    const shown = groups.filter((group) => group.items.some((item) => chosen.has(item) || named.has(item)));
    const own = shown.filter(({ global }) => global !== undefined);
    const inside = shown.filter(({ global }) => global === undefined);
    const hasText = !saysText && [...chosen.keys()].some(({ tool }) => tool.outputSchema === undefined);
    const more = items.length - chosen.size - named.size;
    const remarks = [
      ...(hasText ? ["// Promise<unknown> is the tool's text, or its content blocks."] : []),
      ...(more > 0 ? [`// ${more} more tools can be called: searchTools(query) finds them.`] : []),
    ];
    const parts = [
      ...this.#aliases(chosen),
      ...own.map((group) => this.#objectText(group, chosen, named)),
      this.#toolsText(own, inside, chosen, named),
      ...(remarks.length === 0 ? [] : [remarks.join("\n")]),
    ];
    return `${parts.join("\n\n")}\n`;
  }

  #objectText(group: DeclarationGroup, chosen: Chosen, named: Named): string {
    const members = membersText(group, chosen);
    const types = [...(members === "" ? [] : [`{\n${members}\n}`]), ...namesType(group, named)];
    const heading = headingLines(group, this.#headingChars).join("\n * ");
    return `${heading === "" ? "" : `/** ${heading} */\n`}declare const ${group.global}: ${types.join(" & ")};`;
  }

  /** Namespaces without an object of their own stand in `tools` under a comment. */
  #toolsText(
    own: readonly DeclarationGroup[],
    inside: readonly DeclarationGroup[],
    chosen: Chosen,
    named: Named,
  ): string {
    const sections = inside.flatMap((group) => {
      const members = membersText(group, chosen);
      const heading = headingLines(group, this.#headingChars).join(" ");
      return members === "" ? [] : [`${heading === "" ? "" : `  // ${heading}\n`}${members}`];
    });
    const types = [
      ...own.map(({ global }) => `typeof ${global}`),
      ...(sections.length === 0 ? [] : [`{\n${sections.join("\n")}\n}`]),
      ...inside.flatMap((group) => namesType(group, named)),
    ];
    return `declare const tools: ${types.join(" & ") || "{}"};`;
  }

  #aliases(chosen: Chosen): string[] {
    const steps = new Map<DeclaredName, number>();
    for (const [item, step] of chosen) {
      for (const name of item.at(step).names) steps.set(name, Math.min(step, steps.get(name) ?? step));
    }
    if (steps.size === 0) return [];
    const { names } = this.#declarations;
    const texts = [...steps].map(([name, step]) => definitionText(name, DETAIL_STEPS[step] ?? FULL_DETAIL, names));
    return [`declare namespace ${ALIAS_NAMESPACE} {\n${texts.join("\n")}\n}`];
  }
}

function membersText(group: DeclarationGroup, chosen: Chosen): string {
  const texts = group.items.flatMap((item) => {
    const step = chosen.get(item);
    return step === undefined ? [] : [item.at(step).member];
  });
  return texts.join("\n");
}

/** One line with the names of the group's tools that are not declared. */
function namesType({ items }: DeclarationGroup, named: Named): string[] {
  const names = items.filter((item) => named.has(item)).map(({ property }) => quoted(property));
  return names.length === 0 ? [] : [`Record<${names.join(" | ")}, ${ANY_TOOL}>`];
}

/** The namespace's name, unless the variable shows it, and what it is for. */
function headingLines({ namespace, global }: DeclarationGroup, chars: number): string[] {
  if (namespace === undefined) return [];
  const lines = chars === 0 ? [] : safeLines(namespace.description, chars).filter((line) => line !== "");
  const [first = "", ...more] = lines;
  if (namespace.name === global) return lines;
  const name = safeLine(namespace.name, 80);
  return [first === "" ? name : `${name}: ${first}`, ...more];
}
