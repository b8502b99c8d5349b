// The outcome's content (DESIGN 7.1): output items, then the value, then console lines, the failure and the warnings.
// What is longer than the budget is cut, and the whole goes to a file that the text names (W5).
import { shortenText } from "../../errors/text.js";
import { missingNote, type TextLimits } from "../../file-tools/truncate-text.js";
import type { ContentBlock, ImageContent } from "../../tools/tool.js";
import type { CodemodeConsoleLine, CodemodeRun, CodemodeSuccess } from "../run-types.js";
import { failureText, formatMs, storeFailureText } from "./failure-text.js";
import { fitParts, type Part, textBlock } from "./fit-parts.js";
import type { OutputFolder, SavedFile } from "./output-folder.js";

export interface ResultOptions {
  /** Of the tool's own call. */
  readonly toolCallId: string;
  readonly budget: TextLimits;
  readonly folder: OutputFolder;
  /** The script ended well, and what it stored is lost. */
  readonly storeProblem?: string | undefined;
}
export interface ResultParts {
  readonly content: readonly ContentBlock[];
  /** Of the complete output, when the text was cut. */
  readonly fullOutputPath?: string;
  readonly imagePaths: readonly string[];
}

const MAX_WARNINGS = 20;

/** What the model reads of a run, and the files that were written for it. */
export async function renderResult(run: CodemodeRun, options: ResultOptions): Promise<ResultParts> {
  const imagePaths: string[] = [];
  const parts: Part[] = [];
  for (const item of run.output) {
    if (item.type === "text") parts.push({ kind: "output", text: item.text });
    else parts.push(await imagePart(item, options.folder, imagePaths));
  }
  const value = run.status === "ok" ? valueText(run.value) : undefined;
  if (value !== undefined) parts.push({ kind: "value", text: value });
  if (run.console.length > 0) parts.push({ kind: "console", text: consoleText(run.console) });

  const { content: fitted, missing } = fitParts(parts, options.budget);
  const content = [...fitted];
  const saved = missing.isTruncated ? await options.folder.saveText(wholeText(parts)) : undefined;
  if (saved !== undefined) content.push(textBlock(missingNote(missing, whereText(saved))));
  for (const text of [endText(run, options), warningText(run.warnings)]) {
    if (text !== undefined) content.push(textBlock(text));
  }
  return { content, imagePaths, ...(saved !== undefined && "path" in saved ? { fullOutputPath: saved.path } : {}) };
}

/** A text as it is, else its JSON; nothing for `undefined`. */
function valueText(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function consoleText(lines: readonly CodemodeConsoleLine[]): string {
  const shown = lines.map(({ level, text }) => (level === "log" ? text : `[${level}] ${text}`));
  return `Console:\n${shown.join("\n")}`;
}

/** How it ended. A value alone speaks for itself. */
function endText(run: CodemodeRun, { toolCallId, storeProblem }: ResultOptions): string | undefined {
  if (run.status !== "ok") return failureText(run, toolCallId);
  if (storeProblem !== undefined) return storeFailureText(run, storeProblem, toolCallId);
  const isPlain = run.value !== undefined && run.console.length === 0 && run.warnings.length === 0;
  return isPlain ? undefined : successText(run);
}

function successText({ value, calls, timings }: CodemodeSuccess): string {
  const count = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  return `Completed in ${formatMs(timings.wallMs)} with ${count}${value === undefined ? "; there is no value" : ""}.`;
}

function warningText(warnings: readonly string[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const lines = warnings.slice(0, MAX_WARNINGS).map((warning) => `Warning: ${shortenText(warning, 2_000)}`);
  if (warnings.length > MAX_WARNINGS) lines.push(`(${warnings.length - MAX_WARNINGS} more warnings)`);
  return lines.join("\n");
}

async function imagePart(image: ImageContent, folder: OutputFolder, paths: string[]): Promise<Part> {
  const saved = await folder.saveImage(image.data, image.mimeType);
  if ("path" in saved) paths.push(saved.path);
  const note = "path" in saved ? `[Image saved to ${saved.path}]` : `[Image not saved: ${saved.problem}]`;
  return { block: { type: "image", data: image.data, mimeType: image.mimeType }, note };
}

function wholeText(parts: readonly Part[]): string {
  return parts.map((part) => ("text" in part ? part.text : part.note)).join("\n");
}

function whereText(saved: SavedFile): string {
  return "path" in saved ? `the complete output is in ${saved.path}` : `it could not be saved: ${saved.problem}`;
}
