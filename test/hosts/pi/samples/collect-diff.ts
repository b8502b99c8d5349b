// The tool `collect_diff`. The diff is a fixture; a real one would ask git.
import { defineTool, Type } from "nestcall/pi";

export type Diff = {
  readonly files: readonly { readonly path: string; readonly added: readonly string[] }[];
};

const DIFF: Diff = {
  files: [
    { path: "deploy.sh", added: ["rm -rf build", "npm run build"] },
    { path: "src/total.ts", added: ["export const total = (xs: number[]) => xs.reduce((a, b) => a + b);"] },
  ],
};

export const collectDiff = defineTool({
  name: "collect_diff",
  label: "Collect diff",
  description: "The change under review: its files and the lines that they gained.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  exposure: "codemode",
  parameters: Type.Object({}),
  outputSchema: Type.Object({
    files: Type.Array(Type.Object({ path: Type.String(), added: Type.Array(Type.String()) })),
  }),
  async execute() {
    const text = `${DIFF.files.length} files changed`;
    return { content: [{ type: "text", text }], details: undefined, structuredContent: structuredClone(DIFF) };
  },
});
