// An outcome in the form of MCP. What the wire cannot hold is left out or said in words: one bad block must not cost the
// client the whole answer.
import { type CallToolResult, isSpecType } from "@modelcontextprotocol/server";
import type { RootCallOutcome } from "../../../executor/batch-outcome.js";
import { takeSnapshot } from "../../../records/json-snapshot.js";
import type { ContentBlock } from "../../../tools/tool.js";

/** Where a client finds what was called below: a value of the form `NestedCalls`. */
const RECORD_META_KEY = "dev.nestcall/record";

type McpBlock = CallToolResult["content"][number];

/**
 * @param isOutputListed - Whether the client has been shown an output schema. Then structured content of a failure is left out:
 *   clients check it, and nobody else did.
 */
export function callToolResult(outcome: RootCallOutcome, isOutputListed: boolean): CallToolResult {
  const { result, isError, nestedCalls } = outcome;
  const structuredContent = isError && isOutputListed ? undefined : jsonOf(result.structuredContent);
  return {
    content: result.content.map(blockOf),
    // The era's codec puts what is no object where it may be.
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as Record<string, unknown> }),
    ...(isError ? { isError } : {}),
    ...(nestedCalls === undefined ? {} : { _meta: { [RECORD_META_KEY]: nestedCalls } }),
  };
}

function blockOf(block: ContentBlock): McpBlock {
  if (block.type === "text" && Object.keys(block).length === 2) return block;
  const json = jsonOf(block);
  if (isSpecType.ContentBlock(json)) return json;
  const { annotations: _annotations, _meta, ...bare } = (json ?? {}) as Record<string, unknown>;
  if (isSpecType.ContentBlock(bare)) return bare;
  return { type: "text", text: `[A block of type ${block.type} is left out: it has no form that MCP allows.]` };
}

function jsonOf(value: unknown): unknown {
  if (value === undefined) return undefined;
  const snapshot = takeSnapshot(value);
  return "problem" in snapshot ? undefined : snapshot.copy;
}
