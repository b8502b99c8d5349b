// What a tool takes, read from its JSON Schema: for finding tools and for telling a model of them.
import { isSchemaNode, ownValue, type SchemaNode } from "../tools/schema-references.js";

const MAX_NAMES = 200;
const MAX_LEVELS = 6;
const BRANCHES = ["allOf", "anyOf", "oneOf"] as const;

export interface ToolParameter {
  readonly name: string;
  /** In one word: `string`, `integer[]`, `object`, `"open" | "closed"`; `any` when the schema does not say. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** The names of the properties of a schema, those of inner objects too; at most 200. */
export function parameterNames(schema: object): string[] {
  const names: string[] = [];
  collectNames(schema, names, 0);
  return names;
}

function collectNames(node: unknown, names: string[], level: number): void {
  if (!isSchemaNode(node) || level > MAX_LEVELS || names.length >= MAX_NAMES) return;
  const properties = ownValue(node, "properties");
  if (isSchemaNode(properties)) {
    for (const name of Object.keys(properties)) {
      if (names.length >= MAX_NAMES) return;
      names.push(name);
      collectNames(properties[name], names, level + 1);
    }
  }
  collectNames(ownValue(node, "items"), names, level + 1);
  for (const keyword of BRANCHES) {
    const branches = ownValue(node, keyword);
    if (Array.isArray(branches)) for (const branch of branches) collectNames(branch, names, level + 1);
  }
}

/** The properties at the root of a schema, in its order. */
export function parametersOf(schema: object): ToolParameter[] {
  if (!isSchemaNode(schema)) return [];
  const [properties, required] = [ownValue(schema, "properties"), ownValue(schema, "required")];
  if (!isSchemaNode(properties)) return [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.keys(properties).map((name) => ({
    name,
    type: typeText(properties[name]),
    isRequired: needed.has(name),
  }));
}

function typeText(schema: unknown, level = 0): string {
  if (!isSchemaNode(schema) || level > MAX_LEVELS) return "any";
  const choices = ownValue(schema, "enum");
  if (Array.isArray(choices) && choices.length > 0) return choicesText(choices);
  if (Object.hasOwn(schema, "const")) return choicesText([schema.const]);
  const type = ownValue(schema, "type");
  if (type === "array") return `${arrayItemText(schema, level)}[]`;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.join(" | ");
  const branches = ownValue(schema, "anyOf") ?? ownValue(schema, "oneOf");
  if (!Array.isArray(branches)) return "any";
  return [...new Set(branches.map((branch) => typeText(branch, level + 1)))].slice(0, 6).join(" | ");
}

function arrayItemText(schema: SchemaNode, level: number): string {
  const item = typeText(ownValue(schema, "items"), level + 1);
  return item.includes(" ") ? `(${item})` : item;
}

function choicesText(choices: readonly unknown[]): string {
  const texts = choices.slice(0, 6).map((choice) => JSON.stringify(choice) ?? "any");
  return [...texts, ...(choices.length > texts.length ? ["…"] : [])].join(" | ");
}
