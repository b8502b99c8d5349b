// Which kinds of JSON values a schema is about. A part that names no type is read as its surroundings say: the branch
// `{ required: ["a"] }` of an object schema is about objects.
import { isSchemaNode, ownValue, type SchemaNode } from "../../tools/schema-references.js";
import { typeNameOf } from "./literal-type.js";

export type ValueKind = "string" | "number" | "boolean" | "null" | "object" | "array";
/** Undefined: any kind. */
export type ValueKinds = ReadonlySet<ValueKind> | undefined;

const KIND_OF_TYPE: ReadonlyMap<unknown, ValueKind> = new Map<unknown, ValueKind>([
  ...(["string", "number", "boolean", "null", "object", "array"] as const).map((kind) => [kind, kind] as const),
  ["integer", "number"],
]);
const OBJECT_KEYWORDS = "properties patternProperties additionalProperties required propertyNames".split(" ");
const ARRAY_KEYWORDS = "items prefixItems additionalItems".split(" ");

/** What schemas state, each read once: definitions can be shared many times over. */
export class StatedKinds {
  readonly #known = new Map<SchemaNode, ValueKinds>();
  readonly #resolve: (reference: string) => unknown;

  constructor(resolve: (reference: string) => unknown) {
    this.#resolve = resolve;
  }

  /** The kinds that the schema itself admits, references and branches included; undefined when it does not say. */
  of(schema: unknown): ValueKinds {
    if (!isSchemaNode(schema)) return undefined;
    if (this.#known.has(schema)) return this.#known.get(schema);
    this.#known.set(schema, undefined); // for a schema that leads back to itself
    const kinds = this.#read(schema);
    this.#known.set(schema, kinds);
    return kinds;
  }

  #read(schema: SchemaNode): ValueKinds {
    let kinds = both(typeKinds(schema), valueKinds(schema));
    const { $ref, allOf } = schema;
    if (typeof $ref === "string") kinds = both(kinds, this.of(this.#resolve($ref)));
    if (Array.isArray(allOf)) for (const part of allOf) kinds = both(kinds, this.of(part));
    for (const list of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(list) && list.length > 0) kinds = both(kinds, either(list.map((part) => this.of(part))));
    }
    return schema.nullable === true && kinds !== undefined ? new Set([...kinds, "null"]) : kinds;
  }
}

/** What the keywords are about where nothing says it: nearly always what the author meant. */
export function impliedKinds(schema: SchemaNode): ValueKinds {
  const isObject = hasObjectKeywords(schema);
  const isArray = hasArrayKeywords(schema);
  if (isObject === isArray) return undefined;
  return new Set([isObject ? "object" : "array"]);
}

export function hasObjectKeywords(schema: SchemaNode): boolean {
  return OBJECT_KEYWORDS.some((keyword) => ownValue(schema, keyword) !== undefined);
}

export function hasArrayKeywords(schema: SchemaNode): boolean {
  return ARRAY_KEYWORDS.some((keyword) => ownValue(schema, keyword) !== undefined);
}

/** What both admit. */
export function both(a: ValueKinds, b: ValueKinds): ValueKinds {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return new Set([...a].filter((kind) => b.has(kind)));
}

function either(all: readonly ValueKinds[]): ValueKinds {
  const kinds = new Set<ValueKind>();
  for (const each of all) {
    if (each === undefined) return undefined;
    for (const kind of each) kinds.add(kind);
  }
  return kinds;
}

/** By `type`; a name that JSON Schema does not have is taken as "anything", as the check takes it. */
function typeKinds(schema: SchemaNode): ValueKinds {
  const type = ownValue(schema, "type");
  if (type === undefined) return undefined;
  const kinds = (Array.isArray(type) ? type : [type]).map((name) => KIND_OF_TYPE.get(name));
  return kinds.every((kind) => kind !== undefined) ? new Set(kinds) : undefined;
}

function valueKinds(schema: SchemaNode): ValueKinds {
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) return undefined;
  const kinds = values.map((value) => KIND_OF_TYPE.get(typeNameOf(value)));
  return kinds.every((kind) => kind !== undefined) ? new Set(kinds) : undefined;
}
