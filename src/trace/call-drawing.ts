// One finished call as a list of calls shows it: the call, and what it gave where that is wanted (E50).
import { Renderers } from "../registry/renderers.js";
import type { Drawing } from "../tools/drawing.js";
import type { ToolCallOutcome } from "../tools/tool.js";
import type { RendererSource } from "./call-tree-drawing.js";
import { drawingToText } from "./drawing-to-text.js";
import { harmlessLine } from "./harmless-text.js";

export interface CallDrawingOptions {
  /** Whose tools and resolvers draw, and whose `showOutput` counts. */
  readonly registry?: (RendererSource & { isOutputShown?(toolName: string, isError?: boolean): boolean }) | undefined;
  /** Names, `*` standing for any text, of tools whose successful output is shown too. */
  readonly showOutput?: readonly string[];
  /** The whole output is wanted, of this call anyway. Default false. */
  readonly isExpanded?: boolean;
}

/**
 * The call, as its tool draws it; below it what it gave when it failed, when `showOutput` says so, or when all is wanted.
 * Feed it to `drawingToText` or `drawingToHtml`.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `showOutput` is no list of texts.
 */
export function callDrawing(outcome: ToolCallOutcome, options: CallDrawingOptions = {}): Drawing {
  const { registry, showOutput = [], isExpanded = false } = options;
  const { toolCall, isError, result } = outcome;
  const { name, id, arguments: args } = toolCall;
  const renderers = new Renderers({ toolOf: (toolName) => registry?.renderersOf(toolName) });
  renderers.showOutput(showOutput);
  const view = { toolName: name, toolCallId: id, arguments: args, isError, isExpanded };
  const { renderCall, renderResult } = renderers.of(name);
  const call = renderCall(args, view);
  const isShown = isExpanded || renderers.isOutputShown(name, isError) || registry?.isOutputShown?.(name) === true;
  if (!isShown) return call;
  const drawn = renderResult(result, view);
  return { type: "stack", items: [call, drawn, ...missingError(outcome, drawn)] };
}

/** An error is always shown: a tool that draws its failures as it draws its successes gets a line below. */
function missingError({ error }: ToolCallOutcome, drawn: Drawing): Drawing[] {
  if (error === undefined) return [];
  const text = drawingToText(drawn, { width: Number.POSITIVE_INFINITY });
  const [first = ""] = error.message.split("\n");
  if (harmlessLine(text).includes(harmlessLine(first).trim())) return [];
  return [{ type: "text", text: `${error.code}: ${error.message}`, tone: "error" }];
}
