export { type CallDrawingOptions, callDrawing } from "./call-drawing.js";
export { type CallTreeOptions, callTreeDrawing, drawCallTree, type RendererSource } from "./call-tree-drawing.js";
export type { ChromeEvent, ChromeTrace } from "./chrome/chrome-event.js";
export { traceToChrome } from "./chrome/trace-to-chrome.js";
export type { RootCallStart, TraceCollectorOptions } from "./collector/collector-options.js";
export { type CollectedRoot, createTraceCollector, type TraceCollector } from "./collector/create-trace-collector.js";
export { type DrawingHtmlOptions, drawingToHtml } from "./drawing-to-html.js";
export { type DrawingTextOptions, drawingToText } from "./drawing-to-text.js";
export { createTraceWriter, type TraceWriter, type TraceWriterOptions } from "./file/create-trace-writer.js";
export { parseTrace } from "./file/parse-trace.js";
export { readTraceFile, saveTrace } from "./file/trace-file.js";
export { traceLines } from "./file/trace-lines.js";
export { DRAWING_STYLE } from "./html-text.js";
export { createInspectServer, type InspectServer } from "./inspect/create-inspect-server.js";
export type { InspectServerOptions } from "./inspect/inspect-options.js";
export { type TraceSource, traceOf } from "./model/trace-of.js";
export { renderTracePage, type TracePageOptions } from "./page/render-trace-page.js";
export { type CallNode, type CallTree, type RecordedCall, recordTree } from "./record-tree.js";
export type { Trace, TraceCall, TraceStatus, TraceWait } from "./trace.js";
export { drawTrace, traceDrawing } from "./trace-drawing.js";
export type {
  TraceDroppedEvent,
  TraceEndEvent,
  TraceEvent,
  TraceStartEvent,
  TraceUpdateEvent,
  TraceWaitEvent,
} from "./trace-event.js";
