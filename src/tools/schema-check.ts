// One way to check a value, whoever made the schema: TypeBox, JSON Schema, or a library with a Standard Schema.
import { Check, Compile, Errors } from "typebox/schema";
import { Settings } from "typebox/system";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { thrownText } from "../errors/text.js";
import { checkedSchema, givenParams } from "./checked-schema.js";
import { type OutspokenSchema, outspokenSchema } from "./schema-conditions.js";
import { pointerSteps } from "./schema-references.js";
import { isStandardSchema, standardJsonSchema } from "./standard-schema.js";
import type { StandardIssue, StandardResult, StandardSchema } from "./tool.js";

export interface SchemaProblem {
  /** Keys and indices from the root of the value; empty for the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Which rule of the schema failed; absent for a Standard Schema. */
  readonly rule?: FailedRule;
}

export interface FailedRule {
  readonly keyword: string;
  /** A pointer such as `#/properties/n`, as if every `$ref` on the way were written out. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type CheckResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

export interface SchemaCheck {
  /** What models and hosts are shown. */
  readonly jsonSchema: object;
  /** What the checks read: the same, or a copy in which every pointer leads where it leads in `jsonSchema`. */
  readonly checked: object;
  /** A plain schema answers at once and gives the same value back; a Standard Schema gives its own output, perhaps later. */
  readonly validate: (value: unknown) => CheckResult | Promise<CheckResult>;
  /** The strict test of a plain schema; undefined for a Standard Schema. */
  readonly accepts: ((value: unknown) => boolean) | undefined;
  /**
   * Why a plain schema refuses the value, at most `MAX_PROBLEMS`; always empty for a Standard Schema.
   *
   * @param isRefused - `accepts` said so before and need not be asked again.
   */
  readonly problems: (value: unknown, isRefused?: boolean) => readonly SchemaProblem[];
}

type RuledProblem = SchemaProblem & { readonly rule: FailedRule };

/** More than a repair can want to see at once, and a bound for hostile values. */
const MAX_PROBLEMS = 10_000;

const checks = new WeakMap<object, SchemaCheck>();
const externalChecks = new WeakMap<object, SchemaCheck>();

/**
 * The check of a schema, made once for each schema object. Compiles at the first value, not here.
 *
 * @param isExternal - Somebody else wrote it: no regular expression in it is tried on texts that may keep it busy for long.
 * @returns A check whose functions throw `NestcallError` `INVALID_TOOL` when a plain schema does not compile.
 * @throws NestcallError `INVALID_TOOL` when a Standard Schema cannot give its JSON Schema.
 */
export function schemaCheckOf(schema: object, isExternal = false): SchemaCheck {
  const known = isExternal ? externalChecks : checks;
  let check = known.get(schema);
  if (check === undefined) {
    check = isStandardSchema(schema) ? standardCheck(schema) : new PlainCheck(schema, isExternal);
    known.set(schema, check);
  }
  return check;
}

// A class, not closures: a catalogue registers a thousand of them, and most are never asked.
class PlainCheck implements SchemaCheck {
  readonly jsonSchema: object;
  readonly #isExternal: boolean;
  #checked: object | undefined;
  #test: ((value: unknown) => boolean) | undefined;
  /** `null`: not made yet. */
  #outspoken: OutspokenSchema | undefined | null = null;

  constructor(schema: object, isExternal: boolean) {
    this.jsonSchema = schema;
    this.#isExternal = isExternal;
  }

  get checked(): object {
    this.#checked ??= compiled(() => checkedSchema(this.jsonSchema, this.#isExternal)) ?? this.jsonSchema;
    return this.#checked;
  }

  accepts(value: unknown): boolean {
    this.#test ??= testOf(this.checked);
    return this.#test(value);
  }

  problems(value: unknown, isRefused = false): readonly SchemaProblem[] {
    if (!isRefused && this.accepts(value)) return [];
    if (this.#outspoken === null) this.#outspoken = outspokenSchema(this.checked);
    return problemsOf(this.checked, this.#outspoken, value);
  }

  validate(value: unknown): CheckResult {
    return this.accepts(value) ? { ok: true, value } : { ok: false, problems: this.problems(value, true) };
  }
}

/**
 * The compiled test. Of a schema with thousands of properties it is one expression, which the engine's own parser may
 * find too deep for the stack, at once or at the first value: then TypeBox reads the schema anew for each value.
 */
function testOf(schema: object): (value: unknown) => boolean {
  let check = compiled(() => Compile(schema));
  return (value) => {
    if (check === undefined) return Check(schema, value);
    try {
      return check.Check(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const isAccepted = Check(schema, value); // it throws the same when the value is what is too deep
      check = undefined;
      return isAccepted;
    }
  };
}

/** Undefined when the schema is too deep for the stack. */
function compiled<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw new NestcallError(ErrorCode.INVALID_TOOL, `A schema does not compile: ${thrownText(cause)}`, { cause });
  }
}

function problemsOf(schema: object, outspoken: OutspokenSchema | undefined, value: unknown): SchemaProblem[] {
  const { maxErrors } = Settings.Get();
  // TypeBox stops at 8, for the whole process; A4 wants every failing place. Nothing else runs before it is set back.
  Settings.Set({ maxErrors: MAX_PROBLEMS });
  try {
    const [, errors] = Errors(outspoken?.schema ?? schema, value);
    const problems: RuledProblem[] = [];
    for (const { keyword, schemaPath: asked, instancePath, params, message } of errors) {
      const schemaPath = outspoken === undefined ? asked : outspoken.givenPath(asked);
      if (schemaPath === undefined) continue;
      // Every variant's params are an object.
      const rule = { keyword, schemaPath, params: givenParams(params as FailedRule["params"]) };
      problems.push({ path: pathOf(instancePath, value), message, rule });
    }
    return withoutExplained(problems);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** A failed condition says nothing of its own when the failures of its `then` or `else` are there. */
function withoutExplained(problems: RuledProblem[]): RuledProblem[] {
  if (!problems.some(({ rule }) => rule.keyword === "if")) return problems;
  const explained = new Set<string>();
  for (const { rule } of problems) {
    for (const { index } of rule.schemaPath.matchAll(/\/(?:then|else)(?=\/|$)/g)) {
      explained.add(rule.schemaPath.slice(0, index));
    }
  }
  return problems.filter(({ rule }) => rule.keyword !== "if" || !explained.has(rule.schemaPath));
}

function pathOf(pointer: string, root: unknown): (string | number)[] {
  if (pointer === "") return [];
  let current: unknown = root;
  return pointerSteps(pointer).map((step) => {
    const isIndex = Array.isArray(current);
    const isHolder = typeof current === "object" && current !== null && Object.hasOwn(current, step);
    current = isHolder ? (current as Record<string, unknown>)[step] : undefined;
    return isIndex ? Number(step) : step;
  });
}

function standardCheck(schema: StandardSchema): SchemaCheck {
  const answer = standardJsonSchema(schema);
  if (answer.problem !== undefined) throw new NestcallError(ErrorCode.INVALID_TOOL, `The schema ${answer.problem}.`);
  const validate = (value: unknown): CheckResult | Promise<CheckResult> => {
    try {
      const result = schema["~standard"].validate(value);
      return isThenable(result) ? Promise.resolve(result).then(resultOf).catch(thrownResult) : resultOf(result);
    } catch (error) {
      return thrownResult(error);
    }
  };
  return {
    jsonSchema: answer.jsonSchema,
    checked: answer.jsonSchema,
    validate,
    accepts: undefined,
    problems: () => [],
  };
}

function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null)?.then === "function";
}

function resultOf(result: StandardResult<unknown>): CheckResult {
  if (result.issues === undefined || result.issues === null)
    return { ok: true, value: (result as { value: unknown }).value };
  const problems = Array.from(result.issues).slice(0, MAX_PROBLEMS).flatMap(problemsOfIssue);
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

function problemsOfIssue(issue: StandardIssue): readonly SchemaProblem[] {
  const path = Array.from(issue.path ?? [], (step) => {
    const key = typeof step === "object" ? step.key : step;
    return typeof key === "number" ? key : String(key);
  });
  const message = String(issue.message);
  // zod tells all unknown keys of an object in one issue of the object; the others have one at each key.
  const { code, keys } = issue as { readonly code?: unknown; readonly keys?: unknown };
  if (code !== "unrecognized_keys" || !Array.isArray(keys) || keys.length === 0) return [{ path, message }];
  return keys.slice(0, MAX_PROBLEMS).map((key) => ({ path: [...path, String(key)], message }));
}

function thrownResult(error: unknown): CheckResult {
  return { ok: false, problems: [{ path: [], message: `the schema's own check failed: ${thrownText(error)}` }] };
}
