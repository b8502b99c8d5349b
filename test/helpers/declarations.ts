// Registered tools and what is declared of them, for tests of caps and declarations.
import { createExecutor, type Registry, type Tool } from "nestcall";
import { composeDeclarations, type DeclarationOptions, type ToolDeclaration } from "../../src/registry/declarations.js";
import { type Data, tool } from "./engine.js";

/** A tool with an input schema of these properties, not read-only, which says what it was called with. */
export function taking(name: string, properties: Data, more: Data = {}): Tool {
  const inputSchema = { type: "object", properties, additionalProperties: false };
  return tool(name, (args) => JSON.stringify(args), { inputSchema, ...more });
}

/** A registry of these tools; what is in `external` came from elsewhere. */
export function registryOf(internal: readonly Tool[], external: readonly Tool[] = []): Registry {
  const { registry } = createExecutor();
  for (const one of internal) registry.register(one);
  for (const one of external) registry.register(one, { external: true, owner: "server" });
  return registry;
}

/** The declarations of the active tools. */
export function declared(registry: Registry, options?: DeclarationOptions): ToolDeclaration[] {
  return composeDeclarations(registry.session.activeEntries(), options);
}

/** The compact JSON that a provider is given, in its parts. */
export function definitionOf({ name, description, inputSchema }: ToolDeclaration): string {
  return JSON.stringify({ name, description, inputSchema });
}
