// The tool `edit` (W1, W2).

import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { Type } from "../tools/typebox.js";
import { BYTE_ORDER_MARK, decodeText } from "./decode-text.js";
import { describeFileProblem, errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { missingFileText } from "./missing-file.js";
import { PathCheck } from "./path-check.js";
import { applyReplacements, type Edit, lengthAfter, planEdits } from "./plan-edits.js";
import { readRegularFile, type SeenFile } from "./regular-file.js";
import { replaceFile } from "./replace-file.js";
import { diffOfEdit } from "./unified-diff.js";
import { whyNotWritable } from "./write-target.js";

/** A text is one string while it is edited, and a string cannot be much longer. */
const MAX_FILE_BYTES = 256 * 1_024 * 1_024;

const editSchema = Type.Object(
  {
    oldText: Type.String({
      description: "Text to replace, exactly as it is in the file, white space included. Empty only for an empty file.",
    }),
    newText: Type.String({ description: "What to put there." }),
    replaceAll: Type.Optional(
      Type.Boolean({ description: "Replace every occurrence. Default false: there must be exactly one." }),
    ),
  },
  { additionalProperties: false },
);
const inputSchema = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "Path of the file, absolute or relative to the working directory.",
    }),
    edits: Type.Array(editSchema, {
      minItems: 1,
      description: "Each is matched against the file as it was before the call; they must not overlap.",
    }),
  },
  { additionalProperties: false },
);
const outputSchema = Type.Object(
  {
    replacements: Type.Integer({ description: "How many places were replaced." }),
    firstChangedLine: Type.Integer({ description: "The first line that changed, from 1." }),
  },
  { additionalProperties: false },
);

interface EditRequest {
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly target: string;
  readonly signal: AbortSignal;
}

/** Replaces parts of a text file, all of them or none. */
export function createEditTool(options: FileToolOptions) {
  const check = new PathCheck(options);
  return defineTool({
    name: "edit",
    title: "Edit a file",
    description:
      "Replaces parts of a UTF-8 text file. Each oldText must occur exactly once in the file, unless replaceAll is set. Nothing is written if one edit fails. Put all changes of one file into one call. To create or rewrite a file, use write.",
    inputSchema,
    outputSchema,
    effect: "destructive",
    mutates: (args) => check.begin(args),
    async execute(args, { signal }): Promise<ToolReturn> {
      const place = await check.finish(args);
      if (place.kind === "refused") return errorResult(place.text);
      const { seen, physicalName } = place;
      if (seen.kind === "missing") {
        const text = await missingFileText(options, args.path, physicalName);
        return errorResult(`${text} To create it, use write.`);
      }
      if (seen.kind === "other") return failed(args.path, seen.reason);
      try {
        return await editSeen(seen, { ...args, target: physicalName, signal });
      } catch (error) {
        if (signal.aborted) throw error;
        return failed(args.path, describeFileProblem(error));
      }
    },
  });
}

async function editSeen(seen: SeenFile, request: EditRequest): Promise<ToolReturn> {
  const { path, edits, target, signal } = request;
  const problem = await whyNotWritable(target, seen.stats);
  if (problem !== undefined) return failed(path, problem);
  if (seen.stats.size > MAX_FILE_BYTES) return failed(path, TOO_LARGE);
  const read = await readRegularFile(target, seen);
  if (read.kind !== "content") return failed(path, read.kind === "other" ? read.reason : CHANGED);
  const decoded = decodeText(read.bytes);
  if (decoded.kind === "binary") return failed(path, decoded.reason);
  const { text, hasByteOrderMark } = decoded;
  const plan = planEdits(text, edits);
  if (plan.kind === "failed") return failed(path, plan.problems.join("\n"));
  if (lengthAfter(text, plan.replacements) > MAX_FILE_BYTES) return failed(path, TOO_LARGE);
  const newText = applyReplacements(text, plan.replacements);
  const content = Buffer.from(hasByteOrderMark ? BYTE_ORDER_MARK + newText : newText);
  let result: ToolReturn;
  const ending = await replaceFile({
    target,
    content,
    before: seen.stats,
    mustBeUnchanged: true,
    signal,
    whileFlushing: () => {
      result = succeeded(path, text, plan.replacements);
    },
  });
  return ending === "changed" ? failed(path, CHANGED) : result;
}

function succeeded(path: string, text: string, replacements: Parameters<typeof diffOfEdit>[2]): ToolReturn {
  const details = diffOfEdit(path, text, replacements);
  const { firstChangedLine } = details;
  const places = replacements.length === 1 ? "1 place" : `${replacements.length} places`;
  return {
    content: [
      { type: "text", text: `Edited ${JSON.stringify(path)}: ${places}, the first in line ${firstChangedLine}.` },
    ],
    structuredContent: { replacements: replacements.length, firstChangedLine },
    details,
  };
}

const CHANGED = "another program changed it at the same time; read it again";
const TOO_LARGE = `the file is or would become larger than ${MAX_FILE_BYTES / 1_024 / 1_024} MiB`;

function failed(path: string, reason: string): ToolReturn {
  return errorResult(`${JSON.stringify(path)} was not edited: ${reason.replace(/\.$/, "")}. The file is unchanged.`);
}
