// `describeTool` in scripts: everything about one tool, as TypeScript.
import type { DeclaredTool } from "./declared-tool.js";
import { renderWhole } from "./render-declarations.js";

const BUDGET_TOKENS = 16_000;

/** The declaration of this tool alone, with all of its description, cut only when it is very long. */
export function describeTool({ namespace: _heading, ...tool }: DeclaredTool): string {
  return renderWhole({ ...tool, listed: true }, BUDGET_TOKENS);
}
