// The tool `write` (W1).

import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { Type } from "../tools/typebox.js";
import { namesFolder } from "./confine-path.js";
import { describeFileProblem, errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { type CheckedPath, PathCheck } from "./path-check.js";
import { replaceFile } from "./replace-file.js";
import { makeParents, whyNotWritable } from "./write-target.js";

const inputSchema = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "Path of the file, absolute or relative to the working directory.",
    }),
    content: Type.String({ description: "The whole new content of the file." }),
  },
  { additionalProperties: false },
);
const outputSchema = Type.Object(
  {
    created: Type.Boolean({ description: "Whether there was no such file before." }),
    bytes: Type.Integer({ description: "Size of the file now." }),
  },
  { additionalProperties: false },
);

/** Creates a file or replaces the whole content of one, at once or not at all. */
export function createWriteTool(options: FileToolOptions) {
  const check = new PathCheck(options);
  return defineTool({
    name: "write",
    title: "Write a file",
    description:
      "Writes a text file as UTF-8. Creates it, and the folders above it, if it does not exist; otherwise replaces its whole content. To change a part of a file, use edit.",
    inputSchema,
    outputSchema,
    effect: "destructive",
    idempotent: true,
    mutates: (args) => check.begin(args),
    async execute(args, { signal }): Promise<ToolReturn> {
      const place = await check.finish(args);
      if (place.kind === "refused") return errorResult(place.text);
      try {
        return await writeContent(place, args, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return failed(args.path, describeFileProblem(error));
      }
    },
  });
}

async function writeContent(
  { physicalName: target, seen }: CheckedPath,
  { path, content }: { readonly path: string; readonly content: string },
  signal: AbortSignal,
): Promise<ToolReturn> {
  // Half of a pair has no UTF-8; something else would be written than was asked for.
  if (!content.isWellFormed()) return failed(path, "the content holds half of a surrogate pair");
  if (seen.kind === "other") return failed(path, seen.reason);
  const before = seen.kind === "file" ? seen.stats : undefined;
  if (before === undefined && namesFolder(path)) return failed(path, "it ends like the path of a folder");
  const problem = before === undefined ? await makeParents(target) : await whyNotWritable(target, before);
  if (problem !== undefined) return failed(path, problem);
  const bytes = Buffer.from(content);
  await replaceFile({ target, content: bytes, before, mustBeUnchanged: false, signal });
  const created = before === undefined;
  const text = `${created ? "Created" : "Replaced"} ${JSON.stringify(path)}: ${bytes.length} bytes.`;
  return { content: [{ type: "text", text }], structuredContent: { created, bytes: bytes.length } };
}

function failed(path: string, reason: string): ToolReturn {
  return errorResult(`${JSON.stringify(path)} was not written: ${reason}. What was there before is unchanged.`);
}
