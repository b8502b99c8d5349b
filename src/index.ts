export { ErrorCode } from "./errors/error-code.js";
export { NestcallError } from "./errors/nestcall-error.js";
export { isTransportFailure, markTransportFailure } from "./errors/transport-failure.js";
export type { BatchOutcome, RootCallOutcome, ToolResultMessage } from "./executor/batch-outcome.js";
export { batchTerminates } from "./executor/batch-outcome.js";
export type { Executor, RootCallOptions } from "./executor/create-executor.js";
export { createExecutor } from "./executor/create-executor.js";
export type { Clock, ExecutorLimits } from "./executor/engine.js";
export type { ExecutorOptions } from "./executor/executor-options.js";
export type {
  BeforeMutationHook,
  BeforeMutationHookEvent,
  BlockDecision,
  CallHookEvent,
  CallSource,
  RootCallInfo,
  ToolCallDecision,
  ToolCallHook,
  ToolCallHookEvent,
  ToolResultHook,
  ToolResultHookEvent,
  ToolResultPatch,
} from "./executor/hook.js";
export type { ObserverErrorHandler, ToolExecutionListener } from "./executor/observers.js";
export type { BatchCall, BatchOptions } from "./executor/run-batch.js";
export type {
  ObserverErrorEvent,
  ToolExecutionEndEvent,
  ToolExecutionEvent,
  ToolExecutionProgressEvent,
  ToolExecutionStartEvent,
  ToolExecutionUpdateEvent,
  ToolExecutionWaitEvent,
} from "./executor/tool-execution-event.js";
export {
  type ApprovalGuardOptions,
  type ApprovalRequest,
  approvalGuard,
  type BudgetGuardOptions,
  budgetGuard,
  needsApproval,
  type PlanModeGuardOptions,
  planModeGuard,
  type RedactionOptions,
  redactionGuard,
  redactor,
} from "./guards/index.js";
export type { FileMutationOptions } from "./mutation-queue/file-mutation-queue.js";
export type { FileMutationQueueOptions, MutationQueue } from "./mutation-queue/with-file-mutation-queue.js";
export { createFileMutationQueue, withFileMutationQueue } from "./mutation-queue/with-file-mutation-queue.js";
export type {
  NestedCallHandle,
  NestedCallRecord,
  NestedCalls,
  RecordedOutcome,
} from "./records/nested-call-recorder.js";
export { NESTED_CALL_LIMITS, NestedCallRecorder } from "./records/nested-call-recorder.js";
export { sumUsage } from "./records/sum-usage.js";
export type { Usage, UsageValue } from "./records/usage.js";
export type { ToolDeclaration } from "./registry/declarations.js";
export type { ToolDecoration } from "./registry/decoration.js";
export type { CacheDiagnostics, ToolDiagnostics } from "./registry/diagnostics.js";
export { estimateTokens, REGISTRY_LIMITS } from "./registry/limits.js";
export type { Loadout, LoadoutChange, LoadoutHandler, LoadoutTool } from "./registry/loadout.js";
export type { Registry } from "./registry/registry.js";
export type {
  PluginToolMetadata,
  RegisterOptions,
  Registration,
  ToolCollision,
} from "./registry/registry-entry.js";
export type { CheckedRenderers, RendererFailure, ToolRendererResolver } from "./registry/renderers.js";
export type { ToolParameter } from "./registry/schema-parameters.js";
export { createToolSearch, type FoundTool, type ToolSearchOptions } from "./registry/tool-search.js";
export type { Access, AccessRestriction, Identity } from "./tools/access.js";
export { blankToAbsent } from "./tools/blank-to-absent.js";
export { defineTool } from "./tools/define-tool.js";
export type {
  DiffDrawing,
  Drawing,
  DrawingTone,
  DrawingView,
  ImageDrawing,
  MarkdownDrawing,
  StackDrawing,
  TableDrawing,
  TextDrawing,
  ToolRenderers,
  TreeDrawing,
} from "./tools/drawing.js";
export { lazy } from "./tools/lazy.js";
export { type LintNote, type LintRule, lintTool } from "./tools/lint-tool.js";
export type {
  AudioContent,
  ContentBlock,
  Exposure,
  Host,
  ImageContent,
  NestedCallOptions,
  ResourceContent,
  ResourceLinkContent,
  SchemaInput,
  SchemaValue,
  StandardSchema,
  TextContent,
  Tool,
  ToolAnnotations,
  ToolCallError,
  ToolCallOutcome,
  ToolContext,
  ToolDefinition,
  ToolInfo,
  ToolNamespace,
  ToolResult,
  ToolReturn,
  ToolSchema,
  UpdateCallback,
} from "./tools/tool.js";
export type {
  ActiveToolsChangedEvent,
  ActiveToolsListener,
  DelegateOptions,
  NamespaceInfo,
  SearchOptions,
  SessionOptions,
  ToolMatch,
  ToolSession,
} from "./tools/tool-session.js";
export { type Static, Type } from "./tools/typebox.js";
