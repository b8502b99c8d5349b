// The tool `ls` (DESIGN 6).

import { safeLine } from "../errors/safe-text.js";
import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { type Static, Type } from "../tools/typebox.js";
import { errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { limitArgument, listText, pathArgument, walkRemarks } from "./found-list.js";
import { searchFailure, searchPlace } from "./search-place.js";
import { listFolder } from "./walk-files.js";

const closed = { additionalProperties: false };
const STANDARD_LIMIT = 500;

const outputSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object({ name: Type.String(), type: Type.Enum(["file", "folder", "link", "other"]) }, closed),
      { description: "In the order of their names." },
    ),
    total: Type.Integer({ minimum: 0, description: "How many there are, without those that git ignores." }),
    truncated: Type.Boolean({ description: "Whether `entries` lacks some." }),
  },
  closed,
);
const MARKS = { file: "", folder: "/", link: "@", other: "?" };

/** Lists one folder. */
export function createLsTool(options: FileToolOptions) {
  return defineTool({
    name: "ls",
    title: "List a folder",
    description:
      "Lists the entries of one folder, sorted, hidden ones too; what .gitignore leaves out and .git are not shown. " +
      "A folder ends with /, a symbolic link with @, a device or the like with ?. For whole trees use find.",
    inputSchema: Type.Object(
      { path: pathArgument("The folder"), limit: limitArgument("entries", STANDARD_LIMIT) },
      closed,
    ),
    outputSchema,
    effect: "read",
    async execute({ path, limit = STANDARD_LIMIT }, { signal }): Promise<ToolReturn> {
      const place = await searchPlace(options, path);
      if (place.kind === "refused") return errorResult(place.text);
      if (place.kind === "file") return errorResult(`${JSON.stringify(path)} is a file, not a folder.`);
      const notes = { ignored: 0, unreadable: 0 };
      try {
        const all = await listFolder({ folder: place.physicalName, cwd: options.cwd, signal, notes });
        const entries = all.slice(0, limit).map(({ name, type }) => ({ name, type }));
        const structuredContent: Static<typeof outputSchema> = {
          entries,
          total: all.length,
          truncated: entries.length < all.length,
        };
        const lines = entries.map(({ name, type }) => `${safeLine(name)}${MARKS[type]}`);
        const more =
          entries.length < all.length ? [`[The first ${limit} of ${all.length} entries; raise limit for more.]`] : [];
        const text = listText(lines, [...more, ...walkRemarks(notes)], "(no entries)");
        return { content: [{ type: "text", text }], structuredContent };
      } catch (error) {
        return searchFailure(error, signal, path);
      }
    },
  });
}
