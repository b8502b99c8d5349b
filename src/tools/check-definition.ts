// The checks of defineTool (DESIGN 4.1), field by field; schema-rules.ts has those inside a schema.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import { closestNames } from "./closest-names.js";
import { quotedText } from "./place-text.js";
import { brokenSchemaRoot, brokenSchemaRule, type SchemaRuleOptions } from "./schema-rules.js";
import { isStandardSchema, standardJsonSchema } from "./standard-schema.js";

export type DefinitionFields = Readonly<Record<string, unknown>>;

export interface BrokenDefinition {
  /** Place first, without the tool's name and without a full stop. */
  readonly text: string;
  /** With what the author's own code threw, if it did. */
  readonly options?: ErrorOptions;
}

/** What a field must be, in words, when the value is not. */
type FieldCheck = (value: unknown) => string | undefined;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** setTimeout turns a longer time into 1 ms. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const ANNOTATION_KEYS: ReadonlySet<string> = new Set([...HINTS, "title"]);
const NAMESPACE_KEYS: ReadonlySet<string> = new Set(["name", "description", "instructions"]);

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
const text: FieldCheck = (value) => (isText(value) ? undefined : "must be a text that is not empty");
const texts: FieldCheck = (value) =>
  Array.isArray(value) && value.every(isText) ? undefined : "must be a list of texts that are not empty";
const flag: FieldCheck = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
const method: FieldCheck = (value) => (typeof value === "function" ? undefined : "must be a function");
const milliseconds: FieldCheck = (value) => {
  const isTime = typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS;
  return isTime ? undefined : `must be a number of milliseconds above 0 and at most ${MAX_TIMEOUT_MS}`;
};
const oneOf =
  (...choices: readonly string[]): FieldCheck =>
  (value) =>
    choices.includes(value as string)
      ? undefined
      : `must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}`;

const FIELD_CHECKS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>(
  Object.entries({
    name: (value) => (typeof value === "string" && NAME.test(value) ? undefined : `must match ${NAME.source}`),
    title: text,
    description: text,
    snippet: text,
    guidelines: texts,
    inputSchema: () => undefined,
    outputSchema: () => undefined,
    annotations: () => undefined,
    effect: oneOf("read", "write", "destructive"),
    idempotent: flag,
    openWorld: flag,
    exposure: oneOf("direct", "model-only", "codemode", "deferred", "hidden"),
    namespace: () => undefined,
    executionMode: oneOf("parallel", "sequential"),
    mutates: method,
    timeoutMs: milliseconds,
    idleTimeoutMs: milliseconds,
    prepareArguments: method,
    strict: flag,
    renderCall: method,
    renderResult: method,
    execute: method,
  }),
);
const REQUIRED = ["name", "description", "inputSchema", "execute"];

/** Every key that a definition may have. */
export const DEFINITION_KEYS: readonly string[] = [...FIELD_CHECKS.keys()];

/**
 * What is wrong with a definition; undefined for a good one. Never throws.
 *
 * @param fields - Every field that has a value, inherited ones too.
 * @param given - What the author wrote; `fields` itself when it has all of that.
 */
export function brokenDefinition(fields: DefinitionFields, given: object): BrokenDefinition | undefined {
  const text = brokenFields(fields, given) ?? brokenEffect(fields);
  if (text !== undefined) return { text };
  const { annotations, namespace, inputSchema, outputSchema } = fields;
  const check = fields.strict === false ? brokenLooseSchema : brokenSchema;
  return (
    (annotations === undefined ? undefined : whenRead("annotations", annotations, brokenAnnotations)) ??
    (namespace === undefined ? undefined : whenRead("namespace", namespace, brokenNamespace)) ??
    whenRead("inputSchema", inputSchema, check) ??
    (outputSchema === undefined ? undefined : whenRead("outputSchema", outputSchema, check))
  );
}

/** What a check finds, or that the value cannot be read: a getter or a proxy may throw anything. */
function whenRead(
  place: string,
  value: unknown,
  check: (value: unknown, place: string) => string | BrokenDefinition | undefined,
): BrokenDefinition | undefined {
  try {
    const broken = check(value, place);
    return typeof broken === "string" ? { text: broken } : broken;
  } catch (cause) {
    return unreadable(place, cause);
  }
}

export function unreadable(place: string, cause: unknown): BrokenDefinition {
  return { text: `${place} throws when it is read (${shortenText(thrownText(cause), 200)})`, options: { cause } };
}

function brokenFields(fields: DefinitionFields, given: object): string | undefined {
  const isGood = hasGoodFields(fields);
  if (isGood) return fields === given ? undefined : brokenKeys("", given, FIELD_CHECKS);
  for (const key of DEFINITION_KEYS) {
    const value = fields[key];
    if (value === undefined && !REQUIRED.includes(key)) continue;
    const wanted = FIELD_CHECKS.get(key)?.(value);
    if (wanted !== undefined) return `${key} ${wanted}; it is ${describeValue(value)}`;
  }
  return brokenKeys("", given, FIELD_CHECKS);
}

/** Asks what is there only, in any order: the first look at nearly every definition is the last one. */
function hasGoodFields(fields: DefinitionFields): boolean {
  for (const key in fields) {
    const value = fields[key];
    const check = FIELD_CHECKS.get(key);
    if (check === undefined || (value !== undefined && check(value) !== undefined)) return false;
  }
  for (const key of REQUIRED) if (fields[key] === undefined) return false;
  return true;
}

interface KnownKeys {
  has(key: string): boolean;
  keys(): Iterable<string>;
}

function brokenKeys(owner: string, given: object, known: KnownKeys): string | undefined {
  for (const key in given) {
    if (!known.has(key) && Object.hasOwn(given, key)) return unknownKey(owner, key, known);
  }
  return undefined;
}

function unknownKey(owner: string, key: string, known: KnownKeys): string {
  const names = [...known.keys()];
  const [close] = closestNames(key, names, 1);
  const hint = close === undefined ? `the known keys are ${names.join(", ")}` : `did you mean "${close}"?`;
  return `${owner}${quotedText(key, 60)} is no key that is known here; ${hint}`;
}

function brokenEffect(fields: DefinitionFields): string | undefined {
  const { effect, idempotent, openWorld, annotations } = fields;
  if (effect === undefined && idempotent === undefined && openWorld === undefined) return undefined;
  const short = effect !== undefined ? "effect" : idempotent !== undefined ? "idempotent" : "openWorld";
  if (annotations !== undefined) return `${short} is the short form of annotations; give one of the two`;
  if (effect !== undefined) return undefined;
  return `${short} goes with effect, which is missing; say effect: "read", "write" or "destructive"`;
}

function brokenAnnotations(annotations: unknown): string | undefined {
  if (!isPlain(annotations)) return `annotations must be an object of MCP's hints; it is ${describeValue(annotations)}`;
  for (const key of HINTS) {
    const value = annotations[key];
    if (value !== undefined && typeof value !== "boolean") {
      return `annotations.${key} must be true or false; it is ${describeValue(value)}`;
    }
  }
  const { title } = annotations;
  if (title !== undefined && typeof title !== "string")
    return `annotations.title must be a text; it is ${describeValue(title)}`;
  for (const key of Object.keys(annotations)) {
    // A server may send hints of its own; only what looks like a misspelt one of ours would be lost without a word.
    if (ANNOTATION_KEYS.has(key) || !/hint$/i.test(key) || closestNames(key, HINTS, 1).length === 0) continue;
    return unknownKey("annotations: ", key, ANNOTATION_KEYS);
  }
  return undefined;
}

function brokenNamespace(namespace: unknown): string | undefined {
  if (!isPlain(namespace)) return `namespace must be an object with a name; it is ${describeValue(namespace)}`;
  if (!isText(namespace.name)) {
    return `namespace.name must be a text that is not empty; it is ${describeValue(namespace.name)}`;
  }
  for (const key of ["description", "instructions"]) {
    const value = namespace[key];
    if (value !== undefined && typeof value !== "string")
      return `namespace.${key} must be a text; it is ${describeValue(value)}`;
  }
  return brokenKeys("namespace: ", namespace, NAMESPACE_KEYS);
}

function brokenSchema(schema: unknown, place: string): string | BrokenDefinition | undefined {
  return brokenSchemaOf(schema, { place, isStrict: true });
}

function brokenLooseSchema(schema: unknown, place: string): string | BrokenDefinition | undefined {
  return brokenSchemaOf(schema, { place, isStrict: false });
}

function brokenSchemaOf(schema: unknown, options: SchemaRuleOptions): string | BrokenDefinition | undefined {
  const { place } = options;
  if (isStandardSchema(schema)) {
    const answer = standardJsonSchema(schema);
    if (answer.problem !== undefined) {
      const text = `${place} ${shortenText(answer.problem, 400)}`;
      return "cause" in answer ? { text, options: { cause: answer.cause } } : { text };
    }
    // The library means its schema as it is: only the root is asked, which has to be an object.
    return brokenSchemaRoot(place, answer.jsonSchema);
  }
  if (typeof schema === "function") {
    const hint = `take Type from "nestcall", the Type of another library may make functions`;
    return `${place} must be a schema; it is a function: ${hint}`;
  }
  if (typeof schema !== "object" || schema === null) {
    return `${place} must be a schema, such as Type.Object({ … }); it is ${describeValue(schema)}`;
  }
  return brokenSchemaRule(schema, options);
}

function isPlain(value: unknown): value is DefinitionFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
