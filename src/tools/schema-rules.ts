// What defineTool wants of a TypeBox or JSON schema (DESIGN 4.1): the two style rules, and what would make the
// check accept everything or nothing without a word.
import { describeValue, thrownText } from "../errors/text.js";
import { type PlacePath, placeText, quotedText } from "./place-text.js";
import { isSchemaNode, resolveReference, type SchemaNode } from "./schema-references.js";

export interface SchemaRuleOptions {
  /** What the schema is called in the message: `inputSchema`. */
  readonly place: string;
  /** Whether the style rules apply: open objects and unions of literals. */
  readonly isStrict: boolean;
}

/** How the rules apply at one place of the walk. */
interface Mode {
  readonly hasStyle: boolean;
  /** The object is one part of a larger one, which says itself whether it is closed. */
  readonly isPart: boolean;
}

type Shape = "schema" | "items" | "map" | "list";

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"] as const).map(
    (keyword) => [keyword, "map"] as const,
  ),
  ...(["anyOf", "oneOf", "allOf", "prefixItems"] as const).map((keyword) => [keyword, "list"] as const),
  ...(["additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems"] as const).map(
    (keyword) => [keyword, "schema"] as const,
  ),
  ...(["unevaluatedItems", "contains", "not", "if", "then", "else"] as const).map(
    (keyword) => [keyword, "schema"] as const,
  ),
  ["items", "items"],
]);
/** They only ask; a style rule there would change what they mean. */
const QUESTIONS: ReadonlySet<string> = new Set(["not", "if", "contains", "propertyNames"]);
const BRANCHES: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);
const CONDITIONAL: ReadonlySet<string> = new Set(["then", "else", "dependentSchemas"]);
const MAX_LEVELS = 256;
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

/** The first broken rule as a sentence without its full stop, place first; undefined when all are kept. */
export function brokenSchemaRule(root: object, options: SchemaRuleOptions): string | undefined {
  const broken = brokenSchemaRoot(options.place, root);
  if (broken !== undefined || !isSchemaNode(root)) return broken;
  return new SchemaWalk(root, options).run();
}

/** The rule of the root alone: arguments and structured content are objects. */
export function brokenSchemaRoot(place: string, root: object): string | undefined {
  if (!isSchemaNode(root)) return `${place} must be an object schema; it is ${describeValue(root)}`;
  if (isObjectSchema(root, root)) return undefined;
  return `${place} must be an object schema with type: "object" at its root; it is ${rootText(root)}`;
}

function rootText(root: SchemaNode): string {
  if (typeof root.type === "string") return `a schema of type ${quotedText(root.type, 40)}`;
  const keys = Object.keys(root).filter((key) => SHAPES.has(key) || key === "$ref");
  return keys.length === 0 ? "a schema without a type" : `a schema of ${keys.slice(0, 3).join(", ")} without a type`;
}

function isObjectSchema(schema: unknown, root: SchemaNode, level = 0): boolean {
  if (!isSchemaNode(schema) || level > 16) return false;
  if (schema.type === "object") return true;
  if (level > 0 && typeof schema.$ref === "string") {
    return isObjectSchema(resolveReference(root, schema.$ref), root, level + 1);
  }
  const { allOf } = schema;
  const isIntersection = schema.type === undefined && Array.isArray(allOf) && allOf.length > 0;
  return isIntersection && allOf.every((branch) => isObjectSchema(branch, root, level + 1));
}

// It looks at each key that is there once, instead of asking for each keyword: hundreds of tools are defined at start.
class SchemaWalk {
  readonly #root: SchemaNode;
  readonly #options: SchemaRuleOptions;
  readonly #path: (string | number)[] = [];
  #level = 0;
  #visits = 0;
  readonly #done = new Set<SchemaNode>();

  constructor(root: SchemaNode, options: SchemaRuleOptions) {
    this.#root = root;
    this.#options = options;
  }

  run(): string | undefined {
    return this.#visit(this.#root, { hasStyle: this.#options.isStrict, isPart: false });
  }

  #visit(schema: unknown, mode: Mode): string | undefined {
    if (typeof schema === "boolean") return undefined;
    if (!isSchemaNode(schema)) return this.#at(`must be a schema; it is ${describeValue(schema)}${hintOf(schema)}`);
    if (this.#level >= MAX_LEVELS) return this.#at(`is nested more than ${MAX_LEVELS} levels deep, or contains itself`);
    if (this.#done.has(schema)) return undefined;
    this.#level += 1;
    this.#visits += 1;
    const found = this.#visitKeywords(schema, mode);
    this.#level -= 1;
    // Parts used again inside each other could make the walk endless; a small schema has no need of the set. Only
    // what was asked everything, and to its end, need not be asked again.
    const isAsked = !mode.isPart && mode.hasStyle === this.#options.isStrict;
    if (this.#visits > 1_000 && isAsked) this.#done.add(schema);
    return found;
  }

  #visitKeywords(schema: SchemaNode, mode: Mode): string | undefined {
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      const broken = this.#brokenKeyword(keyword, value, schema, mode);
      if (broken !== undefined) return this.#at(broken);
      const shape = SHAPES.get(keyword);
      if (shape === undefined) continue;
      this.#path.push(keyword);
      const found = this.#visitValue(value, shape, modeBelow(schema, keyword, mode));
      this.#path.pop();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #brokenKeyword(keyword: string, value: unknown, schema: SchemaNode, mode: Mode): string | undefined {
    switch (keyword) {
      case "type":
        return brokenType(value);
      case "pattern":
        return brokenPattern(value);
      case "patternProperties":
        return brokenPatterns(value);
      case "required":
        return brokenRequired(value);
      case "properties":
        if (!isSchemaNode(value)) return undefined; // its shape is asked next
        return brokenNames(Object.keys(value)) ?? (mode.hasStyle ? brokenOpenness(schema, mode) : undefined);
      case "anyOf":
      case "oneOf":
        return mode.hasStyle ? brokenUnion(value) : undefined;
      case "enum":
        return brokenEnum(value);
      case "$ref":
        return this.#brokenReference(schema);
      default:
        return undefined;
    }
  }

  #visitValue(value: unknown, shape: Shape, mode: Mode): string | undefined {
    if (shape === "schema" || (shape === "items" && !Array.isArray(value))) return this.#visit(value, mode);
    if (shape === "map" ? !isSchemaNode(value) : !Array.isArray(value)) {
      return this.#at(
        `must be ${shape === "map" ? "an object" : "an array"} of schemas; it is ${describeValue(value)}`,
      );
    }
    const parts = value as Readonly<Record<string, unknown>>; // an object or an array, as asked above
    for (const key of Object.keys(parts)) {
      this.#path.push(shape === "map" ? key : Number(key));
      const found = this.#visit(parts[key], mode);
      this.#path.pop();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #brokenReference(schema: SchemaNode): string | undefined {
    const seen = new Set<unknown>([schema]);
    let current: unknown = schema;
    while (isSchemaNode(current) && current.$ref !== undefined) {
      if (typeof current.$ref !== "string") return `has a $ref that is ${describeValue(current.$ref)}, not a text`;
      const reference = current.$ref;
      current = resolveReference(this.#root, reference);
      if (current === undefined) return `has the $ref ${quotedText(reference, 80)}, which leads nowhere in this schema`;
      if (seen.has(current)) return `has the $ref ${quotedText(reference, 80)}, which leads back to itself`;
      seen.add(current);
    }
    return undefined;
  }

  #at(text: string): string {
    const path: PlacePath = [this.#options.place, ...this.#path];
    return `${placeText(path)} ${text}`;
  }
}

function modeBelow(schema: SchemaNode, keyword: string, mode: Mode): Mode {
  if (QUESTIONS.has(keyword)) return { hasStyle: false, isPart: false };
  if (CONDITIONAL.has(keyword)) return { hasStyle: mode.hasStyle, isPart: true };
  const isPart = BRANCHES.has(keyword) && (mode.isPart || schema.unevaluatedProperties === false);
  return { hasStyle: mode.hasStyle, isPart };
}

function hintOf(schema: unknown): string {
  return typeof schema === "function" ? `. Take the schema's Type from "nestcall"` : "";
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
  if (Array.isArray(required) && required.every((name) => typeof name === "string")) return brokenNames(required);
  return `has a required that is ${describeValue(required)}, not a list of names`;
}

function brokenNames(names: readonly string[]): string | undefined {
  // TypeBox asks `key in value`, which holds for these in every object.
  const bad = names.find((name) => name in Object.prototype && name !== "constructor" && name !== "__proto__");
  if (bad === undefined) return undefined;
  return `has the property ${quotedText(bad, 40)}, which every object has by inheritance`;
}

function brokenEnum(choices: unknown): string | undefined {
  if (Array.isArray(choices) && choices.length > 0) return undefined;
  return `has an enum that is ${describeValue(choices)}, not a list of choices`;
}

function brokenOpenness(schema: SchemaNode, mode: Mode): string | undefined {
  const { properties, additionalProperties } = schema;
  if (mode.isPart || !isSchemaNode(properties) || Object.keys(properties).length === 0) return undefined;
  const isOpen = additionalProperties === undefined || additionalProperties === true;
  if (!isOpen || schema.unevaluatedProperties === false) return undefined;
  return (
    "declares properties but takes any other key too; say additionalProperties: false " +
    "(on an intersection: unevaluatedProperties: false), or strict: false on the tool"
  );
}

function brokenUnion(branches: unknown): string | undefined {
  if (!Array.isArray(branches) || branches.length < 2) return undefined;
  const isLiteral = (branch: unknown) => isSchemaNode(branch) && Object.hasOwn(branch, "const");
  if (!branches.every(isLiteral)) return undefined;
  const shown = branches.slice(0, 8).map((branch: SchemaNode) => literalText(branch.const));
  const more = branches.length > shown.length ? ", …" : "";
  return `is a union of literals; say Type.Enum([${shown.join(", ")}${more}]), or strict: false on the tool`;
}

function literalText(value: unknown): string {
  return typeof value === "string" ? quotedText(value, 40) : describeValue(value);
}
