// An issue of a Standard Schema's library in words for the model (A4). The library's own are kept, but for what they
// repeat of the value and leave out of the schema.
import { shortenText } from "../errors/text.js";
import type { ExplainContext, Finding } from "./explain-failure.js";
import { choicesText, gotText, unknownKeyText, valueAt } from "./failure-words.js";
import { oneLine, type PlacePath } from "./place-text.js";
import type { SchemaProblem } from "./schema-check.js";
import { schemasOfValue } from "./schema-place.js";
import { isSchemaNode, type SchemaNode } from "./schema-references.js";

const MAX_MESSAGE_CHARS = 200;
/** Of one value in it. */
const MAX_QUOTED_CHARS = 60;
/** More of a message is not looked at; it bounds the work for those that repeat a huge value. */
const MAX_READ_CHARS = 4_000;
const QUOTED = /"(?:\\.|[^"\\])*(?:"|$)|`[^`]*(?:`|$)|(?<!\w)'[^']*(?:'|$)/gs;
const UNBROKEN = new RegExp(`[^\\s"'\`|,]{${MAX_QUOTED_CHARS + 1},}`, "g");

export function explainIssue(problem: SchemaProblem, context: ExplainContext): Finding {
  const { path, message } = problem;
  return { path, text: unknownKey(path, context) ?? choices(problem, context) ?? issueText(message) };
}

/** The message of a library on one line, without long values. */
export function issueText(message: string): string {
  const text = shortenText(message, MAX_READ_CHARS)
    .replace(QUOTED, (quoted) => shortQuoted(quoted))
    .replace(UNBROKEN, (run) => shortenText(run, MAX_QUOTED_CHARS));
  return oneLine(shortenText(text, MAX_MESSAGE_CHARS));
}

function shortQuoted(quoted: string): string {
  if (quoted.length <= MAX_QUOTED_CHARS + 2) return quoted;
  return shortenText(quoted, MAX_QUOTED_CHARS + 1) + quoted.charAt(0);
}

/** The issue's place is a key that the JSON Schema does not know, in an object that takes no others. */
function unknownKey(path: PlacePath, { jsonSchema, value }: ExplainContext): string | undefined {
  const key = path.at(-1);
  if (typeof key !== "string") return undefined;
  const holder = valueAt(value, path.slice(0, -1));
  if (!isSchemaNode(holder) || !Object.hasOwn(holder, key)) return undefined;
  const schemas = schemasOfValue(jsonSchema, path.slice(0, -1));
  if (!schemas.some(isClosed) || schemas.some(({ patternProperties }) => patternProperties !== undefined)) {
    return undefined;
  }
  const known = new Set(schemas.flatMap(({ properties }) => (isSchemaNode(properties) ? Object.keys(properties) : [])));
  return known.has(key) ? undefined : unknownKeyText(key, [...known], holder);
}

function isClosed({ additionalProperties, unevaluatedProperties }: SchemaNode): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

/** A4 lists the choices: a message that would be cut is told anew from the JSON Schema. */
function choices({ path, message }: SchemaProblem, { jsonSchema, value }: ExplainContext): string | undefined {
  if (message.length <= MAX_MESSAGE_CHARS) return undefined;
  const ends = schemasOfValue(jsonSchema, path).filter((schema) => !WRAPPERS.some((key) => key in schema));
  const allowed = ends.flatMap((schema) => ("const" in schema ? [schema.const] : schema.enum)) as unknown[];
  const got = valueAt(value, path);
  if (allowed.length === 0 || allowed.includes(undefined) || allowed.includes(got)) return undefined;
  return `must be ${choicesText(allowed)}, got ${gotText(undefined, got)}`;
}

const WRAPPERS = ["anyOf", "oneOf", "allOf", "$ref"];
