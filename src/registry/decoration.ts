// E25: properties that the host adds to what the model fills in, such as `reason`. They are in the declaration alone:
// the tool keeps its own schema, and what the model gave for them is taken out before the arguments are checked.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import { measuredJson } from "../records/json-bytes.js";
import type { DeclaredEntry } from "./loadout.js";
import { takesProperty } from "./schema-properties.js";

export interface ToolDecoration {
  /** JSON Schemas by property name. */
  readonly properties: Readonly<Record<string, object>>;
  /** Which of them the model must fill in. Default: none. */
  readonly required?: readonly string[];
  /** Names of tools that are left as they are. Default: `bash` and `tool_search`. */
  readonly exclude?: readonly string[];
}

/** The arguments without what belongs to the decoration. */
export interface StrippedArguments {
  /** The value itself when nothing was taken out, else a copy. */
  readonly args: unknown;
  /** What was taken out, for the host to show; absent when nothing was. */
  readonly taken?: Readonly<Record<string, unknown>>;
}

/** A decoration as it was when it was looked at. */
interface Prepared extends Required<ToolDecoration> {
  /** What it comes to, by the schema that it is added to. */
  readonly known: WeakMap<object, Decorated>;
}

/** What a decoration comes to for one schema. */
interface Decorated {
  /** Names of the properties that are added. */
  readonly added: readonly string[];
  readonly schema: object;
}

const EXCLUDED: readonly string[] = ["bash", "tool_search"];
const preparedOf = new WeakMap<ToolDecoration, Prepared>();

/**
 * The schema that is declared: the tool's own, or a copy with the properties of the decoration. External and excluded
 * tools are left alone, and so is a property that the tool takes itself. The same schema object gives the same copy.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for a decoration of a wrong form.
 */
export function decoratedSchema(entry: DeclaredEntry, decoration: ToolDecoration | undefined): object {
  return decorate(entry, decoration)?.schema ?? entry.input.jsonSchema;
}

/** Takes what the decoration added out of a model's arguments. Never what the tool itself takes under that name. */
export function stripDecoration(
  entry: DeclaredEntry,
  args: unknown,
  decoration: ToolDecoration | undefined,
): StrippedArguments {
  if (!isObject(args)) return { args };
  const given = decorate(entry, decoration)?.added.filter((name) => Object.hasOwn(args, name)) ?? [];
  if (given.length === 0) return { args };
  const rest: Record<string, unknown> = { ...args };
  const taken: Record<string, unknown> = {};
  for (const name of given) {
    Object.defineProperty(taken, name, { value: rest[name], enumerable: true, configurable: true, writable: true });
    delete rest[name];
  }
  return { args: rest, taken };
}

function decorate(entry: DeclaredEntry, decoration: ToolDecoration | undefined): Decorated | undefined {
  if (decoration === undefined) return undefined;
  const prepared = preparedOf.get(decoration) ?? prepare(decoration);
  const { known, properties, exclude } = prepared;
  if (entry.external || exclude.includes(entry.tool.name)) return undefined;
  const { jsonSchema } = entry.input;
  const before = known.get(jsonSchema);
  if (before !== undefined) return before;
  const added = Object.keys(properties).filter((name) => !takesProperty(jsonSchema, name));
  const result = { added, schema: added.length === 0 ? jsonSchema : withProperties(jsonSchema, added, prepared) };
  known.set(jsonSchema, result);
  return result;
}

function withProperties(schema: object, names: readonly string[], { properties, required }: Prepared): object {
  const { properties: own, required: ownRequired } = schema as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  const wanted = names.filter((name) => required.includes(name));
  const added = Object.fromEntries(names.map((name) => [name, properties[name]]));
  return {
    ...schema,
    properties: { ...own, ...added },
    ...(wanted.length === 0 ? {} : { required: [...(ownRequired ?? []), ...wanted] }),
  };
}

/**
 * Looks at a decoration before anything is declared with it.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` that says which part is wrong.
 */
export function checkDecoration(decoration: ToolDecoration): void {
  if (!preparedOf.has(decoration)) prepare(decoration);
}

function prepare(decoration: ToolDecoration): Prepared {
  let prepared: Prepared;
  try {
    prepared = preparedFrom(decoration);
  } catch (cause) {
    if (cause instanceof NestcallError) throw cause;
    throw wrong(`cannot be read: ${thrownText(cause)}`, { cause });
  }
  preparedOf.set(decoration, prepared);
  return prepared;
}

function preparedFrom(decoration: unknown): Prepared {
  if (!isObject(decoration))
    throw wrong(`is an object such as { properties: { reason: … } }, not ${describeValue(decoration)}`);
  const { properties, required = [], exclude = EXCLUDED } = decoration;
  if (!isObject(properties)) throw wrong(`has an object of schemas as properties, not ${describeValue(properties)}`);
  const schemas = Object.fromEntries(Object.keys(properties).map((name) => [name, schemaOf(name, properties[name])]));
  const lists = { required: namesOf("required", required), exclude: namesOf("exclude", exclude) };
  const unknown = lists.required.find((name) => !Object.hasOwn(schemas, name));
  if (unknown !== undefined) throw wrong(`requires "${unknown}", which is not among its properties`);
  return { properties: schemas, ...lists, known: new WeakMap() };
}

/** A copy: a schema that throws, or is another one, when it is read again would be blamed on the tools it is added to. */
function schemaOf(name: string, schema: unknown): object {
  if (!isObject(schema)) throw wrong(`has a schema for each property; "${name}" is ${describeValue(schema)}`);
  let json: unknown;
  try {
    json = measuredJson(schema, Number.POSITIVE_INFINITY)?.json;
  } catch (cause) {
    throw wrong(`has a schema for each property; "${name}" has no JSON form (${thrownText(cause)})`, { cause });
  }
  if (!isObject(json)) throw wrong(`has a schema for each property; the JSON form of "${name}" is none`);
  return json;
}

function namesOf(key: "required" | "exclude", list: unknown): readonly string[] {
  const names: readonly unknown[] | undefined = Array.isArray(list) ? [...(list as readonly unknown[])] : undefined;
  if (names?.every((name) => typeof name === "string") === true) return names;
  throw wrong(`has a list of names as ${key}`);
}

function wrong(what: string, options?: ErrorOptions): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `A decoration ${what}.`, options);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
