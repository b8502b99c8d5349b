// The tool by which a model finds what it has not been shown, and loads it (P48, E53).

import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { safeTextLine } from "../errors/safe-text.js";
import { describeValue, shortenText } from "../errors/text.js";
import { defineTool } from "../tools/define-tool.js";
import type { Tool, ToolContext, ToolInfo, ToolReturn } from "../tools/tool.js";
import type { ToolMatch } from "../tools/tool-session.js";
import { Type } from "../tools/typebox.js";
import { parametersOf, type ToolParameter } from "./schema-parameters.js";

export interface ToolSearchOptions {
  /** How many tools a search loads at most when the model does not say. Default 5. */
  readonly limit?: number;
  /** Default `tool_search`. */
  readonly name?: string;
}

/** A tool that a search found; `state` says how it can be reached from now on. */
export interface FoundTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly namespace?: string;
  readonly parameters: readonly ToolParameter[];
  /** Loaded by this search, active before it, or to be called by scripts and other tools only. */
  readonly state: "loaded" | "active" | "codemode";
}

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;
const MAX_DESCRIPTION_CHARS = 240;
const MAX_PARAMETERS = 24;
const MAX_PARAMETER_CHARS = 80;
const MAX_NAMESPACES = 12;

const INPUT = Type.Object(
  {
    query: Type.String({ description: 'What the tool should do, in a few words: "create calendar event".' }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "How many tools to load at most." }),
    ),
  },
  { additionalProperties: false },
);
const DESCRIPTION =
  "Finds tools that are not loaded, by words for what they do, their names or their parameters, and loads those that fit " +
  "best: they can be called from the next message on. Search again with other words when nothing fits.";

/**
 * The tool `tool_search`. It finds deferred and codemode tools of the session that it is called in, as far as they may be
 * used there now (plan mode, grants, scope), activates the deferred ones in that session, and says what they take.
 *
 * @returns A tool of exposure `model-only`: it is for the model. Its `structuredContent` is `{ tools: FoundTool[] }`.
 * @throws NestcallError `INVALID_ARGUMENTS` for a limit that is no whole number from 1 to 50, `INVALID_TOOL` for a bad name.
 */
export function createToolSearch(options: ToolSearchOptions = {}): Tool<typeof INPUT> {
  const { limit = DEFAULT_LIMIT, name = "tool_search" } = checkOptions(options);
  return defineTool({
    name,
    title: "Search tools",
    description: DESCRIPTION,
    inputSchema: INPUT,
    effect: "read",
    exposure: "model-only",
    execute: ({ query, limit: asked = limit }, ctx) => search(ctx, query, asked),
  });
}

function search(ctx: ToolContext, query: string, limit: number): ToolReturn {
  // What tools may call here and now, and a model has to look for.
  const candidates = ctx.tools.filter(({ exposure }) => exposure === "deferred" || exposure === "codemode");
  const names = new Set(candidates.map(({ name }) => name));
  const matches = ctx.session.searchTools(query, { limit, filter: ({ name }) => names.has(name) });
  const wereActive = new Set(matches.map(({ name }) => name).filter((name) => ctx.session.isActive(name)));
  const wanted = matches.filter(({ name, exposure }) => exposure === "deferred" && !wereActive.has(name));
  if (wanted.length > 0) ctx.session.activate(wanted.map(({ name }) => name));
  const tools = matches.map((match) => foundTool(match, wereActive.has(match.name)));
  const text = tools.length === 0 ? nothingFound(query, candidates) : tools.map(textOf).join("\n\n");
  return { content: [{ type: "text", text }], structuredContent: { tools } };
}

function foundTool(match: ToolMatch, wasActive: boolean): FoundTool {
  const { name, title, description, namespace, exposure, inputSchema } = match;
  return {
    name,
    ...(title === undefined ? {} : { title: oneLine(title, MAX_DESCRIPTION_CHARS) }),
    description: oneLine(description, MAX_DESCRIPTION_CHARS),
    ...(namespace === undefined ? {} : { namespace: oneLine(namespace.name, MAX_PARAMETER_CHARS) }),
    parameters: parametersOf(inputSchema).slice(0, MAX_PARAMETERS).map(shortParameter),
    state: wasActive ? "active" : exposure === "deferred" ? "loaded" : "codemode",
  };
}

/** A schema from outside must not be able to write lines of its own, or very long ones. */
function shortParameter({ name, type, isRequired }: ToolParameter): ToolParameter {
  return { name: oneLine(name, MAX_PARAMETER_CHARS), type: oneLine(type, MAX_PARAMETER_CHARS), isRequired };
}

const STATES: Readonly<Record<FoundTool["state"], string>> = {
  loaded: "loaded: call it from your next message on",
  active: "was loaded already",
  codemode: "for scripts and other tools only",
};

function textOf({ name, description, parameters, state }: FoundTool): string {
  const taken = parameters.map(({ name: own, type, isRequired }) => `${own}${isRequired ? "" : "?"}: ${type}`);
  const more = parameters.length === MAX_PARAMETERS ? ", …" : "";
  const takes = taken.length === 0 ? "takes no named parameters" : `takes ${taken.join(", ")}${more}`;
  return `${name} (${STATES[state]})\n  ${description}\n  ${takes}`;
}

function nothingFound(query: string, candidates: readonly ToolInfo[]): string {
  if (candidates.length === 0) return "There are no tools to be found: all that can be used here are loaded.";
  const namespaces = [
    ...new Set(candidates.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace.name]))),
  ];
  const shown = namespaces.slice(0, MAX_NAMESPACES).map((name) => oneLine(name, MAX_PARAMETER_CHARS));
  const more = namespaces.length > shown.length ? ", …" : "";
  const where = shown.length === 0 ? "" : ` Some belong to: ${shown.join(", ")}${more}.`;
  const count = candidates.length === 1 ? "one tool that can" : `${candidates.length} tools that can`;
  return `No tool fits "${oneLine(query, MAX_PARAMETER_CHARS)}"; nothing was loaded. There is ${count} be found: try other words.${where}`;
}

function oneLine(text: string, maxChars: number): string {
  return safeTextLine(shortenText(text.trim().replace(/\s+/g, " "), maxChars));
}

function checkOptions(options: unknown): ToolSearchOptions {
  if (typeof options !== "object" || options === null) {
    throw wrong(`createToolSearch takes options as an object such as { limit: 5 }; it got ${describeValue(options)}.`);
  }
  const { limit } = options as { readonly limit?: unknown };
  const isCount = Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= MAX_LIMIT;
  if (limit === undefined || isCount) return options;
  throw wrong(
    `createToolSearch: options.limit must be a whole number from 1 to ${MAX_LIMIT}; it is ${describeValue(limit)}.`,
  );
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
