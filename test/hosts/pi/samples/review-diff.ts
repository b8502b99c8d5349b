// The tool `review_diff`: does nothing itself but call the others, and reports what they gave.
import { type AgentToolCallOutcome, defineTool, Type } from "nestcall/pi";
import type { Diff } from "./collect-diff.js";

export const reviewDiff = defineTool({
  name: "review_diff",
  label: "Review diff",
  description: "Reviews the change: runs the checks, reads the diff and looks for dangerous commands.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  exposure: "model-only",
  parameters: Type.Object({}),
  async execute(_id, _params, signal, onUpdate, ctx) {
    const call = (name: string, args: object) =>
      ctx.executeTool(name, args, { ...(signal && { signal }), ...(onUpdate && { onUpdate }) });
    const [checks, diff] = await Promise.all([call("run_checks", {}), call("collect_diff", {})]);
    const tests = await call("failing_tests", {});
    const files = diff.isError ? [] : (diff.result.structuredContent as Diff).files;
    const lines: string[] = [];
    for (const { path, added } of files) {
      for (const command of path.endsWith(".sh") ? added : []) {
        const verdict = await call("dangerous_commands", { command });
        lines.push(`${path}: ${command}: ${textOf(verdict)}`);
      }
    }
    const text = [
      `checks: ${checks.isError ? `FAILED: ${textOf(checks)}` : "ran"}`,
      `files: ${files.map(({ path }) => path).join(", ") || `none: ${textOf(diff)}`}`,
      `tests: ${textOf(tests)} ${JSON.stringify(tests.result.structuredContent)}`,
      ...lines,
    ].join("\n");
    return { content: [{ type: "text", text }], details: { calls: 3 + lines.length } };
  },
});

function textOf({ result }: AgentToolCallOutcome): string {
  return result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
