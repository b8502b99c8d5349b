// The tool `read` (W4, W5).
import type { FileHandle } from "node:fs/promises";
import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { Type } from "../tools/typebox.js";
import { resolveInside } from "./confine-path.js";
import { BYTE_ORDER_MARK, decodeText, trimToCodePoint } from "./decode-text.js";
import { describeFileProblem, errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "./image-type.js";
import { missingFileText } from "./missing-file.js";
import { type FilePart, readFromLine } from "./read-lines.js";
import { type OpenFile, openRegularFile } from "./regular-file.js";
import { countLines, keepHead, MODEL_TEXT_LIMITS, type TruncatedText } from "./truncate-text.js";

/** 5 MiB once it is base64: more is refused by the usual providers. */
const MAX_IMAGE_BYTES = 3_932_160;

const inputSchema = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "Path of the file, absolute or relative to the working directory.",
    }),
    offset: Type.Optional(
      Type.Integer({ minimum: 1, description: "The first line to read, counted from 1. Default 1." }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, description: "The most lines to read; 50 KB is the most in any case. Default 2000." }),
    ),
  },
  { additionalProperties: false },
);

interface ReadRequest {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Gives the lines of a UTF-8 text file, or an image. */
export function createReadTool(options: FileToolOptions) {
  return defineTool({
    name: "read",
    title: "Read a file",
    description:
      "Reads a UTF-8 text file, by lines: 2000 of them or as many as limit says, and never more than 50 KB at once, then says with which offset to go on. Also shows images (PNG, JPEG, GIF, WebP). Lines come without numbers, exactly as they are in the file. For folders, use ls.",
    inputSchema,
    effect: "read",
    async execute({ path, offset = 1, limit = MODEL_TEXT_LIMITS.maxLines }, { signal }): Promise<ToolReturn> {
      const place = await resolveInside(options, path);
      if (place.kind === "refused") return errorResult(place.text);
      const opened = await openRegularFile(place.physicalName);
      if (opened.kind === "missing") return errorResult(await missingFileText(options, path, place.physicalName));
      if (opened.kind === "other") return unreadable(path, opened.reason);
      try {
        return await readOpened(opened, { path, offset, limit, signal });
      } catch (error) {
        if (signal.aborted) throw error;
        return unreadable(path, describeFileProblem(error));
      } finally {
        await opened.handle.close();
      }
    },
  });
}

async function readOpened({ handle, stats }: OpenFile, request: ReadRequest): Promise<ToolReturn> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(IMAGE_HEAD_BYTES), 0, IMAGE_HEAD_BYTES, 0);
  const mimeType = imageTypeOf(buffer.subarray(0, bytesRead));
  if (mimeType !== undefined) return readImage(handle, stats.size, mimeType, request);
  const { path, offset, signal } = request;
  const part = await readFromLine(handle, offset, MODEL_TEXT_LIMITS.maxBytes, signal);
  if (part.totalBytes === 0) return `[The file ${JSON.stringify(path)} is empty.]`;
  if (!part.hasFirstLine) {
    const lines = part.totalLines === 1 ? "1 line" : `${part.totalLines} lines`;
    return errorResult(`Offset ${offset} is beyond the end of ${JSON.stringify(path)}, which has ${lines}.`);
  }
  return showPart(part, request);
}

function showPart(part: FilePart, { path, offset, limit }: ReadRequest): ToolReturn {
  const { maxBytes } = MODEL_TEXT_LIMITS;
  const decoded = decodeText(part.goesOn ? trimToCodePoint(part.bytes) : part.bytes, offset === 1);
  if (decoded.kind === "binary") return unreadable(path, decoded.reason);
  const cut = keepHead(decoded.text, { maxLines: limit, maxBytes });
  const markBytes = decoded.hasByteOrderMark ? Buffer.byteLength(BYTE_ORDER_MARK) : 0;
  const details = detailsOf(part, offset, cut, markBytes);
  const gap = cut.text.endsWith("\n") ? "\n" : "\n\n";
  const text = cut.isTruncated ? `${cut.text}${gap}${howToGoOn(path, details)}` : cut.text;
  return { content: [{ type: "text", text }], details };
}

/** For the host: which lines these are. */
interface ReadDetails {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines?: number;
  /** The last line is shown in part: so many of so many bytes. */
  readonly cutLine?: { readonly shownBytes: number; readonly bytes: number };
}

function detailsOf(part: FilePart, firstLine: number, cut: TruncatedText, markBytes: number): ReadDetails {
  const lastLine = firstLine + Math.max(0, countLines(cut.text) - 1);
  const isLineCut = cut.isTruncated && !cut.text.endsWith("\n"); // only a first line is ever shown in part
  const cutLine = { shownBytes: Buffer.byteLength(cut.text), bytes: part.firstLineBytes - markBytes };
  return {
    firstLine,
    lastLine,
    ...(part.totalLines === undefined ? {} : { totalLines: part.totalLines }),
    ...(isLineCut ? { cutLine } : {}),
  };
}

function howToGoOn(path: string, { firstLine, lastLine, totalLines, cutLine }: ReadDetails): string {
  const rest = totalLines === undefined ? "more" : String(totalLines);
  const next = lastLine === totalLines ? "It is the last line." : `To go on, read with offset ${lastLine + 1}.`;
  if (cutLine !== undefined) {
    const missing = cutLine.bytes - cutLine.shownBytes;
    return `[Line ${firstLine} of ${rest} is cut: its first ${cutLine.shownBytes} bytes are shown, ${missing} more are in ${JSON.stringify(path)}. ${next}]`;
  }
  return `[Lines ${firstLine} to ${lastLine} of ${rest} are shown. ${next}]`;
}

async function readImage(
  handle: FileHandle,
  size: number,
  mimeType: string,
  { path }: ReadRequest,
): Promise<ToolReturn> {
  if (size > MAX_IMAGE_BYTES) {
    return unreadable(
      path,
      `it is an image (${mimeType}) of ${size} bytes, and at most ${MAX_IMAGE_BYTES} can be shown`,
    );
  }
  const image = Buffer.alloc(size);
  const { bytesRead } = await handle.read(image, 0, size, 0);
  const data = image.toString("base64", 0, bytesRead);
  return { content: [{ type: "image", data, mimeType }], details: { bytes: bytesRead } };
}

function unreadable(path: string, reason: string): ToolReturn {
  return errorResult(`${JSON.stringify(path)} cannot be read: ${reason}.`);
}
