// One failed rule in words for the model (A4): what was wanted, what came, and what may have been meant.
import { shortenText } from "../errors/text.js";
import type { Failure, RuledProblem } from "./failing-unions.js";
import { choicesText, gotText, namesOrValues, unknownKeyText, valueAt } from "./failure-words.js";
import { oneLine, type PlacePath } from "./place-text.js";
import { knownKeysOf, schemaPlace } from "./schema-place.js";
import { isSchemaNode, ownValue } from "./schema-references.js";

export interface Finding {
  readonly path: PlacePath;
  readonly text: string;
}

export interface ExplainContext {
  readonly jsonSchema: object;
  /** The value that failed, from its root. */
  readonly value: unknown;
}

const MAX_BRANCHES = 6;
/** A message has room for fewer lines. */
const MAX_KEYS = 64;

/** The findings of one failure; empty when another failure says it already. */
export function explainFailure(failure: Failure, context: ExplainContext): readonly Finding[] {
  const { problem } = failure;
  const { params, keyword } = problem.rule;
  const here = (text: string): Finding[] => [{ path: problem.path, text }];
  switch (keyword) {
    case "type":
      return here(
        `must be ${typeText(params.type)}, got ${gotText(params.type, valueAt(context.value, problem.path))}`,
      );
    case "enum":
      return here(
        `must be ${choicesText(params.allowedValues)}, got ${gotText(undefined, valueAt(context.value, problem.path))}`,
      );
    case "const":
      return here(
        `must be ${choicesText([params.allowedValue])}, got ${gotText(undefined, valueAt(context.value, problem.path))}`,
      );
    case "required":
      return missingKeys(problem, context);
    case "additionalProperties":
      return []; // each of its keys has reported its own failure
    case "unevaluatedProperties":
      return unevaluatedKeys(problem, context);
    case "boolean":
      return here(refusedText(problem, context));
    case "anyOf":
    case "oneOf":
      return explainUnion(failure, context);
    default:
      return here(otherText(problem, context));
  }
}

function otherText({ rule, message, path }: RuledProblem, { jsonSchema, value }: ExplainContext): string {
  const isName = schemaPlace(jsonSchema, rule.schemaPath).isName && rule.keyword !== "propertyNames";
  const got = valueAt(value, path);
  switch (rule.keyword) {
    case "not":
      return "is of a form that is not allowed";
    case "if":
      return UNFIT_CASE;
    case "propertyNames":
      return "has keys with names that are not allowed";
    default:
      if (isName) return `is not allowed as a name: ${oneLine(shortenText(message, 300))}`;
      return `${oneLine(shortenText(message, 300))}${got === undefined ? "" : `, got ${gotText(undefined, got)}`}`;
  }
}

function missingKeys(problem: RuledProblem, { jsonSchema }: ExplainContext): Finding[] {
  const { schema } = schemaPlace(jsonSchema, problem.rule.schemaPath, "required");
  const properties = isSchemaNode(schema?.properties) ? schema.properties : {};
  return namesIn(problem.rule.params.requiredProperties).map((key) => {
    const wanted = ownValue(properties, key);
    const type = isSchemaNode(wanted) && wanted.type !== undefined ? ` (${typeText(wanted.type)})` : "";
    return { path: [...problem.path, key], text: `is missing${type}` };
  });
}

const CLOSED = "/additionalProperties";
const UNFIT_CASE = "does not fit what its schema wants in this case";

function refusedText({ rule, path }: RuledProblem, { jsonSchema, value }: ExplainContext): string {
  const key = path.at(-1);
  if (/(?<!\/properties)\/(?:then|else)$/.test(rule.schemaPath)) return UNFIT_CASE; // nothing is wanted in this case
  if (!rule.schemaPath.endsWith(CLOSED) || typeof key !== "string") return "is not allowed here";
  const { schema } = schemaPlace(jsonSchema, rule.schemaPath.slice(0, -CLOSED.length));
  const known = knownKeysOf(jsonSchema, schema);
  return unknownKeyText(key, known, valueAt(value, path.slice(0, -1)));
}

function unevaluatedKeys({ rule, path }: RuledProblem, { jsonSchema, value }: ExplainContext): Finding[] {
  const known = knownKeysOf(jsonSchema, schemaPlace(jsonSchema, rule.schemaPath).schema);
  const holder = valueAt(value, path);
  // A known key is unevaluated only because its value failed, which is reported at its place.
  const keys = namesIn(rule.params.unevaluatedProperties).filter((key) => !known.includes(key));
  return keys.slice(0, MAX_KEYS).map((key) => ({ path: [...path, key], text: unknownKeyText(key, known, holder) }));
}

/** One line for simple branches; for objects, the failures of the branch that was most likely meant. */
function explainUnion(failure: Failure, context: ExplainContext): readonly Finding[] {
  const { problem, branches } = failure;
  if (branches.length === 0) {
    const { passingSchemas } = problem.rule.params;
    const isTwice = Array.isArray(passingSchemas) && passingSchemas.length > 1;
    const text = isTwice ? "must fit exactly one of its forms, but fits several" : "fits none of its forms";
    return [{ path: problem.path, text }];
  }
  const likely = branches.filter((branch) => !branch.some((inner) => isWrongKind(inner, problem)));
  if (likely.length === 1 && likely[0] !== undefined)
    return likely[0].flatMap((inner) => explainFailure(inner, context));
  const constants = branches
    .flat()
    .filter(({ problem: { rule } }) => rule.keyword === "const" || rule.keyword === "enum");
  const isLiterals = branches.every((branch) =>
    branch.some((inner) => constants.includes(inner) && isSamePlace(inner, problem)),
  );
  const got = gotText(undefined, valueAt(context.value, problem.path));
  if (isLiterals)
    return [{ path: problem.path, text: `must be ${choicesText(constants.flatMap(choicesOf))}, got ${got}` }];
  return [{ path: problem.path, text: `must be either ${eitherText(failure, context)}, got ${got}` }];
}

/** The value is of another type than the branch wants, or says itself that it is meant for another branch. */
function isWrongKind({ problem }: Failure, union: RuledProblem): boolean {
  const depth = problem.path.length - union.path.length;
  const { keyword } = problem.rule;
  return (keyword === "type" && depth === 0) || ((keyword === "const" || keyword === "enum") && depth <= 1);
}

function isSamePlace({ problem }: Failure, union: RuledProblem): boolean {
  return problem.path.length === union.path.length;
}

function choicesOf({ problem: { rule } }: Failure): readonly unknown[] {
  return rule.keyword === "const" ? [rule.params.allowedValue] : namesOrValues(rule.params.allowedValues);
}

function eitherText({ problem, branches }: Failure, context: ExplainContext): string {
  const texts = new Set<string>();
  for (const branch of branches) {
    const type = branch.find((inner) => inner.problem.rule.keyword === "type" && isSamePlace(inner, problem));
    texts.add(type === undefined ? branchText(branch, problem, context) : typeText(type.problem.rule.params.type));
  }
  const shown = [...texts].slice(0, MAX_BRANCHES);
  return shown.join(" or ") + (texts.size > shown.length ? ` or ${texts.size - shown.length} more forms` : "");
}

function branchText(branch: readonly Failure[], union: RuledProblem, context: ExplainContext): string {
  const [first] = branch.flatMap((inner) => explainFailure(inner, context));
  if (first === undefined) return "another form";
  const below = first.path.slice(union.path.length).map((step) => oneLine(shortenText(String(step), 60)));
  const text = shortenText(first.text, 120);
  return below.length === 0 ? `a value that ${text}` : `an object (${below.join(".")} ${text})`;
}

/** `a string`, `an integer or null` */
function typeText(type: unknown): string {
  const names = namesOrValues(type).map((name) => withArticle(shortenText(String(name), 40)));
  return names.join(" or ");
}

function withArticle(name: string): string {
  if (name === "null") return name;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
