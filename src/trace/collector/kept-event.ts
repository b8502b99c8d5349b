// One event of the engine in the form in which traces have it: arguments and results cut and redacted.
import { shortenText } from "../../errors/text.js";
import type { ToolExecutionEvent, ToolExecutionWaitEvent } from "../../executor/tool-execution-event.js";
import type { TraceEvent } from "../trace-event.js";
import { keepArguments } from "./kept-arguments.js";
import { type KeepLimits, keepResult } from "./kept-result.js";
import { ownText } from "./kept-text.js";
import { endEvent, otherEvent, startEvent } from "./read-events.js";
import type { KeptWait } from "./row-extras.js";

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

const MAX_NAME_CHARS = 256;
const MAX_PATHS = 16;
const MAX_PATH_CHARS = 1024;

/** A model may ask for a tool by a name of any length. */
export function keptName({ toolName }: Pick<ToolExecutionEvent, "toolName">, { redact }: KeepLimits): string {
  const shown = redact === undefined ? toolName : redact(toolName);
  return shown.length > MAX_NAME_CHARS ? ownText(shortenText(shown, MAX_NAME_CHARS)) : shown;
}

export function keptWait({ reason, paths, heldBy }: ToolExecutionWaitEvent, { redact }: KeepLimits): KeptWait {
  const shown = paths?.slice(0, MAX_PATHS).map((path) => {
    return shortenText(redact === undefined ? path : redact(path), MAX_PATH_CHARS);
  });
  return { reason, paths: shown, heldBy };
}
