// What a call or a result looks like, as data: a terminal, a page or a host's own widgets draw it (P58).
import type { ToolResult } from "./tool.js";

/** How a text is meant. A host that has no colours leaves it out. */
export type DrawingTone = "plain" | "muted" | "accent" | "success" | "warning" | "error";

export interface TextDrawing {
  readonly type: "text";
  readonly text: string;
  readonly tone?: DrawingTone;
}
export interface MarkdownDrawing {
  readonly type: "markdown";
  readonly text: string;
}
export interface TableDrawing {
  readonly type: "table";
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
export interface DiffDrawing {
  readonly type: "diff";
  /** A unified diff. */
  readonly text: string;
  readonly path?: string;
}
export interface ImageDrawing {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  /** What stands where no image can be drawn. */
  readonly alternative?: string;
}
export interface TreeDrawing {
  readonly type: "tree";
  readonly label: string;
  readonly tone?: DrawingTone;
  readonly children: readonly TreeDrawing[];
}
/** Several drawings, one below the other. */
export interface StackDrawing {
  readonly type: "stack";
  readonly items: readonly Drawing[];
}
export type Drawing =
  | TextDrawing
  | MarkdownDrawing
  | TableDrawing
  | DiffDrawing
  | ImageDrawing
  | TreeDrawing
  | StackDrawing;

/** What a renderer is told besides the arguments or the result. */
export interface DrawingView {
  readonly toolName: string;
  readonly toolCallId?: string;
  /** The arguments of the call, when a result is drawn. */
  readonly arguments?: unknown;
  readonly isError?: boolean;
  /** The call still runs: the result is what it has told so far. */
  readonly isPartial?: boolean;
  /** The whole is wanted, not the few lines that a list of calls shows. */
  readonly isExpanded?: boolean;
}

/** How one tool looks. Either part may be missing. */
export interface ToolRenderers {
  // biome-ignore lint/suspicious/noExplicitAny: a resolver answers for tools of every input
  readonly renderCall?: (args: any, view: DrawingView) => Drawing;
  readonly renderResult?: (result: Partial<ToolResult>, view: DrawingView) => Drawing;
}
