// Compiles the samples, and uses of our entry, against the types of the real Pi.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../examples/built.js";
import { runNode } from "../../../examples/run.js";

/** What the samples import from `nestcall/pi`, from Pi itself. */
const SHIM = `
export * from "@earendil-works/pi-coding-agent";
export type { AgentToolCallOutcome } from "@earendil-works/pi-agent-core";
export { Text } from "@earendil-works/pi-tui";
export { type Static, Type } from "typebox";
`;
const USES = `
import { createAgentSession, type ExtensionAPI, type ExtensionFactory, type ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { defineTool, Type } from "nestcall";
import { defineTool as definePiTool, fromPiTool, piExtension, toPiTool } from "nestcall/pi-door";

const ours = defineTool({ name: "x", description: "d", inputSchema: Type.Object({}), execute: () => "x" });
const theirs = definePiTool({
  name: "y", label: "Y", description: "d", parameters: Type.Object({}),
  async execute() { return { content: [], details: undefined }; },
});
export const extension: ExtensionFactory = piExtension({ tools: [ours], Text });
export const definition: ToolDefinition = toPiTool(ours, { Text });
export const session = () => createAgentSession({ customTools: [toPiTool(ours), theirs] });
export function register(pi: ExtensionAPI): void {
  pi.registerTool(toPiTool(ours));
  pi.registerTool(theirs);
}
export const back = (tool: ToolDefinition) => fromPiTool(tool as never);
`;

/** What the compiler says; empty when all is well. */
export async function compileAgainstPi(folder: string): Promise<string> {
  const place = join(folder, "types");
  await mkdir(place, { recursive: true });
  const source = (path: string) => join(root, path);
  const paths = {
    nestcall: [source("src/index.ts")],
    "nestcall/pi": [join(place, "shim.ts")],
    "nestcall/pi-door": [source("src/hosts/pi/index.ts")],
  };
  const config = {
    extends: source("tsconfig.json"),
    compilerOptions: { rootDir: "/", typeRoots: [source("node_modules/@types")], paths },
    include: [source("test/hosts/pi/samples/*.ts"), "*.ts"],
    exclude: [],
  };
  await writeFile(join(place, "shim.ts"), SHIM);
  await writeFile(join(place, "uses.ts"), USES);
  await writeFile(join(place, "tsconfig.json"), JSON.stringify(config));
  const compiler = source("node_modules/typescript/bin/tsc");
  const { exitCode, stdout, stderr } = await runNode([compiler, "-p", place], { cwd: root });
  return exitCode === 0 ? "" : `exit code ${exitCode}: ${stdout}${stderr}`;
}
