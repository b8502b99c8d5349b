// `searchTools` in scripts. (Ranking follows; the signature is fixed.)
import type { DeclaredTool, SearchToolsOptions, ToolMatch } from "./declared-tool.js";

export function searchTools(
  tools: readonly DeclaredTool[],
  query: string,
  options: SearchToolsOptions | number = {},
): ToolMatch[] {
  const limit = (typeof options === "number" ? options : options.limit) ?? 8;
  return tools
    .filter(({ name }) => name.includes(query))
    .slice(0, limit)
    .map(({ name, description }) => ({ name, description: description ?? "" }));
}
