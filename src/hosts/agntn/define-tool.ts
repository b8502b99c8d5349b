// The front door for tools written for @agntn/tools: stricter names and schemas, and the definition becomes a tool of ours.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import { closestNames } from "../../tools/closest-names.js";
import { defineTool as defineCoreTool, isDefinedTool, withFields } from "../../tools/define-tool.js";
import { quotedText } from "../../tools/place-text.js";
import { isStandardSchema } from "../../tools/standard-schema.js";
import type { ToolDefinition as CoreDefinition, Tool } from "../../tools/tool.js";
import type { TSchema } from "../../tools/typebox.js";
import { withOneLineFailures } from "./one-line-failures.js";
import type { AgntnTool, ExecuteOptions, ToolDefinition } from "./tool-definition.js";

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const KEYS: readonly string[] = [
  "name",
  "title",
  "description",
  "snippet",
  "guidelines",
  "effect",
  "idempotent",
  "openWorld",
  "input",
  "execute",
];

/**
 * Checks a definition when its module is loaded, and gives a tool that `createExecutor({ tools })` and every other door
 * takes. It keeps the documented fields, with the defaults of `idempotent` and `openWorld` written out.
 *
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place: a name that is not lowercase, a schema that is a
 *   function (a host's own `Type` made it) or of another library, one that breaks a rule of style, an unknown key.
 */
export function defineTool<const Input extends TSchema>(definition: ToolDefinition<Input>): AgntnTool<Input> {
  if (isDefinedTool(definition) && "input" in definition) return definition as unknown as AgntnTool<Input>;
  const broken = brokenDefinition(definition);
  if (broken !== undefined) throw invalidTool(`${subjectOf(definition)}: ${broken}`);
  const fields = coreFields(definition);
  try {
    const tool = defineCoreTool(fields as unknown as CoreDefinition<Input>) as Tool<never>; // it checks each field
    return withFields(tool, { input: definition.input }) as unknown as AgntnTool<Input>;
  } catch (error) {
    throw inTheirWords(error);
  }
}

/** The fields that were given, under our names, with the defaults that are told. */
function coreFields(definition: object): Record<string, unknown> {
  const given = definition as { readonly [key: string]: unknown };
  const fields: Record<string, unknown> = { idempotent: given.effect === "read", openWorld: false };
  for (const key of KEYS) {
    if (given[key] !== undefined) fields[key === "input" ? "inputSchema" : key] = given[key];
  }
  const { execute } = fields;
  if (typeof execute === "function") fields.execute = executeOf((...args) => execute.apply(definition, args));
  return fields;
}

function executeOf(execute: (input: unknown, options: ExecuteOptions) => unknown) {
  return (input: unknown, options: ExecuteOptions | undefined) => {
    const signal = options?.signal ?? new AbortController().signal;
    return withOneLineFailures(() => execute(input, { signal }), signal);
  };
}

function brokenDefinition(definition: unknown): string | undefined {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    return `a definition must be an object; it is ${describeValue(definition)}.`;
  }
  const { name, effect, input } = definition as { readonly [key: string]: unknown };
  if (typeof name !== "string" || !NAME.test(name)) {
    const rule = "must be lowercase letters, digits and _, with a letter first, at most 64 of them";
    return `name ${rule}; it is ${describeValue(name)}.`;
  }
  if (effect === undefined) return 'effect is missing; say effect: "read", "write" or "destructive".';
  if (isStandardSchema(input)) {
    return `input must be made with Type from "nestcall/agntn"; it is a schema of another library (${quotedText(String(input["~standard"].vendor), 40)}).`;
  }
  return brokenKey(Object.keys(definition));
}

function brokenKey(given: readonly string[]): string | undefined {
  const unknown = given.find((key) => !KEYS.includes(key));
  if (unknown === undefined) return undefined;
  const close = unknown === "inputSchema" || unknown === "parameters" ? "input" : closestNames(unknown, KEYS, 1)[0];
  const hint = close === undefined ? `the known keys are ${KEYS.join(", ")}.` : `did you mean "${close}"?`;
  return `${quotedText(unknown, 60)} is no key that is known here; ${hint}`;
}

function subjectOf(definition: unknown): string {
  const { name } = (definition ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? `Tool ${quotedText(name, 80)}` : "A tool";
}

/** The author wrote `input`, and takes `Type` from here. */
function inTheirWords(error: unknown): unknown {
  if (!(error instanceof NestcallError)) return error;
  const message = error.message
    .replace(/^(Tool "(?:[^"\\]|\\.)*": |A tool: )inputSchema\b/, "$1input")
    .replaceAll('from "nestcall"', 'from "nestcall/agntn"');
  return new NestcallError(error.code, message, error.cause === undefined ? undefined : { cause: error.cause });
}

function invalidTool(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_TOOL, message);
}
