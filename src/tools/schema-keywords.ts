// What is asked of each keyword of a schema, and what the schemas below it are to the one that has it.
import { describeValue, thrownText } from "../errors/text.js";
import { quotedText } from "./place-text.js";
import { isSchemaNode, resolveReference, type SchemaNode } from "./schema-references.js";

/** How the rules apply at one place of the walk. */
export interface Mode {
  readonly hasStyle: boolean;
  /** The object is one part of a larger one, which says itself whether it is closed. */
  readonly isPart: boolean;
}
export const WHOLE: Mode = { hasStyle: true, isPart: false };
const PART: Mode = { hasStyle: true, isPart: true };
export const LENIENT_WHOLE: Mode = { hasStyle: false, isPart: false };
const LENIENT_PART: Mode = { hasStyle: false, isPart: true };

export type Shape = "schema" | "items" | "map" | "list";
/** What the schemas below a keyword are to the one that has it. */
type Role = "branch" | "condition" | "question";

interface Keyword {
  /** What is wrong with the keyword's own value. */
  readonly broken?: (value: unknown, schema: SchemaNode, mode: Mode, root: SchemaNode) => string | undefined;
  /** How schemas lie in the value; absent when there are none. */
  readonly shape?: Shape;
  /** Absent: they describe a value of their own. */
  readonly role?: Role;
}

// JSON's seven, and those of TypeBox that no JSON value has. TypeBox lets any other name accept everything.
const TYPE_NAMES: ReadonlySet<unknown> = new Set(
  ["object", "array", "string", "number", "integer", "boolean", "null"].concat([
    "undefined",
    "void",
    "bigint",
    "symbol",
    "function",
    "constructor",
    "promise",
    "iterator",
    "asyncIterator",
  ]),
);

export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", { broken: brokenType }],
  ["enum", { broken: brokenEnum }],
  ["pattern", { broken: brokenPattern }],
  ["required", { broken: brokenRequired }],
  ["$ref", { broken: brokenReference }],
  ["properties", { broken: brokenProperties, shape: "map" }],
  ["patternProperties", { broken: brokenPatterns, shape: "map" }],
  ["$defs", { shape: "map" }],
  ["definitions", { shape: "map" }],
  ["items", { shape: "items" }],
  ["prefixItems", { shape: "list" }],
  ["additionalProperties", { shape: "schema" }],
  ["unevaluatedProperties", { shape: "schema" }],
  ["additionalItems", { shape: "schema" }],
  ["unevaluatedItems", { shape: "schema" }],
  ["anyOf", { broken: brokenUnion, shape: "list", role: "branch" }],
  ["oneOf", { broken: brokenUnion, shape: "list", role: "branch" }],
  ["allOf", { shape: "list", role: "branch" }],
  ["then", { shape: "schema", role: "condition" }],
  ["else", { shape: "schema", role: "condition" }],
  ["dependentSchemas", { shape: "map", role: "condition" }],
  // They only ask; a style rule there would change what they mean.
  ["not", { shape: "schema", role: "question" }],
  ["if", { shape: "schema", role: "question" }],
  ["contains", { shape: "schema", role: "question" }],
  ["propertyNames", { shape: "schema", role: "question" }],
]);

/** How the rules apply to the schemas below a keyword of `schema`. */
export function modeBelow(schema: SchemaNode, role: Role | undefined, mode: Mode): Mode {
  switch (role) {
    case "question":
      return LENIENT_WHOLE;
    case "condition":
      return mode.hasStyle ? PART : LENIENT_PART;
    case "branch":
      if (mode.isPart || schema.unevaluatedProperties === false) return mode.hasStyle ? PART : LENIENT_PART;
      return mode.hasStyle ? WHOLE : LENIENT_WHOLE;
    default:
      return mode.hasStyle ? WHOLE : LENIENT_WHOLE;
  }
}

function brokenReference(_value: unknown, schema: SchemaNode, _mode: Mode, root: SchemaNode): string | undefined {
  const seen = new Set<unknown>([schema]);
  let current: unknown = schema;
  while (isSchemaNode(current) && current.$ref !== undefined) {
    if (typeof current.$ref !== "string") return `has a $ref that is ${describeValue(current.$ref)}, not a text`;
    const reference = current.$ref;
    current = resolveReference(root, reference);
    if (current === undefined) return `has the $ref ${quotedText(reference, 80)}, which leads nowhere in this schema`;
    if (seen.has(current)) return `has the $ref ${quotedText(reference, 80)}, which leads back to itself`;
    seen.add(current);
  }
  return undefined;
}

function brokenProperties(properties: unknown, schema: SchemaNode, mode: Mode): string | undefined {
  if (!isSchemaNode(properties)) return undefined; // its shape is asked next
  for (const name in properties) {
    const broken = brokenName(name);
    if (broken !== undefined && Object.hasOwn(properties, name)) return broken;
  }
  return mode.hasStyle ? brokenOpenness(schema, mode) : undefined;
}

function brokenType(type: unknown): string | undefined {
  if (TYPE_NAMES.has(type)) return undefined;
  const bad = Array.isArray(type) ? type.find((name) => !TYPE_NAMES.has(name)) : type;
  return bad === undefined ? undefined : `has an unknown type: ${describeValue(bad)}`;
}

function brokenPattern(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") {
    return `has a pattern that is ${describeValue(pattern)}; JSON Schema wants its text (expression.source)`;
  }
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    return `has the pattern ${quotedText(pattern, 80)}, which is no Unicode regular expression: ${thrownText(error)}`;
  }
}

function brokenPatterns(schemas: unknown): string | undefined {
  for (const pattern of isSchemaNode(schemas) ? Object.keys(schemas) : []) {
    const broken = brokenPattern(pattern);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenRequired(required: unknown): string | undefined {
  if (!Array.isArray(required) || !required.every((name) => typeof name === "string")) {
    return `has a required that is ${describeValue(required)}, not a list of names`;
  }
  for (const name of required) {
    const broken = brokenName(name);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenName(name: string): string | undefined {
  // TypeBox asks `key in value`, which holds for these in every object.
  if (!(name in Object.prototype) || name === "constructor" || name === "__proto__") return undefined;
  return `has the property ${quotedText(name, 40)}, which every object has by inheritance`;
}

function brokenEnum(choices: unknown): string | undefined {
  if (Array.isArray(choices) && choices.length > 0) return undefined;
  return `has an enum that is ${describeValue(choices)}, not a list of choices`;
}

function brokenOpenness(schema: SchemaNode, mode: Mode): string | undefined {
  const { properties, additionalProperties, unevaluatedProperties } = schema;
  const isOpen = additionalProperties === undefined || additionalProperties === true;
  if (!isOpen || unevaluatedProperties === false || mode.isPart) return undefined;
  if (!isSchemaNode(properties) || Object.keys(properties).length === 0) return undefined;
  return (
    "declares properties but takes any other key too; say additionalProperties: false " +
    "(on an intersection: unevaluatedProperties: false), or strict: false on the tool"
  );
}

function brokenUnion(branches: unknown, _schema: SchemaNode, mode: Mode): string | undefined {
  if (!mode.hasStyle || !Array.isArray(branches) || branches.length < 2) return undefined;
  const isLiteral = (branch: unknown) => isSchemaNode(branch) && Object.hasOwn(branch, "const");
  if (!branches.every(isLiteral)) return undefined;
  const shown = branches.slice(0, 8).map((branch: SchemaNode) => literalText(branch.const));
  const more = branches.length > shown.length ? ", …" : "";
  return `is a union of literals; say Type.Enum([${shown.join(", ")}${more}]), or strict: false on the tool`;
}

function literalText(value: unknown): string {
  return typeof value === "string" ? quotedText(value, 40) : describeValue(value);
}
