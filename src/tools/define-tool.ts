// What an author wrote becomes a tool: checked on the spot, short forms written out, frozen (DESIGN 4.1).
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { annotationsOfEffect, type Effect } from "./annotations.js";
import {
  type BrokenDefinition,
  brokenDefinition,
  DEFINITION_KEYS,
  type DefinitionFields,
  unreadable,
} from "./check-definition.js";
import { oneLine, quotedText } from "./place-text.js";
import type { Tool, ToolDefinition, ToolSchema } from "./tool.js";

const definedTools = new WeakSet<object>();
/** Tells an accessor without making a descriptor of each field, which would be half of what a definition costs. */
const getterOf = (Object.prototype as unknown as { readonly __lookupGetter__: (key: string) => unknown })
  .__lookupGetter__;

/**
 * Checks a definition and gives the tool that an executor takes. A tool that this function gave comes back as it is.
 * Nothing is compiled here; the schema is, at the first call.
 *
 * @returns A frozen object with every given field, `annotations` written out, `exposure` and `executionMode` set.
 *   Accessors stay accessors, keys that are symbols stay.
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place; `cause` is what the author's own code threw,
 *   a getter or a proxy.
 */
export function defineTool<const Input extends ToolSchema, const Output = undefined>(
  definition: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  if (isDefinedTool(definition)) return definition as Tool<Input, Output>; // it was this type when it was made
  let fields: DefinitionFields = {};
  let refusal: BrokenDefinition;
  try {
    const isPlain = isPlainData(definition);
    if (isPlain) fields = { ...definition };
    const broken =
      (isPlain ? undefined : readFields(definition, fields)) ?? brokenDefinition(fields, isPlain ? fields : definition);
    if (broken === undefined) {
      const tool = isPlain ? plainTool(fields) : copiedTool(definition, fields);
      definedTools.add(tool);
      return tool as unknown as Tool<Input, Output>; // each of its fields was checked above
    }
    refusal = broken;
  } catch (cause) {
    // The definition may be a proxy, and a getter may give a field once only.
    refusal = unreadable("the definition", cause);
  }
  throw invalidTool(fields.name, refusal);
}

/** Whether this copy of the library made the value with `defineTool`. */
export function isDefinedTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && definedTools.has(value);
}

/**
 * The tool with more fields, for a front door whose authors know some of it by other names. What comes back is a tool as
 * `defineTool` makes them.
 */
export function withFields<T extends Tool<never, unknown>, Fields extends object>(tool: T, fields: Fields): T & Fields {
  const both = { ...Object.getOwnPropertyDescriptors(tool), ...Object.getOwnPropertyDescriptors(fields) };
  const whole = Object.freeze(Object.defineProperties({}, both));
  definedTools.add(whole);
  return whole as T & Fields; // every property of the two is there
}

/**
 * Whether the definition is what almost all are, an object of its own with nothing but data in it. A copy of such a one
 * reads every field once, runs no code of the author, and becomes the tool. Never throws.
 */
function isPlainData(definition: unknown): definition is DefinitionFields {
  if (typeof definition !== "object" || definition === null) return false;
  try {
    if (Object.getPrototypeOf(definition) !== Object.prototype) return false;
    let count = 0;
    for (const key in definition) {
      if (getterOf.call(definition, key) !== undefined || (definition as DefinitionFields)[key] === undefined)
        return false;
      count += 1;
    }
    const isAll = Object.getOwnPropertyNames(definition).length === count;
    return isAll && Object.getOwnPropertySymbols(definition).length === 0;
  } catch {
    return false; // a proxy; who reads it field by field can say where it throws
  }
}

/** Fills `fields`, as far as they can be read, and says what cannot. */
function readFields(definition: unknown, fields: Record<string, unknown>): BrokenDefinition | undefined {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    return { text: `a definition must be an object; it is ${describeValue(definition)}` };
  }
  for (const key of DEFINITION_KEYS) {
    try {
      fields[key] = (definition as DefinitionFields)[key];
    } catch (cause) {
      return unreadable(key, cause);
    }
  }
  return undefined;
}

function plainTool(fields: DefinitionFields): object {
  const annotations = annotationsOf(fields);
  // Written so, the whole is one copy of the fields; two spreads, or fields added later, cost ten times as much.
  const tool: Record<string, unknown> = { annotations, exposure: "direct", executionMode: "parallel", ...fields };
  tool.annotations = annotations;
  if (fields.namespace !== undefined) tool.namespace = Object.freeze({ ...fields.namespace });
  return Object.freeze(tool);
}

/** Keeps accessors and symbols, and takes in what the definition has from its class. */
function copiedTool(definition: object, fields: DefinitionFields): object {
  const tool: Record<PropertyKey, unknown> = {};
  for (const key of Reflect.ownKeys(definition)) {
    const descriptor = Object.getOwnPropertyDescriptor(definition, key);
    // An accessor stays one: a description may be rendered each time it is read.
    if (descriptor?.get !== undefined) Object.defineProperty(tool, key, descriptor);
    else if (descriptor?.enumerable === true && descriptor.value !== undefined) tool[key] = descriptor.value;
  }
  for (const key of DEFINITION_KEYS) {
    const isInherited = fields[key] !== undefined && !Object.hasOwn(tool, key);
    if (isInherited) tool[key] = fields[key]; // a method of the definition's class
  }
  set(tool, "name", fields.name); // a registry keeps the tool under it
  set(tool, "annotations", annotationsOf(fields));
  set(tool, "exposure", fields.exposure ?? "direct");
  set(tool, "executionMode", fields.executionMode ?? "parallel");
  if (fields.namespace !== undefined) set(tool, "namespace", Object.freeze({ ...fields.namespace }));
  return Object.freeze(tool);
}

/** An accessor that was copied would refuse a plain assignment. */
function set(tool: Record<PropertyKey, unknown>, key: string, value: unknown): void {
  if (Object.getOwnPropertyDescriptor(tool, key)?.get === undefined) tool[key] = value;
  else Object.defineProperty(tool, key, { value, enumerable: true, configurable: true, writable: true });
}

function annotationsOf(fields: DefinitionFields): object {
  const { effect, annotations } = fields;
  if (effect === undefined) return Object.freeze({ ...(annotations as object | undefined) });
  const idempotent = fields.idempotent as boolean | undefined; // both were checked to be flags
  const openWorld = fields.openWorld as boolean | undefined;
  return Object.freeze(annotationsOfEffect(effect as Effect, { idempotent, openWorld }));
}

function invalidTool(name: unknown, { text, options }: BrokenDefinition): NestcallError {
  const subject = typeof name === "string" ? `Tool ${quotedText(name, 80)}` : "A tool";
  const end = text.endsWith("?") ? "" : ".";
  return new NestcallError(ErrorCode.INVALID_TOOL, `${subject}: ${oneLine(text)}${end}`, options);
}
