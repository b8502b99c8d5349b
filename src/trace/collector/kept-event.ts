// One event of the engine in the form in which traces have it: arguments and results cut and redacted.
import type { ToolExecutionEvent } from "../../executor/tool-execution-event.js";
import type { TraceEvent } from "../trace-event.js";
import { keepArguments } from "./kept-arguments.js";
import { type KeepLimits, keepResult } from "./kept-result.js";
import { endEvent, otherEvent, startEvent } from "./read-events.js";

export function keptEvent(event: ToolExecutionEvent, limits: KeepLimits): TraceEvent {
  const { redact } = limits;
  const { toolCallId, parentToolCallId, depth, timestamp } = event;
  const toolName = redact === undefined ? event.toolName : redact(event.toolName);
  const parent = parentToolCallId === undefined ? {} : { parentToolCallId };
  const base = { toolCallId, ...parent, toolName, depth, timestamp };
  switch (event.type) {
    case "tool_execution_start":
      return startEvent(base, keepArguments(event, limits), event.argumentsBytes);
    case "tool_execution_end":
      return endEvent(base, event, keepResult(event.result, limits));
    case "tool_execution_update":
      return otherEvent(base, { kept: keepResult(event.partialResult, limits) });
    case "tool_execution_wait": {
      const { reason, paths, heldBy } = event;
      const shown = redact === undefined ? paths : paths?.map((path) => redact(path));
      return otherEvent(base, { wait: { reason, paths: shown, heldBy } });
    }
    default:
      return event satisfies never;
  }
}
