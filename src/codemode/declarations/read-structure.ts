// The object and array keywords of a schema as types.
import { isSchemaNode, ownValue, type SchemaNode } from "../../tools/schema-references.js";
import { isInherited } from "./inherited-names.js";
import type { SchemaReader } from "./read-schema.js";
import { noteOf } from "./schema-note.js";
import { ANY_OBJECT, NO_NOTE, type PropertyNode, type TypeNode, UNKNOWN, unionOf, word } from "./type-node.js";

type Index = readonly [key: string, value: TypeNode];

/** Required properties first, then optional, both as the schema orders them. */
export function objectType(schema: SchemaNode, reader: SchemaReader): TypeNode {
  const properties = propertiesOf(schema, reader);
  const indexes = indexesOf(schema, reader, properties);
  const isOpen = ownValue(schema, "additionalProperties") !== false;
  if (properties.length === 0 && indexes.length === 0 && isOpen) return ANY_OBJECT;
  return { kind: "object", properties, indexes };
}

function propertiesOf(schema: SchemaNode, reader: SchemaReader): PropertyNode[] {
  const declared = isSchemaNode(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required.filter(isText) : []);
  const properties = Object.keys(declared).map((name): PropertyNode => {
    const part = ownValue(declared, name);
    const isOptional = !required.has(name);
    const type = isOptional && isInherited(name) ? UNKNOWN : reader.read(part);
    return { name, type, isOptional, note: noteOf(part) };
  });
  const names = new Set(properties.map(({ name }) => name));
  const { propertyNames } = schema;
  const allowed =
    isSchemaNode(propertyNames) && Array.isArray(propertyNames.enum) ? propertyNames.enum.filter(isText) : [];
  for (const name of new Set<string>([...required, ...allowed])) {
    if (names.has(name)) continue;
    properties.push({ name, type: undeclared(schema, name, reader), isOptional: !required.has(name), note: NO_NOTE });
  }
  return [...properties.filter(({ isOptional }) => !isOptional), ...properties.filter(({ isOptional }) => isOptional)];
}

/** The type of a key that `properties` does not name: the additional one, unless a pattern may claim the key. */
function undeclared(schema: SchemaNode, name: string, reader: SchemaReader): TypeNode {
  const patterns = isSchemaNode(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  // By its fixed beginning only: a pattern from outside is never run.
  const isClaimed = patterns.some((pattern) => name.startsWith(fixedPrefix(pattern) ?? ""));
  if (isClaimed || !isSchemaNode(schema.additionalProperties)) return UNKNOWN;
  return reader.read(schema.additionalProperties);
}

function indexesOf(schema: SchemaNode, reader: SchemaReader, properties: readonly PropertyNode[]): Index[] {
  const { additionalProperties, unevaluatedProperties } = schema;
  const rest = additionalProperties ?? unevaluatedProperties;
  const patterns = isSchemaNode(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const hasNames = isSchemaNode(schema.propertyNames) && Array.isArray(schema.propertyNames.enum);
  if (patterns.length === 0) {
    if (hasNames) return [];
    if (rest === true) return [["string", UNKNOWN]];
    if (!isSchemaNode(rest)) return [];
    // `unevaluatedProperties` knows what other parts of the schema name; an index signature beside them does not.
    const type = additionalProperties === undefined && hasParts(schema) ? UNKNOWN : reader.read(rest);
    return [["string", fitting(type, properties)]];
  }
  const isOpen = rest === true || isSchemaNode(rest);
  const types = patterns.map(([pattern, part]) => ({ prefix: fixedPrefix(pattern), type: reader.read(part) }));
  const [first] = types;
  if (!isOpen && types.length === 1 && first?.prefix !== undefined) {
    const { prefix } = first;
    const key = `\`${prefix.replaceAll("$", "\\$")}\${string}\``;
    return [
      [
        key,
        fitting(
          first.type,
          properties.filter(({ name }) => name.startsWith(prefix)),
        ),
      ],
    ];
  }
  const open = isOpen ? [rest === true ? UNKNOWN : reader.read(rest)] : [];
  return [["string", fitting(unionOf([...types.map(({ type }) => type), ...open]), properties)]];
}

function hasParts(schema: SchemaNode): boolean {
  return ["allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"].some(
    (key) => ownValue(schema, key) !== undefined,
  );
}

/** A plain text that every key matching the pattern starts with: `x-` for `^x-` and `^x-[a-z]+$`. */
function fixedPrefix(pattern: string): string | undefined {
  if (pattern.includes("|")) return undefined;
  const match = /^\^((?:[A-Za-z0-9_\-:@#/ ]|\\[.\-/$_:])+)(?:$|[.[($]|\\[dDwWsSp])/.exec(pattern);
  return match === null ? undefined : (match[1] as string).replaceAll("\\", ""); // the group is part of every match
}

/** TypeScript wants every named property to fit the index signature: it is widened until they do. */
function fitting(type: TypeNode, properties: readonly PropertyNode[]): TypeNode {
  if (properties.length === 0) return type;
  const types = [type, ...properties.map((property) => property.type)];
  if (!types.every(isShort)) return UNKNOWN;
  const optional = properties.some(({ isOptional }) => isOptional) ? [word("undefined")] : [];
  const widened = unionOf([...types, ...optional]);
  return widened.kind === "union" && widened.parts.length > 6 ? UNKNOWN : widened;
}

function isShort(node: TypeNode): boolean {
  if (node.kind === "union") return node.parts.every(isShort);
  return node.kind === "array" ? isShort(node.item) : node.kind === "word" || node.kind === "reference";
}

/** `T[]`, or a tuple when the first places have schemas of their own; places beyond `minItems` may be missing. */
export function arrayType(schema: SchemaNode, reader: SchemaReader): TypeNode {
  const { prefixItems, items, additionalItems, unevaluatedItems, minItems } = schema;
  const [places, rest] = Array.isArray(prefixItems)
    ? [prefixItems, items ?? unevaluatedItems]
    : Array.isArray(items)
      ? [items, additionalItems ?? unevaluatedItems]
      : [[], items ?? unevaluatedItems];
  if (places.length === 0) {
    return rest === false
      ? { kind: "tuple", items: [], required: 0 }
      : { kind: "array", item: reader.read(rest ?? true) };
  }
  const required = typeof minItems === "number" ? Math.min(places.length, Math.max(0, Math.ceil(minItems))) : 0;
  const types = places.map((place) => reader.read(place));
  if (rest === false) return { kind: "tuple", items: types, required };
  return { kind: "tuple", items: types, required, rest: reader.read(rest ?? true) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
