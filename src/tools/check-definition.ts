// The checks of defineTool (DESIGN 4.1), field by field; schema-rules.ts has those inside a schema.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import { closestNames } from "./closest-names.js";
import { quotedText } from "./place-text.js";
import { brokenSchemaRoot, brokenSchemaRule } from "./schema-rules.js";
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

const FIELD_CHECKS: Readonly<Record<string, FieldCheck>> = {
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
};
const REQUIRED = ["name", "description", "inputSchema", "execute"];

/** Every key that a definition may have. */
export const DEFINITION_KEYS: readonly string[] = Object.keys(FIELD_CHECKS);

/** What is wrong with the fields of a definition; undefined for a good one. Never throws. */
export function brokenDefinition(fields: DefinitionFields, givenKeys: readonly string[]): BrokenDefinition | undefined {
  const text = brokenFields(fields) ?? brokenKeys("", givenKeys, DEFINITION_KEYS) ?? brokenEffect(fields);
  if (text !== undefined) return { text };
  const isStrict = fields.strict !== false;
  return (
    whenRead("annotations", () => brokenAnnotations(fields.annotations)) ??
    whenRead("namespace", () => brokenNamespace(fields.namespace)) ??
    whenRead("inputSchema", () => brokenSchema("inputSchema", fields.inputSchema, isStrict)) ??
    whenRead("outputSchema", () =>
      fields.outputSchema === undefined ? undefined : brokenSchema("outputSchema", fields.outputSchema, isStrict),
    )
  );
}

/** What a check finds, or that the value cannot be read: a getter or a proxy may throw anything. */
function whenRead(place: string, check: () => string | BrokenDefinition | undefined): BrokenDefinition | undefined {
  try {
    const broken = check();
    return typeof broken === "string" ? { text: broken } : broken;
  } catch (cause) {
    return unreadable(place, cause);
  }
}

export function unreadable(place: string, cause: unknown): BrokenDefinition {
  return { text: `${place} throws when it is read (${shortenText(thrownText(cause), 200)})`, options: { cause } };
}

function brokenFields(fields: DefinitionFields): string | undefined {
  for (const key of DEFINITION_KEYS) {
    const value = fields[key];
    if (value === undefined && !REQUIRED.includes(key)) continue;
    const wanted = FIELD_CHECKS[key]?.(value);
    if (wanted !== undefined) return `${key} ${wanted}; it is ${describeValue(value)}`;
  }
  return undefined;
}

function brokenKeys(owner: string, given: readonly string[], known: readonly string[]): string | undefined {
  const unknown = given.find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const [close] = closestNames(unknown, known, 1);
  const hint = close === undefined ? `the known keys are ${known.join(", ")}` : `did you mean "${close}"?`;
  return `${owner}${quotedText(unknown, 60)} is no key that is known here; ${hint}`;
}

function brokenEffect(fields: DefinitionFields): string | undefined {
  const { effect, annotations } = fields;
  const short = ["effect", "idempotent", "openWorld"].find((key) => fields[key] !== undefined);
  if (short !== undefined && annotations !== undefined) {
    return `${short} is the short form of annotations; give one of the two`;
  }
  if (short === undefined || effect !== undefined) return undefined;
  return `${short} goes with effect, which is missing; say effect: "read", "write" or "destructive"`;
}

function brokenAnnotations(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined;
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
  // A server may send hints of its own; only what looks like a misspelt one of ours would be lost without a word.
  const misspelt = Object.keys(annotations).filter(
    (key) => closestNames(key, HINTS, 1).length > 0 && /hint$/i.test(key),
  );
  return brokenKeys("annotations: ", misspelt, [...HINTS, "title"]);
}

function brokenNamespace(namespace: unknown): string | undefined {
  if (namespace === undefined) return undefined;
  if (!isPlain(namespace)) return `namespace must be an object with a name; it is ${describeValue(namespace)}`;
  if (!isText(namespace.name)) {
    return `namespace.name must be a text that is not empty; it is ${describeValue(namespace.name)}`;
  }
  for (const key of ["description", "instructions"]) {
    const value = namespace[key];
    if (value !== undefined && typeof value !== "string")
      return `namespace.${key} must be a text; it is ${describeValue(value)}`;
  }
  return brokenKeys("namespace: ", Object.keys(namespace), ["name", "description", "instructions"]);
}

function brokenSchema(place: string, schema: unknown, isStrict: boolean): string | BrokenDefinition | undefined {
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
  return brokenSchemaRule(schema, { place, isStrict });
}

function isPlain(value: unknown): value is DefinitionFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
