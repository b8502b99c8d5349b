// What a schema says that TypeScript types cannot: for the comment beside the type.
import { isSchemaNode, ownValue, type SchemaNode } from "../../tools/schema-references.js";
import { FULL_DETAIL } from "./detail.js";
import { safeLine } from "./safe-words.js";
import { NO_NOTE, type TypeNote } from "./type-node.js";

const MAX_VALUE_CHARS = 60;

/** The description, the bounds and the default of a schema; those of a part that is the only one beside null count too. */
export function noteOf(schema: unknown): TypeNote {
  if (!isSchemaNode(schema)) return NO_NOTE;
  const text = textOf(schema, "description") ?? textOf(schema, "title");
  const value = ownValue(schema, "default");
  const defaultValue = value === undefined ? undefined : shortJson(value);
  return {
    ...(text === undefined ? {} : { description: safeLine(text, FULL_DETAIL.descriptionChars) }),
    bounds: boundsOf(schema),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(ownValue(schema, "deprecated") === true ? { isDeprecated: true } : {}),
  };
}

function textOf(schema: SchemaNode, key: string): string | undefined {
  const value = ownValue(schema, key);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function boundsOf(schema: SchemaNode): string[] {
  const bounds = [...ownBounds(schema), ...objectBounds(schema)];
  const { items } = schema;
  if (isSchemaNode(items)) bounds.push(...ownBounds(items).map((bound) => `each ${bound}`));
  const only = onlyBranch(schema);
  return only === undefined ? bounds : [...bounds, ...ownBounds(only)];
}

function ownBounds(schema: SchemaNode): string[] {
  const { format, pattern, contentEncoding, multipleOf } = schema;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return [
    ...(types.includes("integer") ? ["integer"] : []),
    ...numberBounds(schema),
    ...(isNumber(multipleOf) ? [`multiple of ${multipleOf}`] : []),
    ...range(schema, "minLength", "maxLength", "chars"),
    ...range(schema, "minItems", "maxItems", "items"),
    ...(schema.uniqueItems === true ? ["unique"] : []),
    ...range(schema, "minProperties", "maxProperties", "keys"),
    ...(typeof format === "string" ? [`format ${format}`] : []),
    ...(typeof pattern === "string" ? [`pattern ${cut(pattern)}`] : []),
    ...(typeof contentEncoding === "string" ? [contentEncoding] : []),
  ];
}

function numberBounds(schema: SchemaNode): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (isNumber(minimum) && isNumber(maximum)) return [`${minimum}..${maximum}`];
  return [
    ...(isNumber(minimum) ? [`>= ${minimum}`] : []),
    ...(isNumber(maximum) ? [`<= ${maximum}`] : []),
    ...(isNumber(exclusiveMinimum) ? [`> ${exclusiveMinimum}`] : []),
    ...(isNumber(exclusiveMaximum) ? [`< ${exclusiveMaximum}`] : []),
  ];
}

function range(schema: SchemaNode, low: string, high: string, unit: string): string[] {
  const [min, max] = [schema[low], schema[high]];
  const [hasMin, hasMax] = [isNumber(min) && min > 0, isNumber(max)];
  if (hasMin && hasMax) return [min === max ? `${min} ${unit}` : `${min}..${max} ${unit}`];
  if (hasMin) return [`>= ${min} ${unit}`];
  return hasMax ? [`<= ${max} ${unit}`] : [];
}

function objectBounds(schema: SchemaNode): string[] {
  const { propertyNames, not, dependentRequired, contains } = schema;
  const bounds: string[] = [];
  if (isSchemaNode(propertyNames) && typeof propertyNames.pattern === "string") {
    bounds.push(`keys match ${cut(propertyNames.pattern)}`);
  }
  if (isSchemaNode(dependentRequired)) {
    for (const [key, needed] of Object.entries(dependentRequired).slice(0, 5)) {
      if (Array.isArray(needed)) bounds.push(`${cut(key)} needs ${cut(needed.join(", "))}`);
    }
  }
  if (isSchemaNode(contains)) bounds.push(`contains ${shortJson(contains)}`);
  if (isSchemaNode(not)) bounds.push(`not ${shortJson(not)}`);
  return bounds;
}

/** Of a schema that is a list of branches: the one that is not null, when there is one only. */
function onlyBranch(schema: SchemaNode): SchemaNode | undefined {
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(list) || list.length > 3) continue;
    const others = list.filter((branch) => !isSchemaNode(branch) || branch.type !== "null");
    if (others.length === 1 && isSchemaNode(others[0])) return others[0];
  }
  return undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function shortJson(value: unknown): string | undefined {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined ? undefined : cut(json);
  } catch {
    return undefined; // a cycle or a BigInt, which no JSON Schema has
  }
}

function cut(text: string): string {
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS - 1)}…`;
}
