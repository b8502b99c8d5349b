// The whole text: aliases, an object for each namespace under its heading, and `tools`, which has them all.
import type { DeclarationGroup, Declarations } from "./collect-declarations.js";
import type { DeclaredName } from "./declared-names.js";
import { DETAIL_STEPS, FULL_DETAIL } from "./detail.js";
import { quoted, safeLine, safeLines, tokensOf } from "./safe-words.js";
import { ALIAS_NAMESPACE, definitionText, type ToolDeclaration } from "./tool-text.js";

/** The step of detail of each tool that is declared; the others are only named. */
export type Chosen = ReadonlyMap<ToolDeclaration, number>;
/** The types, one for each group, that name what is not declared. */
type Rests = ReadonlyMap<DeclarationGroup, string>;

const NAMESPACE_CHARS = 500;
const ANY_TOOL = "(args?: object) => Promise<unknown>";

export class DeclarationLayout {
  readonly #declarations: Declarations;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  /** @param budget - Tokens; names of undeclared tools that do not fit are only counted. */
  text(chosen: Chosen, budget = Number.POSITIVE_INFINITY): string {
    const rests = this.#rests(chosen);
    const text = this.#build(chosen, rests);
    if (rests.size === 0 || tokensOf(text) <= budget) return text;
    let left = budget - tokensOf(this.#build(chosen, new Map()));
    const fitting = [...rests].filter(([, rest]) => {
      const tokens = tokensOf(rest) + 1;
      if (tokens > left) return false;
      left -= tokens;
      return true;
    });
    return this.#build(chosen, new Map(fitting));
  }

  #build(chosen: Chosen, rests: Rests): string {
    const { groups } = this.#declarations;
    const own = groups.filter(({ global }) => global !== undefined);
    const inside = groups.filter(({ global }) => global === undefined);
    const parts = [
      ...this.#aliases(chosen),
      ...own.map((group) => objectText(group, chosen, rests.get(group))),
      toolsText(own, inside, chosen, rests),
      ...this.#remarks(chosen, rests),
    ];
    return `${parts.join("\n\n")}\n`;
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

  /** One line for each group that has tools which are not declared. */
  #rests(chosen: Chosen): Rests {
    const rests = new Map<DeclarationGroup, string>();
    for (const group of this.#declarations.groups) {
      const names = group.items.filter((item) => !chosen.has(item)).map((item) => quoted(item.property));
      if (names.length > 0) rests.set(group, `Record<${names.join(" | ")}, ${ANY_TOOL}>`);
    }
    return rests;
  }

  #remarks(chosen: Chosen, rests: Rests): string[] {
    const { groups, unlisted } = this.#declarations;
    const hasText = [...chosen.keys()].some(({ tool }) => tool.outputSchema === undefined);
    const unnamed = groups.filter((group) => !rests.has(group)).flatMap(({ items }) => items);
    const more = unlisted + unnamed.filter((item) => !chosen.has(item)).length;
    const lines = [
      ...(hasText ? ["// Promise<unknown> is the tool's text, or its content blocks."] : []),
      ...(more > 0 ? [`// ${more} more tools can be called: searchTools(query) finds them.`] : []),
    ];
    return lines.length === 0 ? [] : [lines.join("\n")];
  }
}

function objectText(group: DeclarationGroup, chosen: Chosen, rest: string | undefined): string {
  const members = membersText(group, chosen);
  const types = [...(members === "" ? [] : [`{\n${members}\n}`]), ...(rest === undefined ? [] : [rest])];
  const heading = headingLines(group).join("\n * ");
  return `${heading === "" ? "" : `/** ${heading} */\n`}declare const ${group.global}: ${types.join(" & ") || "{}"};`;
}

/** Namespaces without an object of their own stand in `tools` under a comment. */
function toolsText(
  own: readonly DeclarationGroup[],
  inside: readonly DeclarationGroup[],
  chosen: Chosen,
  rests: Rests,
): string {
  const sections = inside.flatMap((group) => {
    const members = membersText(group, chosen);
    const heading = headingLines(group).join(" ");
    return members === "" ? [] : [`${heading === "" ? "" : `  // ${heading}\n`}${members}`];
  });
  const types = [
    ...own.map(({ global }) => `typeof ${global}`),
    ...(sections.length === 0 ? [] : [`{\n${sections.join("\n")}\n}`]),
    ...inside.flatMap((group) => rests.get(group) ?? []),
  ];
  return `declare const tools: ${types.join(" & ") || "{}"};`;
}

function membersText(group: DeclarationGroup, chosen: Chosen): string {
  const texts = group.items.flatMap((item) => {
    const step = chosen.get(item);
    return step === undefined ? [] : [item.at(step).member];
  });
  return texts.join("\n");
}

/** The namespace's name, unless the variable shows it, and what it is for. */
function headingLines({ namespace, global }: DeclarationGroup): string[] {
  if (namespace === undefined) return [];
  const [first = "", ...more] = safeLines(namespace.description, NAMESPACE_CHARS).filter((line) => line !== "");
  if (namespace.name === global) return first === "" ? [] : [first, ...more];
  const name = safeLine(namespace.name, 80);
  return [first === "" ? name : `${name}: ${first}`, ...more];
}
