// From a plugin's definition to the tool that the registry takes.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import { isThenable } from "../../errors/thenable.js";
import { closestNames } from "../../tools/closest-names.js";
import { defineTool } from "../../tools/define-tool.js";
import type { Tool, ToolContext, ToolDefinition, ToolReturn } from "../../tools/tool.js";
import { runInCall } from "./running-call.js";
import type { AnyToolDefinition } from "./tool-definition.js";

/** A field of a plugin's definition, and ours. */
const FIELDS: readonly (readonly [theirs: string, ours: string])[] = [
  ["name", "name"],
  ["label", "title"],
  ["description", "description"],
  ["parameters", "inputSchema"],
  ["outputSchema", "outputSchema"],
  ["annotations", "annotations"],
  ["exposure", "exposure"],
  ["namespace", "namespace"],
  ["executionMode", "executionMode"],
  ["promptSnippet", "snippet"],
  ["promptGuidelines", "guidelines"],
  ["prepareArguments", "prepareArguments"],
  ["execute", "execute"],
];
/** Of the screen and the session of the host that the tools were first written for; they mean nothing here. */
const LEFT_OUT = [
  "renderShell",
  "renderCall",
  "renderResult",
  "prepareLoadout",
  "reachesTools",
  "constrainedSampling",
  "defaultActive",
];
const KNOWN: readonly string[] = FIELDS.map(([theirs]) => theirs);
const PLACE = new RegExp(`^((?:Tool "(?:[^"\\\\]|\\\\.)*"|A tool): )(${FIELDS.map(([, ours]) => ours).join("|")})\\b`);

/**
 * Takes a definition in: every field is read once, and what becomes of the definition later changes nothing.
 *
 * @throws NestcallError `INVALID_TOOL`, naming the tool and the place in the plugin's own words.
 */
export function toTool(definition: AnyToolDefinition): Tool {
  if (typeof definition !== "object" || definition === null) {
    throw invalidTool(`A tool: a definition must be an object; it is ${describeValue(definition)}.`);
  }
  checkKeys(definition);
  const fields: Record<string, unknown> = { strict: false }; // plugins leave objects open and write unions of literals
  for (const [theirs, ours] of FIELDS) {
    const value = fieldOf(definition, theirs, fields.name);
    if (value !== undefined) fields[ours] = Array.isArray(value) ? [...value] : value;
  }
  const { execute, prepareArguments } = fields;
  // What their arguments are is theirs to know.
  if (typeof execute === "function") fields.execute = executeOf(definition, execute as AnyToolDefinition["execute"]);
  if (typeof prepareArguments === "function") fields.prepareArguments = prepareArguments.bind(definition);
  try {
    return defineTool(fields as unknown as ToolDefinition) as unknown as Tool; // defineTool checks each field
  } catch (error) {
    throw inTheirWords(error);
  }
}

function fieldOf(definition: AnyToolDefinition, field: string, name: unknown): unknown {
  try {
    return definition[field as keyof AnyToolDefinition];
  } catch (cause) {
    const why = shortenText(thrownText(cause), 200);
    throw invalidTool(`${subjectOf(name)}: ${field} throws when it is read (${why}).`, { cause });
  }
}

function executeOf(definition: AnyToolDefinition, execute: AnyToolDefinition["execute"]): ToolDefinition["execute"] {
  return (args: unknown, ctx: ToolContext) =>
    runInCall(ctx, () => {
      const returned: unknown = execute.call(definition, ctx.toolCallId, args, ctx.signal, ctx.onUpdate, ctx);
      return isThenable(returned) ? Promise.resolve(returned).then(withContent) : withContent(returned);
    });
}

/** E4: a result is an object with a list of blocks, and nothing else. What is none is handed on so that the engine refuses it. */
function withContent(returned: unknown): ToolReturn {
  if (typeof returned !== "object" || returned === null) return { content: returned ?? null } as unknown as ToolReturn;
  const isComplete = Array.isArray(returned) || (returned as { readonly content?: unknown }).content !== undefined;
  return (isComplete ? returned : { ...returned, content: null }) as ToolReturn;
}

function checkKeys(definition: object): void {
  const unknown = Object.keys(definition).find((key) => !KNOWN.includes(key) && !LEFT_OUT.includes(key));
  if (unknown === undefined) return;
  const close = FIELDS.find(([, ours]) => ours === unknown)?.[0] ?? closestNames(unknown, KNOWN, 1)[0];
  const hint = close === undefined ? `the known keys are ${KNOWN.join(", ")}.` : `did you mean "${close}"?`;
  const subject = subjectOf(fieldOf(definition as AnyToolDefinition, "name", undefined));
  throw invalidTool(`${subject}: "${shortenText(unknown, 60)}" is no key that is known here; ${hint}`);
}

/** The author wrote `parameters`, so that is where the message has to lead. */
function inTheirWords(error: unknown): unknown {
  if (!(error instanceof NestcallError)) return error;
  const message = error.message.replace(PLACE, (_all, subject: string, place: string) => {
    const field = FIELDS.find(([, ours]) => ours === place);
    return `${subject}${field?.[0] ?? place}`;
  });
  return new NestcallError(error.code, message, { cause: error.cause ?? error });
}

function subjectOf(name: unknown): string {
  return typeof name === "string" ? `Tool "${shortenText(name, 80)}"` : "A tool";
}

function invalidTool(message: string, options?: ErrorOptions): NestcallError {
  return new NestcallError(ErrorCode.INVALID_TOOL, message, options);
}
