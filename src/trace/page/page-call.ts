// One call of a trace as the page gets it: cut to what the page has room for, drawn where its tool draws it.
import { cutText } from "../../errors/text.js";
import { drawCallLine, drawResultContent } from "../../registry/default-renderers.js";
import type { Renderers } from "../../registry/renderers.js";
import type { Drawing, DrawingView } from "../../tools/drawing.js";
import { textOfContent } from "../../tools/tool-result.js";
import { drawingToHtml } from "../drawing-to-html.js";
import { drawingToText } from "../drawing-to-text.js";
import { harmlessLine } from "../harmless-text.js";
import type { TraceCall } from "../trace.js";
import type { PageCall, PageText } from "./page-data.js";

export interface PageCallOptions {
  /** Whoever draws; absent when nobody does. */
  readonly renderers: Renderers | undefined;
  /** UTF-16 units of a text or of JSON that have a place. */
  readonly maxValueChars: number;
}

const MAX_NAME_CHARS = 256;
const MAX_ID_CHARS = 1024;
const MAX_LINE_CHARS = 300;

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** @param root - The first call of the root call; places and times count from it. */
export function pageCall(call: TraceCall, root: TraceCall, options: PageCallOptions): PageCall {
  const { startMs: zeroMs, index: zero } = root;
  const { id, name, parent, depth, status, code, runMs, durationMs, waits, usage, updates } = call;
  const page: Draft<PageCall> = {
    id: cutText(id, MAX_ID_CHARS),
    depth,
    status,
    startMs: minus(call.startMs, zeroMs),
    endMs: minus(call.endMs, zeroMs),
  };
  if (name !== undefined) page.name = cutText(name, MAX_NAME_CHARS);
  if (parent !== undefined) page.parent = parent - zero;
  if (code !== undefined) page.code = code;
  if (runMs !== undefined) page.runMs = minus(runMs, zeroMs);
  if (durationMs !== undefined) page.durationMs = durationMs;
  if (usage !== undefined && jsonOf(usage) !== undefined) page.usage = usage;
  if (updates !== undefined) page.updates = updates;
  if (waits.length > 0) {
    page.waits = waits.map((wait) => ({ ...wait, fromMs: minus(wait.fromMs, zeroMs), toMs: minus(wait.toMs, zeroMs) }));
  }
  addArguments(page, call, options);
  addResult(page, call, options);
  addDrawings(page, call, options);
  return page;
}

function minus(ms: number, zeroMs: number): number {
  return Math.round((ms - zeroMs) * 1000) / 1000;
}

function addArguments(page: Draft<PageCall>, call: TraceCall, { maxValueChars }: PageCallOptions): void {
  const { arguments: args, argumentsBytes } = call;
  if (argumentsBytes !== undefined) page.argumentsBytes = argumentsBytes;
  if (args === undefined) return;
  const json = jsonOf(args);
  if (json !== undefined && json.length <= maxValueChars) page.arguments = args;
  else page.argumentsText = pageText(json ?? "(they have no JSON form)", maxValueChars);
}

function addResult(page: Draft<PageCall>, call: TraceCall, { maxValueChars }: PageCallOptions): void {
  const { error, result, resultBytes, isResultCut, latestUpdate } = call;
  if (error !== undefined) page.error = pageText(error, maxValueChars);
  if (resultBytes !== undefined) page.resultBytes = resultBytes;
  if (isResultCut === true) page.isResultCut = true;
  if (latestUpdate !== undefined) page.latestUpdate = pageText(latestUpdate, maxValueChars);
  const text = textOfContent(result?.content ?? []);
  if (text !== "" && error === undefined) page.result = pageText(text, maxValueChars);
  const structured = jsonOf(result?.structuredContent);
  if (structured !== undefined && structured !== text) page.structured = pageText(structured, maxValueChars);
}

function pageText(text: string, maxChars: number): PageText {
  const shown = cutText(text, maxChars);
  return shown.length === text.length ? { text } : { text: shown, left: text.length - shown.length };
}

/** What is drawn as everything without a drawing is, the page draws itself. */
function addDrawings(page: Draft<PageCall>, call: TraceCall, { renderers, maxValueChars }: PageCallOptions): void {
  const { name, id, arguments: args, result, error } = call;
  if (renderers === undefined || name === undefined) return;
  const view: DrawingView = { toolName: name, toolCallId: id, arguments: args, isError: error !== undefined };
  const { renderCall, renderResult } = renderers.of(name);
  if (args !== undefined && page.arguments !== undefined) {
    const drawing = renderCall(args, { ...view, isExpanded: true });
    if (!isSame(drawing, drawCallLine(args, view))) {
      page.line = cutText(lineOf(renderCall(args, view)), MAX_LINE_CHARS);
      const html = drawingToHtml(drawing, { style: false });
      if (html.length <= maxValueChars) page.callHtml = html;
    }
  }
  if (result === undefined) return;
  const whole = { ...view, isExpanded: true };
  const drawing = renderResult(result, whole);
  if (isSame(drawing, drawResultContent(result, whole))) return;
  const html = drawingToHtml(drawing, { style: false });
  if (html.length <= maxValueChars) page.resultHtml = html;
}

function lineOf(drawing: Drawing): string {
  return harmlessLine(drawingToText(drawing, { width: Number.POSITIVE_INFINITY }));
}

function isSame(one: Drawing, other: Drawing): boolean {
  return jsonOf(one) === jsonOf(other);
}

/** JSON; `undefined` for what has none, as an observer may hold. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
