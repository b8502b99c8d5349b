// The active tools as MCP lists them: what a model is given by the registry, and title, hints and output schema beside it.
import { isSpecType, type Tool as ListedTool } from "@modelcontextprotocol/server";
import { safeLine } from "../../../errors/safe-text.js";
import { shortenText, thrownText } from "../../../errors/text.js";
import type { ToolDeclaration } from "../../../registry/declarations.js";
import { REGISTRY_LIMITS } from "../../../registry/limits.js";
import type { Registry } from "../../../registry/registry.js";
import type { RegistryEntry } from "../../../registry/registry-entry.js";
import type { Tool } from "../../../tools/tool.js";
import type { ToolSession } from "../../../tools/tool-session.js";
import { isFitForClients } from "./fit-for-clients.js";

const MAX_TITLE_CHARS = 200;

/** What was listed for a declaration. A tool that is registered again has another declaration. */
const listed = new WeakMap<ToolDeclaration, ListedTool | { readonly problem: string }>();
/** The output schema that was listed for a tool, `undefined` for none. */
const listedOutputs = new WeakMap<Tool, object | undefined>();

export function listTools(registry: Registry, session: ToolSession, onLeftOut: (line: string) => void): ListedTool[] {
  const tools: ListedTool[] = [];
  for (const declaration of registry.declarations(session)) {
    const entry = registry.entryOf(declaration.name);
    const tool = entry === undefined ? undefined : listedTool(declaration, entry, onLeftOut);
    if (tool !== undefined) tools.push(tool);
  }
  return tools;
}

/** The output schema that clients are shown for this tool. */
export function listedOutputSchema(registry: Registry, session: ToolSession, name: string): object | undefined {
  const entry = registry.entryOf(name);
  if (entry?.output === undefined) return undefined;
  if (!listedOutputs.has(entry.tool)) listTools(registry, session, () => {}); // it was called before it was listed
  return listedOutputs.get(entry.tool);
}

function listedTool(
  declaration: ToolDeclaration,
  entry: RegistryEntry,
  onLeftOut: (line: string) => void,
): ListedTool | undefined {
  let tool = listed.get(declaration);
  if (tool === undefined) {
    tool = toolOf(declaration, entry);
    listed.set(declaration, tool);
    if ("problem" in tool) onLeftOut(`The tool "${declaration.name}" is not listed: ${tool.problem}`);
  }
  return "problem" in tool ? undefined : tool;
}

function toolOf(declaration: ToolDeclaration, entry: RegistryEntry): ListedTool | { readonly problem: string } {
  const { name, description, inputSchema } = declaration;
  const { title, annotations } = entry.tool;
  try {
    const shownTitle = title === undefined ? undefined : shortenText(safeLine(title), MAX_TITLE_CHARS);
    const bare = { name, description, inputSchema: { ...plainJson(inputSchema), type: "object" } };
    const shown = {
      ...bare,
      ...(shownTitle === undefined ? {} : { title: shownTitle }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations: plainJson(annotations) }),
    };
    const outputSchema = outputSchemaOf(entry, shown);
    const whole = outputSchema === undefined ? shown : { ...shown, outputSchema };
    for (const candidate of [whole, shown, bare]) {
      if (!isSpecType.Tool(candidate)) continue;
      listedOutputs.set(entry.tool, candidate.outputSchema);
      return candidate;
    }
    return { problem: "its input schema has no form that MCP allows." };
  } catch (error) {
    return { problem: `it has no JSON form (${thrownText(error)}).` };
  }
}

/** Kept as long as every client can compile it, and within the cap of external definitions (E22). */
function outputSchemaOf({ output, external }: RegistryEntry, shown: object): object | undefined {
  if (output === undefined) return undefined;
  const schema = plainJson(output.jsonSchema);
  if (!isFitForClients(schema)) return undefined;
  const bytes = external ? Buffer.byteLength(JSON.stringify({ ...shown, outputSchema: schema })) : 0;
  return bytes <= REGISTRY_LIMITS.externalDefinitionBytes ? schema : undefined;
}

/** Without what JSON leaves out: a client in the same process must see what any other does. */
function plainJson(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>; // an object gives an object
}
