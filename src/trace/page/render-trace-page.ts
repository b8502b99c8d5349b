// A trace as one HTML file.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { RendererSource } from "../call-tree-drawing.js";
import { harmlessLine } from "../harmless-text.js";
import type { Trace } from "../trace.js";
import { buildPageData } from "./build-page-data.js";
import { pageHtml } from "./page-html.js";

export interface TracePageOptions {
  /** Default: the name of the root call. */
  readonly title?: string | undefined;
  /** Whose tools and resolvers draw calls and results, where they draw them in a way of their own. */
  readonly registry?: RendererSource | undefined;
  /** Tokens that the model did not have to read, as the host counts them. Without it the page makes a guess. */
  readonly savedTokens?: number | undefined;
}

/**
 * One self-contained HTML page: a timeline, the tree of calls, the details of each, totals, search and filters. It loads
 * nothing, sends nothing, and runs no script but its own; what calls and results say is shown as text.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` when `trace` is none, or an option is wrong.
 */
export function renderTracePage(trace: Trace, options: TracePageOptions = {}): string {
  if (typeof trace !== "object" || trace === null || !Array.isArray(trace.calls))
    throw wrong("takes a trace, as traceOf, parseTrace or a collector give it", trace);
  const { title, registry, savedTokens } = options;
  if (title !== undefined && typeof title !== "string") throw wrong("takes a text as options.title", title);
  if (savedTokens !== undefined && !(Number.isFinite(savedTokens) && savedTokens >= 0))
    throw wrong("takes a number from 0 up as options.savedTokens", savedTokens);
  return pageHtml(buildPageData(trace, { title: title ?? titleOf(trace), registry, savedTokens }));
}

function titleOf({ calls }: Trace): string {
  const roots = calls.filter(({ parent }) => parent === undefined);
  const name = harmlessLine(roots[0]?.name ?? "") || "Trace";
  return roots.length > 1 ? `${name} and ${roots.length - 1} more` : name;
}

function wrong(problem: string, value: unknown): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `renderTracePage ${problem}, not ${describeValue(value)}.`);
}
