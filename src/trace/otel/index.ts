export { ATTRIBUTE, METRIC, SPAN_EVENT } from "./attribute-names.js";
export { type CallContext, contextOfCall, runInCallContext } from "./call-context.js";
export { instrumentExecutor } from "./instrument-executor.js";
export type { IncomingTrace, InstrumentOptions, TracedRootCall } from "./instrument-options.js";
export { type McpRequest, type McpSpanOptions, traceMcpRequest } from "./mcp-request-span.js";
export { type McpContextTracing, type McpTracingOptions, mcpTracing } from "./mcp-tracing.js";
export { contextFromMeta, injectTraceContext, type RequestMeta } from "./trace-meta.js";
export type { TraceCarrier } from "./trace-parent.js";
