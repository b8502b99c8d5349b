// What a server offers, page after page, as far as it can be used. One bad tool costs nobody the others.
import { describeValue, shortenText } from "../../errors/text.js";
import { oneLine } from "../../tools/place-text.js";
import { brokenSchemaRoot } from "../../tools/schema-rules.js";
import { MCP_LIMITS } from "./limits.js";
import type { McpLeftOutTool } from "./mcp-connection.js";
import type { OpenClient } from "./open-client.js";
import type { McpListedTool } from "./tool-snapshot.js";

export interface ToolList {
  readonly tools: readonly McpListedTool[];
  readonly leftOut: readonly McpLeftOutTool[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Walks all pages. @throws what the SDK throws when the server does not answer. */
export async function listTools(
  open: OpenClient,
  options: { readonly timeoutMs: number },
): Promise<readonly unknown[]> {
  const { client, watch } = open;
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const listed: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MCP_LIMITS.listPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { nextCursor } = await client.request({ method: "tools/list", params }, { timeout: options.timeoutMs });
    for (const tool of watch.takeListed()) listed.push(tool);
    // A cursor that comes again would go round in a circle.
    if (nextCursor === undefined || cursors.has(nextCursor) || listed.length > MCP_LIMITS.toolsPerServer) break;
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return listed;
}

/** Takes in what a server listed, or what was saved of it: names and schemas that cannot be used are left out and told. */
export function admitTools(listed: readonly unknown[]): ToolList {
  const tools = new Map<string, McpListedTool>();
  const leftOut: McpLeftOutTool[] = [];
  for (const one of listed) {
    const fields = isObject(one) ? one : {};
    const name = typeof fields.name === "string" ? fields.name : undefined;
    const reason = problemOf(one, name, tools);
    if (reason !== undefined)
      leftOut.push({ tool: oneLine(shortenText(name ?? "(no name)", 80)), reason: oneLine(reason) });
    else if (name !== undefined) tools.set(name, Object.freeze(readTool(name, fields)));
  }
  return { tools: [...tools.values()], leftOut };
}

function problemOf(tool: unknown, name: string | undefined, seen: ReadonlyMap<string, unknown>): string | undefined {
  if (!isObject(tool)) return `it is ${describeValue(tool)}, not a tool`;
  if (name === undefined) return `its name is ${describeValue(tool.name)}, not a text`;
  if (name.trim() === "") return "its name is empty";
  if (name.length > MCP_LIMITS.toolNameChars) return `its name has more than ${MCP_LIMITS.toolNameChars} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return "its name contains control or invisible characters";
  if (seen.has(name)) return "its name is that of a tool before it";
  if (seen.size >= MCP_LIMITS.toolsPerServer) return `the server has more than ${MCP_LIMITS.toolsPerServer} tools`;
  const { inputSchema } = tool;
  if (!isObject(inputSchema)) return `its inputSchema is ${describeValue(inputSchema)}, not an object schema`;
  return brokenSchemaRoot("inputSchema", inputSchema);
}

/** The parts that are used, where they are what they should be. */
function readTool(name: string, { title, description, inputSchema, outputSchema, annotations }: Fields): McpListedTool {
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: inputSchema as object, // asked above
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
