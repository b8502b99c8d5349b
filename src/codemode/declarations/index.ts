// What a script's author is told about tools, and what the script can ask about them. Pure functions.
export { checkTools, refuseSameNames } from "./check-tools.js";
export type { DeclaredTool, RenderDeclarationsOptions, ScriptNames } from "./declared-tool.js";
export { describeNamespace } from "./describe-namespace.js";
export { describeTool } from "./describe-tool.js";
export { plainSchema } from "./read-schema.js";
export { renderDeclarations } from "./render-declarations.js";
export { scriptNames } from "./script-names.js";
export { searchTools } from "./search-tools.js";
