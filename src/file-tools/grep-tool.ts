// The tool `grep` (DESIGN 6).

import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { type Static, Type } from "../tools/typebox.js";
import { errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { limitArgument, pathArgument } from "./found-list.js";
import { compileGlob } from "./glob.js";
import { grepText } from "./grep-text.js";
import { compileExpression } from "./search-expression.js";
import { type FoundMatches, searchFiles } from "./search-files.js";
import { searchFailure, searchPlace } from "./search-place.js";

const closed = { additionalProperties: false };
const STANDARD_LIMIT = 100;
const lines = Type.Array(Type.String());

const outputSchema = Type.Object(
  {
    matches: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: "As the other tools take it." }),
          line: Type.Integer({ minimum: 1 }),
          text: Type.String({ description: "The line; a long one is cut around the match." }),
          before: lines,
          after: lines,
        },
        closed,
      ),
      { description: "By path, then by line." },
    ),
    truncated: Type.Boolean({ description: "Whether there may be more." }),
  },
  closed,
);

/** Finds the lines of files that match a regular expression. */
export function createGrepTool(options: FileToolOptions) {
  return defineTool({
    name: "grep",
    title: "Search in files",
    description:
      "Finds lines that match a JavaScript regular expression, in one file or in all files below a folder, sorted by path. " +
      "Each line is looked at by itself. What .gitignore leaves out, .git, binary files and symbolic links are not searched.",
    inputSchema: Type.Object(
      {
        pattern: Type.String({ minLength: 1, description: "The expression, without slashes around it." }),
        path: pathArgument("The file, or the folder to look below"),
        glob: Type.Optional(
          Type.String({ minLength: 1, description: "Only files that it matches: *.ts by name, src/**/*.ts by path." }),
        ),
        ignoreCase: Type.Optional(Type.Boolean({ description: "Default false." })),
        literal: Type.Optional(
          Type.Boolean({ description: "Whether the pattern is a plain text and no expression. Default false." }),
        ),
        context: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 20,
            description: "Lines to show before and after each match. Default 0.",
          }),
        ),
        limit: limitArgument("matches", STANDARD_LIMIT),
      },
      closed,
    ),
    outputSchema,
    effect: "read",
    async execute(args, { signal }): Promise<ToolReturn> {
      const { pattern, path, context = 0, limit = STANDARD_LIMIT } = args;
      const words = { isLiteral: args.literal === true, ignoresCase: args.ignoreCase === true };
      const compiled = compileExpression(pattern, words);
      if (compiled.kind === "bad") {
        const hint = "For a plain text say literal: true.";
        return errorResult(`The expression ${JSON.stringify(pattern)} cannot be used: ${compiled.reason}. ${hint}`);
      }
      const glob = args.glob === undefined ? undefined : compileGlob(args.glob);
      if (glob?.kind === "bad")
        return errorResult(`The glob ${JSON.stringify(args.glob)} cannot be used: ${glob.reason}.`);
      const place = await searchPlace(options, path);
      if (place.kind === "refused") return errorResult(place.text);
      try {
        const search = { expression: compiled.expression, context, maxMatches: limit, signal };
        const found = await searchFiles(place, search, { cwd: options.cwd, glob: glob?.matches });
        if (found.refusal !== undefined) {
          return errorResult(`${JSON.stringify(path ?? ".")} cannot be searched: ${found.refusal}.`);
        }
        const structuredContent: Static<typeof outputSchema> = {
          matches: [...found.matches],
          truncated: found.isMore || isPartSkipped(found),
        };
        const isFailure = found.matches.length === 0 && found.slowFiles.length > 0;
        const content = [{ type: "text" as const, text: grepText(found, limit) }];
        return isFailure ? { content, isError: true } : { content, structuredContent };
      } catch (error) {
        return searchFailure(error, signal, path);
      }
    },
  });
}

/** What may hold a match and was not searched; what is no text is left out by design. */
function isPartSkipped({ slowFiles, longLineFiles, unreadableFiles, walk }: FoundMatches): boolean {
  return slowFiles.length + longLineFiles.length + unreadableFiles.length + walk.unreadable > 0;
}
