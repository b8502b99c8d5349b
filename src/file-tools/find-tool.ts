// The tool `find` (DESIGN 6).

import { safeLine } from "../errors/safe-text.js";
import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { type Static, Type } from "../tools/typebox.js";
import { errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { limitArgument, listText, pathArgument, walkRemarks } from "./found-list.js";
import { compileGlob } from "./glob.js";
import { searchFailure, searchPlace } from "./search-place.js";
import { walkFiles } from "./walk-files.js";

const closed = { additionalProperties: false };
const STANDARD_LIMIT = 1_000;

const outputSchema = Type.Object(
  {
    paths: Type.Array(Type.String(), {
      description: "Sorted, as the other tools take them; those of folders end with /.",
    }),
    truncated: Type.Boolean({ description: "Whether there are more." }),
  },
  closed,
);

/** Finds files and folders by a glob. */
export function createFindTool(options: FileToolOptions) {
  return defineTool({
    name: "find",
    title: "Find files",
    description:
      "Finds files and folders below a folder by a glob, sorted by path. A glob without / is about names at any depth " +
      "(*.test.ts), one with / about the path below the folder (src/**/*.ts); a / at the end means folders only. " +
      "What .gitignore leaves out and .git are not looked at, symbolic links are shown and not followed.",
    inputSchema: Type.Object(
      {
        pattern: Type.String({ minLength: 1, description: "The glob: *, **, ?, [a-z], {a,b}." }),
        path: pathArgument("The folder to look below"),
        limit: limitArgument("paths", STANDARD_LIMIT),
      },
      closed,
    ),
    outputSchema,
    effect: "read",
    async execute({ pattern, path, limit = STANDARD_LIMIT }, { signal }): Promise<ToolReturn> {
      const glob = compileGlob(pattern);
      if (glob.kind === "bad")
        return errorResult(`The glob ${JSON.stringify(pattern)} cannot be used: ${glob.reason}.`);
      const place = await searchPlace(options, path);
      if (place.kind === "refused") return errorResult(place.text);
      if (place.kind === "file") return errorResult(`${JSON.stringify(path)} is a file, not a folder.`);
      const notes = { ignored: 0, unreadable: 0 };
      const paths: string[] = [];
      let isMore = false;
      try {
        const walk = { folder: place.physicalName, cwd: options.cwd, signal, notes, glob: glob.matches };
        for await (const entry of walkFiles(walk)) {
          if (!entry.isMatch) continue;
          isMore = paths.length === limit;
          if (isMore) break;
          paths.push(`${place.prefix}${entry.path}${entry.isFolder ? "/" : ""}`);
        }
      } catch (error) {
        return searchFailure(error, signal, path);
      }
      const more = isMore ? [`[The first ${limit} paths; raise limit, or narrow path or pattern, for more.]`] : [];
      const text = listText(paths.map(safeLine), [...more, ...walkRemarks(notes)], "(nothing found)");
      const structuredContent: Static<typeof outputSchema> = { paths, truncated: isMore };
      return { content: [{ type: "text", text }], structuredContent };
    },
  });
}
