export { type CallDrawingOptions, callDrawing } from "./call-drawing.js";
export { type CallTreeOptions, callTreeDrawing, drawCallTree, type RendererSource } from "./call-tree-drawing.js";
export { type DrawingHtmlOptions, drawingToHtml } from "./drawing-to-html.js";
export { type DrawingTextOptions, drawingToText } from "./drawing-to-text.js";
export { DRAWING_STYLE } from "./html-text.js";
export { type CallNode, type CallTree, type RecordedCall, recordTree } from "./record-tree.js";
