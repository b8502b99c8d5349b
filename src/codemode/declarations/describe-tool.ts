// `describeTool` in scripts: everything about one tool, as TypeScript.
import type { DeclaredTool } from "./declared-tool.js";
import { renderDeclarations } from "./render-declarations.js";

/** The declaration of this tool alone, nothing left out. */
export function describeTool(tool: DeclaredTool): string {
  return renderDeclarations([{ ...tool, listed: true }], { budgetTokens: 16_000 });
}
