// What defineTool wants of a TypeBox or JSON schema (DESIGN 4.1): the two style rules, and what would make the
// check accept everything or nothing without a word.
import { describeValue } from "../errors/text.js";
import { type PlacePath, placeText, quotedText } from "./place-text.js";
import { KEYWORDS, LENIENT_WHOLE, type Mode, modeBelow, type Shape, WHOLE } from "./schema-keywords.js";
import { isSchemaNode, resolveReference, type SchemaNode } from "./schema-references.js";

export interface SchemaRuleOptions {
  /** What the schema is called in the message: `inputSchema`. */
  readonly place: string;
  /** Whether the style rules apply: open objects and unions of literals. */
  readonly isStrict: boolean;
}

const MAX_LEVELS = 256;

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
  const keys = Object.keys(root).filter((key) => KEYWORDS.get(key)?.shape !== undefined || key === "$ref");
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

/** A broken rule, and the steps to its place; the last step comes first while the walk goes back up. */
interface Fault {
  readonly text: string;
  readonly stepsUp: (string | number)[];
}

// Hundreds of tools are defined at start, by code that has not run before: what the walk does not make and does not ask
// counts. It looks at each key that is there once, and the place is put together on the way back from a fault.
class SchemaWalk {
  readonly #root: SchemaNode;
  readonly #options: SchemaRuleOptions;
  #level = 0;
  #visits = 0;
  #done: Set<SchemaNode> | undefined;

  constructor(root: SchemaNode, options: SchemaRuleOptions) {
    this.#root = root;
    this.#options = options;
  }

  run(): string | undefined {
    const fault = this.#visit(this.#root, this.#options.isStrict ? WHOLE : LENIENT_WHOLE);
    if (fault === undefined) return undefined;
    const path: PlacePath = [this.#options.place, ...fault.stepsUp.toReversed()];
    return `${placeText(path)} ${fault.text}`;
  }

  #visit(schema: unknown, mode: Mode): Fault | undefined {
    if (typeof schema === "boolean") return undefined;
    if (!isSchemaNode(schema)) return faultOf(`must be a schema; it is ${describeValue(schema)}${hintOf(schema)}`);
    if (this.#level >= MAX_LEVELS) return faultOf(`is nested more than ${MAX_LEVELS} levels deep, or contains itself`);
    if (this.#done?.has(schema) === true) return undefined;
    this.#level += 1;
    this.#visits += 1;
    const fault = this.#visitKeywords(schema, mode);
    this.#level -= 1;
    // Parts used again inside each other could make the walk endless; a small schema has no need of the set. Only
    // what was asked everything, and to its end, need not be asked again.
    if (this.#visits > 1_000 && !mode.isPart && mode.hasStyle === this.#options.isStrict) {
      this.#done ??= new Set();
      this.#done.add(schema);
    }
    return fault;
  }

  #visitKeywords(schema: SchemaNode, mode: Mode): Fault | undefined {
    for (const key in schema) {
      const keyword = KEYWORDS.get(key);
      if (keyword === undefined) continue;
      const value = schema[key];
      if (value === undefined) continue;
      const broken = keyword.broken?.(value, schema, mode, this.#root);
      if (broken !== undefined && Object.hasOwn(schema, key)) return faultOf(broken); // what is inherited says nothing
      if (broken !== undefined || keyword.shape === undefined) continue;
      const fault = this.#visitValue(value, keyword.shape, modeBelow(schema, keyword.role, mode));
      if (fault !== undefined && Object.hasOwn(schema, key)) return stepUp(fault, key);
    }
    return undefined;
  }

  #visitValue(value: unknown, shape: Shape, mode: Mode): Fault | undefined {
    if (shape === "schema" || (shape === "items" && !Array.isArray(value))) return this.#visit(value, mode);
    if (shape === "map" ? !isSchemaNode(value) : !Array.isArray(value)) {
      return faultOf(`must be ${shape === "map" ? "an object" : "an array"} of schemas; it is ${describeValue(value)}`);
    }
    const parts = value as Readonly<Record<string, unknown>>; // an object or an array, as asked above
    for (const key in parts) {
      const fault = this.#visit(parts[key], mode);
      if (fault !== undefined && Object.hasOwn(parts, key)) return stepUp(fault, shape === "map" ? key : Number(key));
    }
    return undefined;
  }
}

function faultOf(text: string): Fault {
  return { text, stepsUp: [] };
}

function stepUp(fault: Fault, step: string | number): Fault {
  fault.stepsUp.push(step);
  return fault;
}

function hintOf(schema: unknown): string {
  return typeof schema === "function" ? `. Take the schema's Type from "nestcall"` : "";
}
