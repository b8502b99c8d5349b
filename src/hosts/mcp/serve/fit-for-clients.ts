// Whether clients can compile an output schema. Some compile every one of a list and lose the whole list over one that does
// not compile, so a schema that only our own check reads is not shown. What `defineTool` refuses anyway is not looked for.

type Check = (value: unknown) => boolean;
const isNumber: Check = (value) => typeof value === "number";
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isBoolean: Check = (value) => typeof value === "boolean";
const isSchema: Check = (value) => typeof value === "boolean" || isFitForClients(value);
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap: Check = (value) => isRecord(value) && Object.values(value).every(isSchema);
const isPattern: Check = (value) => {
  try {
    new RegExp(String(value), "u");
    return typeof value === "string";
  } catch {
    return false;
  }
};

const KEYWORDS: ReadonlyMap<string, Check> = new Map([
  // Clients keep schemas by it: two tools with one id would be checked by one schema.
  ["$id", () => false],
  ["$ref", (value: unknown) => typeof value === "string" && value.startsWith("#")],
  ["pattern", isPattern],
  ["patternProperties", (value: unknown) => isSchemaMap(value) && Object.keys(value as object).every(isPattern)],
  ["uniqueItems", isBoolean],
  ...named(isNumber, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
  ...named(isCount, "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"),
  ...named(isSchema, "items contains not if then else additionalProperties propertyNames"),
  ...named(isSchema, "unevaluatedItems unevaluatedProperties"),
  ...named(isSchemas, "allOf anyOf oneOf prefixItems"),
  ...named(isSchemaMap, "properties $defs definitions dependentSchemas"),
]);

/** @param schema - A JSON value. */
export function isFitForClients(schema: unknown): boolean {
  return isRecord(schema) && Object.entries(schema).every(([key, value]) => KEYWORDS.get(key)?.(value) ?? true);
}

function named(check: Check, names: string): readonly (readonly [string, Check])[] {
  return names.split(" ").map((name) => [name, check]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
