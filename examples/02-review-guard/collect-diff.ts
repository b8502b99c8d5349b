// The tool `collect_diff`: the change under review as data, read from git (or from a patch file where there is no git).
// Exposure `codemode`: other tools and scripts can call it, the model is not shown it.
import { defineTool, Type } from "nestcall";
import { cutText } from "./cut-text.js";
import type { ReviewTarget } from "./review-target.js";

const MAX_PATCH_CHARS = 4000;
const closed = { additionalProperties: false };
const lines = { insertions: Type.Integer(), deletions: Type.Integer() };

export function createCollectDiff({ readChange }: ReviewTarget) {
  return defineTool({
    name: "collect_diff",
    title: "Collect diff",
    description: "The change under review: what is uncommitted, else the last commit. Reads only.",
    inputSchema: Type.Object({}),
    outputSchema: Type.Object(
      {
        source: Type.Enum(["working tree", "last commit", "patch file"]),
        commit: Type.Optional(Type.String()),
        subject: Type.Optional(Type.String()),
        files: Type.Array(Type.Object({ path: Type.String(), ...lines }, closed)),
        ...lines,
        patch: Type.String({ description: "A unified diff, cut at 256 KiB." }),
        patchTruncated: Type.Boolean(),
      },
      closed,
    ),
    effect: "read",
    exposure: "codemode",
    async execute(_args, ctx) {
      const change = await readChange(ctx.signal);
      const insertions = change.files.reduce((sum, file) => sum + file.insertions, 0);
      const deletions = change.files.reduce((sum, file) => sum + file.deletions, 0);
      const summary = `${change.source}: ${change.files.length} files, +${insertions} -${deletions}`;
      return {
        content: [{ type: "text", text: `${summary}\n${cutText(change.patch, MAX_PATCH_CHARS)}` }],
        structuredContent: { ...change, insertions, deletions },
        usage: { outputBytes: Buffer.byteLength(change.patch) },
      };
    },
  });
}
