// C6: the tools of a script as TypeScript. (Body follows; the signature is fixed.)
import type { DeclaredTool, RenderDeclarationsOptions } from "./declared-tool.js";

export function renderDeclarations(tools: readonly DeclaredTool[], options: RenderDeclarationsOptions = {}): string {
  void options;
  const names = tools.filter(({ listed }) => listed !== false).map(({ name }) => JSON.stringify(name));
  return `declare const tools: {\n${names.map((name) => `  ${name}(args?: object): Promise<unknown>;\n`).join("")}};\n`;
}
