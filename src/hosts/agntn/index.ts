export { blankToAbsent } from "../../tools/blank-to-absent.js";
export { lazy } from "../../tools/lazy.js";
export type { ImageContent, TextContent } from "../../tools/tool.js";
export {
  type Static,
  type TArray,
  type TBoolean,
  type TEnum,
  type TInteger,
  type TIntersect,
  type TLiteral,
  type TNull,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnion,
  type TUnknown,
  type TUnsafe,
  Type,
} from "../../tools/typebox.js";
export { defineTool } from "./define-tool.js";
export type { AgntnTool, ExecuteOptions, ToolDefinition, ToolEffect, ToolResult } from "./tool-definition.js";
