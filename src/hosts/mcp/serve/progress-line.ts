// A call below the root as one line of progress: `T/2 read_file … ok 12 ms`. T stands for the client's own call.
import { safeLine } from "../../../errors/safe-text.js";
import { shortenText } from "../../../errors/text.js";
import type { ToolExecutionEndEvent, ToolExecutionProgressEvent } from "../../../executor/tool-execution-event.js";
import type { ToolResult } from "../../../tools/tool.js";
import { textOfContent } from "../../../tools/tool-result.js";

const MAX_NAME_CHARS = 128;
const MAX_TEXT_CHARS = 200;

/** @param rootId - The id of the client's call; the event is of that call or of one below it. */
export function progressLine(rootId: string, event: ToolExecutionProgressEvent): string | undefined {
  const isRoot = event.toolCallId === rootId;
  const name = callName(rootId, event.toolCallId, event.toolName);
  switch (event.type) {
    case "tool_execution_start":
      return isRoot ? undefined : `${name} …`;
    case "tool_execution_update": {
      const text = lineOf(event.partialResult);
      if (text === "") return undefined;
      return isRoot ? text : `${name}: ${text}`;
    }
    case "tool_execution_end":
      return isRoot ? undefined : `${name} … ${endOf(event)}`;
    default:
      return event satisfies never;
  }
}

export function callName(rootId: string, toolCallId: string, toolName: string): string {
  return `T${toolCallId.slice(rootId.length)} ${shortenText(safeLine(toolName), MAX_NAME_CHARS)}`;
}

function endOf({ status, durationMs, result }: ToolExecutionEndEvent): string {
  const time = durationMs === undefined ? status : `${status} ${Math.round(durationMs)} ms`;
  const text = status === "error" ? lineOf(result) : "";
  return text === "" ? time : `${time}: ${text}`;
}

function lineOf({ content }: Partial<ToolResult>): string {
  const text = Array.isArray(content) ? textOfContent(content as ToolResult["content"]) : "";
  const [first = ""] = shortenText(text.trimStart(), MAX_TEXT_CHARS).split("\n");
  return safeLine(first).trimEnd();
}
