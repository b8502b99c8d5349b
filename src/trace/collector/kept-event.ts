// One event of the engine in the form in which traces have it: arguments and results cut and redacted.
import type { ToolExecutionEvent } from "../../executor/tool-execution-event.js";
import type { TraceEvent } from "../trace-event.js";
import { keepArguments } from "./kept-arguments.js";
import { keptName, keptWait } from "./kept-names.js";
import { type KeepLimits, keepResult } from "./kept-result.js";
import { endEvent, otherEvent, startEvent } from "./read-events.js";

export function keptEvent(event: ToolExecutionEvent, limits: KeepLimits): TraceEvent {
  const { toolCallId, parentToolCallId, depth, rootOrdinal, timestamp } = event;
  const toolName = keptName(event, limits);
  const parent = parentToolCallId === undefined ? {} : { parentToolCallId };
  const base = { toolCallId, ...parent, toolName, depth, rootOrdinal, timestamp };
  switch (event.type) {
    case "tool_execution_start":
      return startEvent(base, keepArguments(event, limits)?.value, event.argumentsBytes);
    case "tool_execution_end":
      return endEvent(base, event, keepResult(event.result, limits));
    case "tool_execution_update":
      return otherEvent(base, { kept: keepResult(event.partialResult, limits) });
    case "tool_execution_wait":
      return otherEvent(base, { wait: keptWait(event, limits) });
    default:
      return event satisfies never;
  }
}
