// What a tool takes, read from its JSON Schema: for finding tools and for telling a model of them.
import { isSchemaNode, ownValue, resolveReference, type SchemaNode } from "../tools/schema-references.js";

const MAX_NAMES = 200;
const MAX_LEVELS = 6;
const MAX_CHOICES = 6;
const MAX_LOOKS = 1_500;

export interface ToolParameter {
  readonly name: string;
  /** In short: `string`, `integer[]`, `object`, `"open" | "closed"`; `any` when the schema does not say. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** A schema may refer to itself, from many places: how often one is looked into is counted. */
class SchemaReader {
  readonly #root: SchemaNode;
  #looksLeft = MAX_LOOKS;

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  /** Adds the names of properties, those of inner objects too. */
  collectNames(node: unknown, names: Set<string>, level = 0): void {
    if (!this.#mayLookInto(node, level) || names.size >= MAX_NAMES) return;
    const properties = ownValue(node, "properties");
    for (const name of isSchemaNode(properties) ? Object.keys(properties) : []) {
      if (names.size >= MAX_NAMES) return;
      names.add(name);
      this.collectNames((properties as SchemaNode)[name], names, level + 1);
    }
    this.collectNames(ownValue(node, "items"), names, level + 1);
    for (const part of this.#partsOf(node, ["allOf", "anyOf", "oneOf"])) this.collectNames(part, names, level + 1);
  }

  /** Adds the properties of what the schema describes, the parts of an intersection together. */
  collectParameters(node: unknown, found: Map<string, ToolParameter>, level = 0): void {
    if (!this.#mayLookInto(node, level)) return;
    const [properties, required] = [ownValue(node, "properties"), ownValue(node, "required")];
    const needed = new Set<unknown>(Array.isArray(required) ? required : []);
    for (const name of isSchemaNode(properties) ? Object.keys(properties) : []) {
      const known = found.get(name);
      const type = known?.type ?? this.#typeText((properties as SchemaNode)[name], level + 1);
      found.set(name, { name, type, isRequired: needed.has(name) || known?.isRequired === true });
    }
    for (const part of this.#partsOf(node, ["allOf"])) this.collectParameters(part, found, level + 1);
  }

  #mayLookInto(node: unknown, level: number): node is SchemaNode {
    if (!isSchemaNode(node) || level > MAX_LEVELS || this.#looksLeft <= 0) return false;
    this.#looksLeft -= 1;
    return true;
  }

  /** The schemas that a schema is put together from, and the one that it refers to. */
  #partsOf(node: SchemaNode, keywords: readonly string[]): readonly unknown[] {
    const lists = keywords.map((keyword) => ownValue(node, keyword)).filter((list) => Array.isArray(list));
    return [...this.#targetOf(node), ...lists.flat()];
  }

  #targetOf(node: SchemaNode): readonly unknown[] {
    const reference = ownValue(node, "$ref");
    return typeof reference === "string" ? [resolveReference(this.#root, reference)] : [];
  }

  #typeText(schema: unknown, level: number): string {
    if (!this.#mayLookInto(schema, level)) return "any";
    const [target] = this.#targetOf(schema);
    if (target !== undefined) return this.#typeText(target, level + 1);
    const choices = ownValue(schema, "enum");
    if (Array.isArray(choices) && choices.length > 0) return choicesText(choices);
    if (Object.hasOwn(schema, "const")) return choicesText([schema.const]);
    const type = ownValue(schema, "type");
    if (type === "array") return `${inBrackets(this.#typeText(ownValue(schema, "items"), level + 1))}[]`;
    if (typeof type === "string") return type;
    if (Array.isArray(type)) return type.join(" | ");
    const branches = ownValue(schema, "anyOf") ?? ownValue(schema, "oneOf");
    if (!Array.isArray(branches)) return "any";
    const types = new Set(branches.slice(0, MAX_CHOICES).map((branch) => this.#typeText(branch, level + 1)));
    return [...types, ...(branches.length > MAX_CHOICES ? ["…"] : [])].join(" | ");
  }
}

/** The names of the properties of a schema, those of inner objects too, each once; at most 200. */
export function parameterNames(schema: object): string[] {
  const names = new Set<string>();
  if (isSchemaNode(schema)) new SchemaReader(schema).collectNames(schema, names);
  return [...names];
}

/** The properties of what a schema describes at its root, in its order. */
export function parametersOf(schema: object): ToolParameter[] {
  const found = new Map<string, ToolParameter>();
  if (isSchemaNode(schema)) new SchemaReader(schema).collectParameters(schema, found);
  return [...found.values()];
}

function inBrackets(text: string): string {
  return text.includes(" ") ? `(${text})` : text;
}

function choicesText(choices: readonly unknown[]): string {
  const texts = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice) ?? "any");
  return [...texts, ...(choices.length > texts.length ? ["…"] : [])].join(" | ");
}
