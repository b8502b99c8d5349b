export { type CallDrawingOptions, callDrawing } from "./call-drawing.js";
export { type CallTreeOptions, callTreeDrawing, drawCallTree, type RendererSource } from "./call-tree-drawing.js";
export type { RootCallStart, TraceCollectorOptions } from "./collector/collector-options.js";
export { type CollectedRoot, createTraceCollector, type TraceCollector } from "./collector/create-trace-collector.js";
export { type DrawingHtmlOptions, drawingToHtml } from "./drawing-to-html.js";
export { type DrawingTextOptions, drawingToText } from "./drawing-to-text.js";
export { DRAWING_STYLE } from "./html-text.js";
export { type TraceSource, traceOf } from "./model/trace-of.js";
export { type CallNode, type CallTree, type RecordedCall, recordTree } from "./record-tree.js";
export type { Trace, TraceCall, TraceStatus, TraceWait } from "./trace.js";
export type {
  TraceDroppedEvent,
  TraceEndEvent,
  TraceEvent,
  TraceStartEvent,
  TraceUpdateEvent,
  TraceWaitEvent,
} from "./trace-event.js";
