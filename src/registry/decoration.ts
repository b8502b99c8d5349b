// E25: properties that the host adds to what the model fills in, such as `reason`. They are in the declaration alone:
// the tool keeps its own schema, and what the model gave for them is taken out before the arguments are checked.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
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

/** What a decoration comes to for one schema. */
interface Decorated {
  /** Names of the properties that are added. */
  readonly added: readonly string[];
  readonly schema: object;
}

const EXCLUDED: readonly string[] = ["bash", "tool_search"];
const schemasOf = new WeakMap<ToolDecoration, WeakMap<object, Decorated>>();

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
  const known = schemasOf.get(decoration) ?? prepare(decoration);
  if (entry.external || (decoration.exclude ?? EXCLUDED).includes(entry.tool.name)) return undefined;
  const { jsonSchema } = entry.input;
  const before = known.get(jsonSchema);
  if (before !== undefined) return before;
  const added = Object.keys(decoration.properties).filter((name) => !takesProperty(jsonSchema, name));
  const result = { added, schema: added.length === 0 ? jsonSchema : withProperties(jsonSchema, added, decoration) };
  known.set(jsonSchema, result);
  return result;
}

function withProperties(schema: object, names: readonly string[], { properties, required }: ToolDecoration): object {
  const { properties: own, required: ownRequired } = schema as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  const wanted = names.filter((name) => required?.includes(name) === true);
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
  if (!schemasOf.has(decoration)) prepare(decoration);
}

function prepare(decoration: ToolDecoration): WeakMap<object, Decorated> {
  const problem = decorationProblem(decoration);
  if (problem !== undefined) throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, `A decoration ${problem}.`);
  const known = new WeakMap<object, Decorated>();
  schemasOf.set(decoration, known);
  return known;
}

function decorationProblem(decoration: unknown): string | undefined {
  if (!isObject(decoration))
    return `is an object such as { properties: { reason: … } }, not ${describeValue(decoration)}`;
  const { properties, required = [], exclude = [] } = decoration;
  if (!isObject(properties)) return `has an object of schemas as properties, not ${describeValue(properties)}`;
  const bad = Object.keys(properties).find((name) => !isObject(properties[name]));
  if (bad !== undefined) return `has a schema for each property; "${bad}" is ${describeValue(properties[bad])}`;
  for (const [key, list] of Object.entries({ required, exclude })) {
    if (!Array.isArray(list) || !list.every((name) => typeof name === "string")) return `has a list of names as ${key}`;
  }
  const unknown = (required as readonly string[]).find((name) => !Object.hasOwn(properties, name));
  return unknown === undefined ? undefined : `requires "${unknown}", which is not among its properties`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
