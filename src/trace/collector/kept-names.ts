// What is kept of names and of waits: redacted, then cut.
import { shortenText } from "../../errors/text.js";
import type { ToolExecutionEvent, ToolExecutionWaitEvent } from "../../executor/tool-execution-event.js";
import type { KeepLimits } from "./kept-result.js";
import { ownText } from "./kept-text.js";
import type { KeptWait } from "./row-extras.js";

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
