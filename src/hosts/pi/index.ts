export { createFileMutationQueue, withFileMutationQueue } from "../../mutation-queue/with-file-mutation-queue.js";
export type { ToolAnnotations } from "../../tools/tool.js";
export { type Static, Type } from "../../tools/typebox.js";
export type {
  Component,
  Theme,
  ToolRenderContext,
  ToolRendererResolver,
  ToolRenderers,
  ToolRenderResultOptions,
} from "./component.js";
export { Text } from "./component.js";
export type { EventBus } from "./event-bus.js";
export type {
  ExtensionEvents,
  ExtensionEventType,
  ExtensionHandler,
  SessionShutdownEvent,
  SessionStartEvent,
  ToolCallEvent,
  ToolCallEventResult,
  ToolExecutionEndEvent,
  ToolExecutionStartEvent,
  ToolExecutionUpdateEvent,
  ToolResultEvent,
  ToolResultEventResult,
} from "./events.js";
export { isToolCallEventType } from "./events.js";
export type { ExtensionAPI, ExtensionFactory, RegisteredCommand, SourceInfo, ToolInfo } from "./extension-api.js";
export type {
  ExecuteToolOptions,
  ExtensionCommandContext,
  ExtensionContext,
  ExtensionMode,
  ExtensionToolContext,
  ExtensionUIContext,
  ExtensionUIDialogOptions,
} from "./extension-context.js";
export type { PiExtension, PiExtensionHost, PiExtensionHostOptions } from "./extension-host.js";
export { createPiExtensionHost } from "./extension-host.js";
export type { ExtensionError } from "./failure-report.js";
export type { FromPiToolOptions } from "./from-pi-tool.js";
export { fromPiTool } from "./from-pi-tool.js";
export type { MissingHandler } from "./missing.js";
export type { PiExtensionOptions, PiRegistration } from "./pi-extension.js";
export { piExtension } from "./pi-extension.js";
export type { TextClass } from "./renderers.js";
export type { ExecOptions, ExecResult } from "./run-program.js";
export type { RecordedPiResult, ToPiToolOptions } from "./to-pi-tool.js";
export { toPiTool } from "./to-pi-tool.js";
export type {
  AgentToolCallOutcome,
  AgentToolResult,
  AgentToolUpdateCallback,
  CallableTool,
  JsonObject,
  JsonValue,
  PiUsage,
  ToolDefinition,
  ToolExposure,
  ToolLoadout,
  ToolLoadoutChanges,
  ToolNamespace,
} from "./tool-definition.js";
export { defineTool } from "./tool-definition.js";
