// What the model is told of a script that failed: why, where, after how long, and what had been called by then.
import { shortenText } from "../../errors/text.js";
import type { CodemodeCall, CodemodeError, CodemodeFailure, CodemodeRun } from "../run-types.js";

const MAX_CALLS = 50;
const MAX_MESSAGE_CHARS = 8_000;

/** `Failed after 12 ms: …`, the script's lines, and the calls. */
export function failureText(run: CodemodeFailure, toolCallId: string): string {
  const { error, timings, calls } = run;
  const what = shortenText(`${error.name}: ${error.message}`, MAX_MESSAGE_CHARS);
  const where = error.line === undefined ? "" : ` (line ${error.line})`;
  // A script that found no place did not begin; its message says how long it waited.
  const after = error.limit === "queue" ? "" : ` after ${formatMs(timings.wallMs)}`;
  const head = `${headOf(run)}${after}: ${what}${where}`;
  return [head, ...causesOf(error), stackOf(error), callsText(calls, toolCallId)]
    .filter((part) => part !== "")
    .join("\n");
}

/** The script itself has ended well: its output and value are shown above this. */
export function storeFailureText({ calls }: CodemodeRun, problem: string, toolCallId: string): string {
  const what = shortenText(problem, MAX_MESSAGE_CHARS);
  return [`Failed after the script had ended: ${what}`, callsText(calls, toolCallId)].join("\n");
}

function headOf({ status, error }: CodemodeFailure): string {
  switch (status) {
    case "limit":
      return `Failed: the limit ${error.limit ?? "of the script"} was reached`;
    case "deadlock":
      return "Failed: deadlock";
    case "aborted":
      return "Aborted";
    case "divergence":
      return "Failed: divergence from the journal";
    case "engine":
      return "Failed: the script's worker died, and what its open calls did is not known,";
    case "error":
      return "Failed";
    default:
      return status satisfies never;
  }
}

function causesOf(error: CodemodeError): string[] {
  const lines: string[] = [];
  for (let { cause } = error; cause !== undefined; cause = cause.cause) {
    lines.push(`  caused by ${shortenText(`${cause.name}: ${cause.message}`, 1_000)}`);
  }
  return lines;
}

/** The stack when it says more than the line does. */
function stackOf({ stack = "" }: CodemodeError): string {
  const lines = stack.split("\n").filter((line) => /^\s*at /.test(line));
  return lines.length < 2 ? "" : lines.slice(0, 10).join("\n");
}

function callsText(calls: readonly CodemodeCall[], toolCallId: string): string {
  if (calls.length === 0) return "No call had been made.";
  // The last ones tell most about where the script was.
  const shown = calls.length <= MAX_CALLS ? calls : calls.slice(-MAX_CALLS);
  const left = calls.length - shown.length;
  const lines = shown.map(({ id, name, status, durationMs }) => {
    const time = durationMs === undefined ? "" : `, ${formatMs(durationMs)}`;
    return `  ${toolCallId}/${id} ${shortenText(name, 128)}: ${status}${time}`;
  });
  const more = left === 0 ? "" : ` (the last ${MAX_CALLS} of ${calls.length})`;
  return [`Calls made${more}; they are not undone:`, ...lines].join("\n");
}

export function formatMs(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
