// The aliases of one text: every definition has a name, and definitions that read the same have the same one.
import { FULL_DETAIL } from "./detail.js";
import { noteText, printType } from "./print-type.js";
import type { Definition, TypeNode } from "./type-node.js";

/** A definition as the text has it: the first of those that read the same stands for all. */
export interface DeclaredName {
  readonly name: string;
  readonly definition: Definition;
}

/** Gives each definition of a schema its name in the text. Identical definitions of several tools share one. */
export class DeclaredNames {
  readonly #byText = new Map<string, DeclaredName>();
  readonly #byDefinition = new Map<Definition, DeclaredName>();
  readonly #used = new Set<string>();

  /** @param owner - `PascalCase` name of the tool; it distinguishes two definitions of one name. */
  add(definitions: readonly Definition[], owner: string): void {
    const texts = new Map(definitions.map((definition) => [definition, localText(definition)] as const));
    for (const definition of definitions) {
      const identity = [...reachable(definition)].map((each) => texts.get(each) ?? localText(each)).join("\0");
      let declared = this.#byText.get(identity);
      if (declared === undefined) {
        declared = { name: this.#freeName(definition.localName, owner), definition };
        this.#byText.set(identity, declared);
      }
      this.#byDefinition.set(definition, declared);
    }
  }

  of(definition: Definition): DeclaredName {
    const declared = this.#byDefinition.get(definition);
    if (declared === undefined) throw new Error(`The definition ${definition.localName} was never added.`);
    return declared;
  }

  #freeName(wanted: string, owner: string): string {
    let name = this.#used.has(wanted) ? `${owner}${wanted}` : wanted;
    for (let count = 2; this.#used.has(name); count += 1) name = `${owner}${wanted}${count}`;
    this.#used.add(name);
    return name;
  }
}

/** All that the definition says, with the names that are unique within its schema. */
function localText(definition: Definition): string {
  const text = printType(definition.node, { detail: FULL_DETAIL, nameOf: ({ localName }) => localName }, "");
  return `${definition.localName}=${text}//${noteText(definition.note, FULL_DETAIL)}`;
}

/** The definition and those that it needs, in the order of their first use. */
function reachable(definition: Definition): Set<Definition> {
  const found = new Set<Definition>([definition]);
  for (const each of found) for (const next of referencesIn(each.node)) found.add(next); // grows while it is read
  return found;
}

function referencesIn(node: TypeNode): Definition[] {
  switch (node.kind) {
    case "word":
      return [];
    case "reference":
      return [node.definition];
    case "array":
      return referencesIn(node.item);
    case "tuple":
      return [...node.items, ...(node.rest === undefined ? [] : [node.rest])].flatMap(referencesIn);
    case "object": {
      const types = [...node.properties.map(({ type }) => type), ...node.indexes.map(([, value]) => value)];
      return types.flatMap(referencesIn);
    }
    default:
      return node.parts.flatMap(referencesIn);
  }
}
