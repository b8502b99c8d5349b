// The gateway's `tool_search`: what it finds is called in scripts, so it answers with the declarations that scripts are
// written against. It loads nothing: the client's list stays as it is.
import { renderDeclarations } from "../../../codemode/declarations/index.js";
import { safeTextLine } from "../../../errors/safe-text.js";
import { shortenText } from "../../../errors/text.js";
import { defineTool } from "../../../tools/define-tool.js";
import type { Tool, ToolContext, ToolInfo } from "../../../tools/tool.js";
import { Type } from "../../../tools/typebox.js";

export const SEARCH_NAME = "tool_search";

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;
const MAX_SERVERS = 24;
const MAX_NAME_CHARS = 40;
/** Of a whole answer, and of one tool in it. */
const BUDGET = { budgetTokens: 4_000, toolBudgetTokens: 1_000 };

const INPUT = Type.Object(
  {
    query: Type.String({
      description: 'What the tool should do, in a few words: "create issue". "" lists what there is.',
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: `Tools at most. Default ${DEFAULT_LIMIT}.` }),
    ),
  },
  { additionalProperties: false },
);

/** @param servers - Named in the description, so that a model knows what there is to be searched. */
export function createGatewaySearch(servers: readonly string[]): Tool<typeof INPUT> {
  return defineTool({
    name: SEARCH_NAME,
    title: "Search tools",
    description: `Finds tools that scripts of codemode can call, and shows their declarations.${originText(servers)}`,
    inputSchema: INPUT,
    effect: "read",
    exposure: "model-only",
    execute: ({ query, limit = DEFAULT_LIMIT }, ctx) => search(ctx, query, limit),
  });
}

function originText(servers: readonly string[]): string {
  if (servers.length === 0) return "";
  const shown = servers.slice(0, MAX_SERVERS).map((name) => oneLine(name, MAX_NAME_CHARS));
  const more = servers.length > shown.length ? ` and ${servers.length - shown.length} more` : "";
  return ` They are of: ${shown.join(", ")}${more}.`;
}

function search(ctx: ToolContext, query: string, limit: number): string {
  const { tools } = ctx; // what scripts can reach here and now
  if (query.trim() === "") return overview(tools);
  const names = new Set(tools.map(({ name }) => name));
  const found = ctx.session.searchTools(query, { limit, filter: ({ name }) => names.has(name) });
  if (found.length === 0) return `No tool fits ${JSON.stringify(oneLine(query, 80))}. ${overview(tools)}`;
  const called = 'Call them in a script of codemode; tools["exact-name"](arguments) always works.';
  return `${renderDeclarations(found.map(declared), BUDGET).trimEnd()}\n\n${called}`;
}

function declared({ name, title, description, inputSchema, outputSchema, namespace }: ToolInfo) {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** How many tools each server has. */
function overview(tools: readonly ToolInfo[]): string {
  if (tools.length === 0) return "There are no tools at present.";
  const counts = new Map<string, number>();
  for (const { namespace } of tools) {
    const name = namespace?.name ?? "this host";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].slice(0, MAX_SERVERS).map(([name, count]) => `${oneLine(name, MAX_NAME_CHARS)} (${count})`);
  const more = counts.size > parts.length ? `, and ${counts.size - parts.length} more` : "";
  return `There are ${tools.length} tools: of ${parts.join(", ")}${more}. Search by what a tool should do.`;
}

function oneLine(text: string, maxChars: number): string {
  return safeTextLine(shortenText(text.trim().replace(/\s+/g, " "), maxChars));
}
