// Arguments and results as a span carries them: one text, within a bound.
import { shortenText } from "../../errors/text.js";
import { measuredJson } from "../../records/json-bytes.js";
import type { ToolResult } from "../../tools/tool.js";
import { textOfContent } from "../../tools/tool-result.js";

/** The JSON of the arguments; none when it takes more than `maxBytes`: half of it would be no JSON. */
export function argumentsText(args: unknown, bytes: number | undefined, maxBytes: number): string | undefined {
  if (args === undefined || (bytes ?? measuredJson(args, maxBytes)?.bytes ?? maxBytes + 1) > maxBytes) return undefined;
  return JSON.stringify(args);
}

/** The data of the result when there is some and it fits, else its text, cut to `maxSize`. */
export function resultText({ structuredContent, content }: ToolResult, maxSize: number): string {
  return dataText(structuredContent, maxSize) ?? shortenText(textOfContent(content), maxSize);
}

function dataText(data: unknown, maxBytes: number): string | undefined {
  try {
    return data === undefined || measuredJson(data, maxBytes) === undefined ? undefined : JSON.stringify(data);
  } catch {
    return undefined; // it has no JSON form
  }
}
