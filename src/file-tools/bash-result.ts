// W3, W5: what a command's end looks like, for the model and for programs.
import type { ToolReturn } from "../tools/tool.js";
import type { CollectedOutput, OutputCollector } from "./output-collector.js";
import { type ShellEnd, signalOfExitCode } from "./shell-run.js";
import { countLines, keepHead, keepTail, MODEL_TEXT_LIMITS } from "./truncate-text.js";

export interface BashEnd extends ShellEnd {
  readonly wallTimeMs: number;
  readonly timeoutSeconds: number | undefined;
}

/** A command that had to be stopped is a failed call; whatever exit code it came to by itself is data. */
export async function bashResult(end: BashEnd, collector: OutputCollector): Promise<ToolReturn> {
  const status = statusText(end);
  const collected = await collector.finish((output) => fitsModel(output, status));
  const isTruncated = collected.missingBytes > 0;
  return {
    content: [{ type: "text", text: modelText(collected, status) }],
    structuredContent: {
      output: isTruncated ? withMarker(collected, collected.missingBytes) : collected.head,
      exit_code: end.exitCode,
      truncated: isTruncated,
      ...(collected.fullOutputPath === undefined ? {} : { full_output_path: collected.fullOutputPath }),
      wall_time_seconds: Math.round(end.wallTimeMs) / 1_000,
    },
    ...(end.stoppedBy === undefined ? {} : { isError: true }),
  };
}

/** Empty for a command that ended well and left nobody behind. */
function statusText({ exitCode, signal, stoppedBy, isStillWritten, timeoutSeconds }: BashEnd): string {
  const notes: string[] = [];
  if (stoppedBy === "timeout") notes.push(`Stopped: not ended after ${timeoutSeconds} s (timeout_seconds).`);
  if (stoppedBy === "abort") notes.push("Stopped: the call was aborted.");
  const meaning = signalOfExitCode(exitCode);
  if (signal !== undefined) notes.push(`Ended by signal ${signal} (exit code ${exitCode}).`);
  else if (meaning !== undefined) notes.push(`Exit code ${exitCode}, which stands for signal ${meaning}.`);
  else if (exitCode !== 0) notes.push(`Exit code ${exitCode}.`);
  if (isStillWritten)
    notes.push("A process that it left behind still runs; what that prints from now on is not shown.");
  return notes.length === 0 ? "" : `[${notes.join(" ")}]`;
}

function modelText(collected: CollectedOutput, status: string): string {
  const { head, tail, missingBytes, where } = collected;
  if (where === undefined) return withStatus(head === "" && status === "" ? "(no output)" : head, status);
  // Half of the room for each end: the first error is at the beginning, the summary at the end.
  const noteBytes = Buffer.byteLength(status) + Buffer.byteLength(where) + 128;
  const half = { maxLines: MODEL_TEXT_LIMITS.maxLines / 2 - 3, maxBytes: (MODEL_TEXT_LIMITS.maxBytes - noteBytes) / 2 };
  const [first, last] = [keepHead(head, half), keepTail(tail === "" ? head : tail, half)];
  const all = Buffer.byteLength(head) + Buffer.byteLength(tail) + missingBytes;
  const gone = all - Buffer.byteLength(first.text) - Buffer.byteLength(last.text);
  return withStatus(withMarker({ head: first.text, tail: last.text, where }, gone), status);
}

function withMarker({ head, tail, where }: Pick<CollectedOutput, "head" | "tail" | "where">, missing: number): string {
  return `${head}\n[… ${missing.toLocaleString("en-US")} bytes are missing here; ${where} …]\n${tail}`;
}

function withStatus(output: string, status: string): string {
  if (status === "" || output === "") return `${output}${status}`;
  return `${output}${output.endsWith("\n") ? "" : "\n"}${status}`;
}

function fitsModel(output: string, status: string): boolean {
  const text = withStatus(output, status);
  return Buffer.byteLength(text) <= MODEL_TEXT_LIMITS.maxBytes && countLines(text) <= MODEL_TEXT_LIMITS.maxLines;
}
