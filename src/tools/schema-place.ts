// The part of a schema that a failed rule belongs to. TypeBox names it by a path in which every `$ref` is written out.
import { isSchemaNode, ownValue, pointerSteps, resolveReference, type SchemaNode } from "./schema-references.js";

export interface SchemaPlace {
  /** The schema with the rule; undefined when the path cannot be followed. */
  readonly schema: SchemaNode | undefined;
  /** The object schema that lists the failing value as one of its `properties`; undefined for items and others. */
  readonly owner: SchemaNode | undefined;
  /** The rule is about the name of a key, not about the value under it. */
  readonly isName: boolean;
}

const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas", "dependencies"]);
const BRANCHES: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);
const IN_PLACE: ReadonlySet<string> = new Set(["dependentSchemas", "dependencies", "if", "then", "else", "not"]);

/** Follows `schemaPath` (`#`, `#/properties/n`) from the root of a schema, at its end to the schema with `keyword`. */
export function schemaPlace(root: object, schemaPath: string, keywordAtEnd?: string): SchemaPlace {
  const steps = schemaPath === "#" ? [] : pointerSteps(schemaPath.slice(1));
  let schema: unknown = root;
  let owner: SchemaNode | undefined;
  let isName = false;
  for (let index = 0; index < steps.length; index += 1) {
    const keyword = steps[index] ?? "";
    const holder = holderOf(root as SchemaNode, schema, keyword);
    if (holder === undefined) return { schema: undefined, owner: undefined, isName };
    let below = ownValue(holder, keyword);
    if (MAPS.has(keyword) || Array.isArray(below)) {
      index += 1;
      below = childOf(below, steps[index] ?? "");
    }
    if (keyword === "properties") owner = holder;
    else if (!BRANCHES.has(keyword) && !IN_PLACE.has(keyword)) owner = undefined;
    isName ||= keyword === "propertyNames";
    schema = below;
  }
  if (keywordAtEnd !== undefined) schema = holderOf(root as SchemaNode, schema, keywordAtEnd);
  return { schema: isSchemaNode(schema) ? schema : undefined, owner, isName };
}

/** The schema itself, or the one its `$ref` leads to, whichever has the keyword. */
function holderOf(root: SchemaNode, schema: unknown, keyword: string): SchemaNode | undefined {
  let current: unknown = schema;
  for (let hop = 0; hop < 32 && isSchemaNode(current); hop += 1) {
    if (Object.hasOwn(current, keyword)) return current;
    if (typeof current.$ref !== "string") return undefined;
    current = resolveReference(root, current.$ref);
  }
  return undefined;
}

function childOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value[Number(step)] as unknown;
  return isSchemaNode(value) ? ownValue(value, step) : undefined;
}

/** The keys that an object schema names, its intersections, conditions and references included. */
export function knownKeysOf(root: object, schema: unknown, level = 0): readonly string[] {
  if (!isSchemaNode(schema) || level > 16) return [];
  const keys = new Set(isSchemaNode(schema.properties) ? Object.keys(schema.properties) : []);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [],
  );
  parts.push(schema.if, schema.then, schema.else);
  if (typeof schema.$ref === "string") parts.push(resolveReference(root as SchemaNode, schema.$ref));
  for (const part of parts as readonly unknown[]) for (const key of knownKeysOf(root, part, level + 1)) keys.add(key);
  return [...keys];
}

/** The schemas that the value at `path` is held to, as far as can be told without the value: every branch is one. */
export function schemasOfValue(root: object, path: readonly (string | number)[]): readonly SchemaNode[] {
  let schemas = withBranches(root as SchemaNode, [root]);
  for (const step of path) {
    schemas = withBranches(
      root as SchemaNode,
      schemas.map((schema) => schemaBelow(schema, step)),
    );
  }
  return schemas;
}

function withBranches(root: SchemaNode, parts: readonly unknown[]): SchemaNode[] {
  const found = new Set(parts);
  // The set grows while it is read, so branches of branches are found, each once.
  for (const part of found) {
    if (!isSchemaNode(part)) continue;
    for (const branch of [part.allOf, part.anyOf, part.oneOf, part.then, part.else].flat()) found.add(branch);
    if (typeof part.$ref === "string") found.add(resolveReference(root, part.$ref));
  }
  return [...found].filter(isSchemaNode);
}

function schemaBelow(schema: SchemaNode, step: string | number): unknown {
  if (typeof step === "string") {
    const named = isSchemaNode(schema.properties) ? ownValue(schema.properties, step) : undefined;
    return named ?? schema.additionalProperties;
  }
  const first: unknown = [schema.prefixItems ?? []].flat()[step];
  return first ?? (Array.isArray(schema.items) ? (schema.items as readonly unknown[])[step] : schema.items);
}
