// A registered tool and what the registry keeps beside it: who brought it, for whom, and how far it is trusted.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { closestNames } from "../tools/closest-names.js";
import { type SchemaCheck, schemaCheckOf } from "../tools/schema-check.js";
import type { Tool, ToolInfo } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";
import { type ReadableEntry, readDescription, readTitle } from "./read-description.js";

export interface RegisterOptions {
  /** False keeps a `direct` or `model-only` tool out of the active set. Default true. */
  readonly defaultActive?: boolean;
  /** The definition was written elsewhere, by an MCP server for instance: it is capped when it is declared. Default false. */
  readonly external?: boolean;
  /** The plugin or server that brings the tool. The first owner of a name keeps it. Default: the host. */
  readonly owner?: string;
  /** Only sessions of this account have the tool. */
  readonly ownerUserId?: string;
  /** Only sessions with this project have the tool. */
  readonly projectId?: string;
  /** Only sessions of this platform have the tool. */
  readonly platform?: string;
  /** The tool may be used in plan mode. Default false; a read-only tool of the host may be used anyway. */
  readonly planSafe?: boolean;
  /** Its owner says that it changes nothing. A classification; it allows nothing by itself. Default false. */
  readonly readOnly?: boolean;
}

/** Where a tool is to be had; every part that is there must fit. */
interface ToolScope {
  readonly ownerUserId: string | undefined;
  readonly projectId: string | undefined;
  readonly platform: string | undefined;
}

/** What the host knows of a tool, with nothing left open. Never part of what a model is shown. */
export interface PluginToolMetadata extends ToolScope {
  readonly name: string;
  readonly external: boolean;
  /** `undefined`: the host. */
  readonly owner: string | undefined;
  readonly planSafe: boolean;
  readonly readOnly: boolean;
}

export interface RegistryEntry extends PluginToolMetadata {
  readonly tool: Tool;
  readonly input: SchemaCheck;
  readonly output: SchemaCheck | undefined;
  /** `undefined`: everywhere. */
  readonly scope: ToolScope | undefined;
  /** Whether a session that chose nothing has it in its active set. */
  readonly startsActive: boolean;
  readonly defaultActive: boolean;
  /** Hears of what cannot be read when tools are listed. */
  readonly report: ReadableEntry["report"];
}

/** Two owners wanted one name; the first one kept it. An owner that is `undefined` is the host. */
export interface ToolCollision {
  readonly name: string;
  readonly owner: string | undefined;
  readonly rejectedOwner: string | undefined;
}
export type Registration =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly collision: ToolCollision };

const FLAGS = ["defaultActive", "external", "planSafe", "readOnly"] as const;
const TEXTS = ["owner", "ownerUserId", "projectId", "platform"] as const;
const OPTIONS: readonly string[] = [...FLAGS, ...TEXTS];

export function entryFor(tool: Tool, given: RegisterOptions, report: RegistryEntry["report"]): RegistryEntry {
  const { owner, ownerUserId, projectId, platform, external = false, planSafe = false, readOnly = false } = given;
  const { defaultActive = true } = given;
  const isScoped = ownerUserId !== undefined || projectId !== undefined || platform !== undefined;
  const { exposure, outputSchema } = tool;
  return {
    name: tool.name,
    tool,
    input: schemaCheckOf(tool.inputSchema, external),
    output:
      typeof outputSchema === "object" && outputSchema !== null ? schemaCheckOf(outputSchema, external) : undefined,
    external,
    owner,
    ownerUserId,
    projectId,
    platform,
    scope: isScoped ? { ownerUserId, projectId, platform } : undefined,
    planSafe,
    readOnly,
    defaultActive,
    startsActive: defaultActive && (exposure === "direct" || exposure === "model-only"),
    report,
  };
}

export function metadataOf(entry: RegistryEntry): PluginToolMetadata {
  const { name, external, owner, ownerUserId, projectId, platform, planSafe, readOnly } = entry;
  return Object.freeze({ name, external, owner, ownerUserId, projectId, platform, planSafe, readOnly });
}

/** What a session is told of a tool; without one, what calls without a session are told. */
export function infoOf(entry: RegistryEntry, session?: ToolSession): ToolInfo {
  const { tool, input, output } = entry;
  const { name, annotations, exposure, namespace } = tool;
  const title = readTitle(entry);
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: readDescription(entry, session),
    inputSchema: input.jsonSchema,
    ...(output === undefined ? {} : { outputSchema: output.jsonSchema }),
    annotations,
    exposure,
    ...(namespace === undefined ? {} : { namespace }),
  });
}

/** @throws NestcallError `INVALID_ARGUMENTS` that names the tool, the option, what came, and what is wanted. */
export function checkRegisterOptions(name: string, options: unknown): RegisterOptions {
  if (typeof options !== "object" || options === null) {
    throw wrong(`registry.register("${name}") takes an options object; it got ${describeValue(options)}.`);
  }
  const names = Object.keys(options);
  if (names.length === 0) return options;
  const unknown = names.find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    const [close] = closestNames(unknown, OPTIONS, 1);
    const known = OPTIONS.map((option) => `"${option}"`).join(", ");
    const hint = close === undefined ? `known are ${known}` : `did you mean "${close}"?`;
    throw wrong(`registry.register("${name}") has no option "${shortenText(unknown, 60)}"; ${hint}.`);
  }
  const given = options as { readonly [option: string]: unknown };
  for (const flag of FLAGS) {
    if (given[flag] !== undefined && typeof given[flag] !== "boolean") {
      throw wrong(
        `registry.register("${name}"): options.${flag} must be true or false, not ${describeValue(given[flag])}.`,
      );
    }
  }
  for (const text of TEXTS) {
    const value = given[text];
    if (value !== undefined && (typeof value !== "string" || value === "")) {
      throw wrong(
        `registry.register("${name}"): options.${text} must be a text that is not empty, not ${describeValue(value)}.`,
      );
    }
  }
  return options;
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
