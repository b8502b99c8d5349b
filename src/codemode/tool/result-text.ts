// The outcome's content (DESIGN 7.1): output items, then the value or the failure, then console lines and warnings.
// What is longer than the budget is cut, and the whole goes to a file that the text names (W5).
import { shortenText } from "../../errors/text.js";
import { keepHead, missingNote, type TruncatedText } from "../../file-tools/truncate-text.js";
import type { ContentBlock, ImageContent } from "../../tools/tool.js";
import { failureText, formatMs } from "./failure-text.js";
import type { OutputFolder } from "./output-folder.js";
import type { ScriptRun } from "./script-runtime.js";

export interface TextBudget {
  readonly maxBytes: number;
  readonly maxLines: number;
}
export interface ResultParts {
  readonly content: readonly ContentBlock[];
  /** Of the complete output, when the text was cut. */
  readonly fullOutputPath?: string;
  readonly imagePaths: readonly string[];
}

const MAX_WARNINGS = 20;

/** A text that is cut when the budget asks for it, or a block that is shown as it is. */
type Part = { readonly text: string } | { readonly block: ContentBlock; readonly note: string };

export async function renderResult(
  run: ScriptRun,
  options: { readonly toolCallId: string; readonly budget: TextBudget; readonly folder: OutputFolder },
): Promise<ResultParts> {
  const { folder, budget } = options;
  const imagePaths: string[] = [];
  const parts: Part[] = [];
  for (const item of run.output) {
    if (item.type === "text") parts.push({ text: item.text });
    else if (item.type === "image") parts.push(await imagePart(item, folder, imagePaths));
  }
  const said = run.status === "ok" ? valueText(run.value) : undefined;
  if (said !== undefined) parts.push({ text: said });
  const consoleLines = run.output.flatMap((item) => (item.type === "console" ? [consoleLine(item)] : []));
  const after = [run.status === "ok" ? undefined : failureText(run, options)];
  const isSilent = parts.length === 0 && consoleLines.length === 0;
  if (run.status === "ok" && (isSilent || run.warnings.length > 0 || consoleLines.length > 0)) after.push(summary(run));
  if (consoleLines.length > 0) parts.push({ text: `Console:\n${consoleLines.join("\n")}` });
  after.push(warningText(run.warnings));

  const whole = parts.map((part) => ("text" in part ? part.text : part.note)).join("\n");
  const cut = cutParts(parts, budget);
  const content = [...cut.content];
  let fullOutputPath: string | undefined;
  if (cut.isCut) {
    const saved = await folder.saveText(whole);
    if ("path" in saved) fullOutputPath = saved.path;
    const where =
      "path" in saved ? `the complete output is in ${saved.path}` : `it could not be saved: ${saved.problem}`;
    content.push(textBlock(missingNote(cut.missing, where)));
  }
  for (const text of after) if (text !== undefined) content.push(textBlock(text));
  return { content, imagePaths, ...(fullOutputPath === undefined ? {} : { fullOutputPath }) };
}

const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** A text as it is, else its JSON; nothing for `undefined`. */
function valueText(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function consoleLine({ level, text }: { readonly level?: string | undefined; readonly text: string }): string {
  return level === undefined || level === "log" || level === "info" ? text : `[${level}] ${text}`;
}

function summary({ value, calls, timings }: ScriptRun): string {
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

interface CutParts {
  readonly content: readonly ContentBlock[];
  readonly isCut: boolean;
  readonly missing: TruncatedText;
}

/** Each text has a share of its own, so that long output does not push the value out; what one leaves is for the next. */
function cutParts(parts: readonly Part[], budget: TextBudget): CutParts {
  const content: ContentBlock[] = [];
  let { maxBytes, maxLines } = budget;
  const missing = { missingLines: 0, missingBytes: 0 };
  const texts = parts.flatMap((part) => ("text" in part ? [part.text] : []));
  let later = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  for (const part of parts) {
    if (!("text" in part)) {
      content.push(part.block, textBlock(part.note));
      continue;
    }
    later -= Buffer.byteLength(part.text);
    // What comes later is sure of half of what is left.
    const reserved = Math.min(later, Math.floor(maxBytes / 2));
    const lines = later === 0 ? maxLines : Math.ceil(maxLines / 2);
    const kept = keepHead(part.text, { maxBytes: maxBytes - reserved, maxLines: lines });
    maxBytes -= Buffer.byteLength(kept.text);
    maxLines = Math.max(0, maxLines - (kept.totalLines - kept.missingLines));
    missing.missingBytes += kept.missingBytes;
    missing.missingLines += kept.missingLines;
    if (kept.text !== "" || part.text === "") content.push(textBlock(kept.text));
  }
  const isCut = missing.missingBytes > 0;
  return { content, isCut, missing: { text: "", isTruncated: isCut, totalLines: 0, totalBytes: 0, ...missing } };
}
