// Whether a tool's own schema has something to say about a property of its arguments.
import { isSchemaNode, ownValue, resolveReference, type SchemaNode } from "../tools/schema-references.js";

const BRANCHES = ["allOf", "anyOf", "oneOf"] as const;
const PARTS = ["then", "else", "not", "if"] as const;

/**
 * Whether the root of a schema names this property, takes it by a pattern or as a key of a map, counts its properties, or
 * has branches that a new property would not fit into: a host that added it would change what the tool means.
 */
export function takesProperty(schema: object, name: string): boolean {
  return isSchemaNode(schema) && takes(schema, name, { root: schema, seen: new Set(), isRoot: true });
}

interface Search {
  readonly root: SchemaNode;
  readonly seen: Set<SchemaNode>;
  readonly isRoot: boolean;
}

function takes(node: unknown, name: string, search: Search): boolean {
  if (!isSchemaNode(node) || search.seen.has(node)) return false;
  search.seen.add(node);
  if (isNamed(node, name) || isMap(node) || isCounted(node)) return true;
  if (!search.isRoot && isClosed(node)) return true;
  const inner = { ...search, isRoot: false };
  return partsOf(node, search.root).some((part) => takes(part, name, inner));
}

function isNamed(node: SchemaNode, name: string): boolean {
  const properties = ownValue(node, "properties");
  if (isSchemaNode(properties) && Object.hasOwn(properties, name)) return true;
  const required = ownValue(node, "required");
  if (Array.isArray(required) && required.includes(name)) return true;
  const patterns = ownValue(node, "patternProperties");
  return isSchemaNode(patterns) && Object.keys(patterns).some((pattern) => matches(pattern, name));
}

/** Its keys are data: any name may be one of them. */
function isMap(node: SchemaNode): boolean {
  if (ownValue(node, "propertyNames") !== undefined) return true;
  return [ownValue(node, "additionalProperties"), ownValue(node, "unevaluatedProperties")].some(isSchemaNode);
}

/** It says how many keys there are, or what the whole is: one property more is another value. */
function isCounted(node: SchemaNode): boolean {
  return ["maxProperties", "minProperties", "const", "enum"].some((keyword) => ownValue(node, keyword) !== undefined);
}

/** It refuses what it does not name, which is no use beside a root that names one property more. */
function isClosed(node: SchemaNode): boolean {
  const keywords = ["additionalProperties", "unevaluatedProperties"];
  return keywords.some((keyword) => ownValue(node, keyword) === false);
}

function partsOf(node: SchemaNode, root: SchemaNode): readonly unknown[] {
  const branches = BRANCHES.flatMap((keyword) => {
    const list = ownValue(node, keyword);
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  const reference = ownValue(node, "$ref");
  const target = typeof reference === "string" ? [resolveReference(root, reference)] : [];
  return [...branches, ...PARTS.map((keyword) => ownValue(node, keyword)), ...target];
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return true; // what it takes cannot be told
  }
}
