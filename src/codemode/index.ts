// The entry `nestcall/codemode`.
export { type CodemodeDetails, createCodemodeTool } from "./codemode-tool.js";
export {
  type CodemodeRuntime,
  type CodemodeRuntimeOptions,
  createCodemodeRuntime,
} from "./create-codemode-runtime.js";
export { type RenderDeclarationsOptions, renderDeclarations } from "./declarations/index.js";
export type { CodemodeLimits } from "./limits.js";
export type {
  CodemodeCall,
  CodemodeCallContext,
  CodemodeConsoleLine,
  CodemodeError,
  CodemodeFailure,
  CodemodeJournal,
  CodemodeLimitName,
  CodemodeOutputItem,
  CodemodeReport,
  CodemodeRun,
  CodemodeRunOptions,
  CodemodeStoreWrites,
  CodemodeSuccess,
  CodemodeTool,
} from "./run-types.js";
export type { ConfirmInDoubt, InDoubtCall } from "./tool/make-call.js";
export type { CodemodeStore } from "./tool/script-store.js";
export type { CodemodeToolCall, CodemodeToolOptions } from "./tool/tool-options.js";
