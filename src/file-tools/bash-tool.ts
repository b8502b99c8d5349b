// The tool `bash` (W3): a command in a shell, its output in the order of writing, its exit code as data.
import { stat } from "node:fs/promises";
import { defineTool } from "../tools/define-tool.js";
import type { ToolReturn } from "../tools/tool.js";
import { Type } from "../tools/typebox.js";
import { bashResult } from "./bash-result.js";
import { describeFileProblem, errorResult } from "./file-problem.js";
import type { FileToolOptions } from "./file-tool-options.js";
import { OutputCollector } from "./output-collector.js";
import { runShell } from "./shell-run.js";
import { keepTail } from "./truncate-text.js";
import { createUpdateThrottle } from "./update-throttle.js";

const closed = { additionalProperties: false };
/** setTimeout turns a longer time into 1 ms. */
const MAX_TIMEOUT_SECONDS = 2_147_483;
/** The latest output, in an update: a screenful or two. */
const UPDATE_LIMITS = { maxLines: 100, maxBytes: 8 * 1_024 };

/**
 * Runs commands with the rights of this process; `roots` does not confine them, and what a command starts with `setsid`
 * is not ended with it. Needs a POSIX system with `mkfifo`.
 */
export function createBashTool(options: FileToolOptions) {
  return defineTool({
    name: "bash",
    title: "Run a command",
    description:
      "Runs a command in a shell and gives what it printed, stdout and stderr in the order of writing, and its exit code. " +
      "It starts in the working folder each time: a cd lasts for one call. There is no input to read from and no terminal. " +
      "An exit code other than 0 is not an error of the call. Long output is cut in the middle; the text then names a file " +
      "that has all of it. Start what should go on running with & and redirect its output to a file.",
    inputSchema: Type.Object(
      {
        command: Type.String({ description: "What the shell shall run; may have several lines.", minLength: 1 }),
        timeout_seconds: Type.Optional(
          Type.Number({
            description: "After this time the command and all that it started are ended. Default: no limit.",
            exclusiveMinimum: 0,
            maximum: MAX_TIMEOUT_SECONDS,
          }),
        ),
      },
      closed,
    ),
    outputSchema: Type.Object(
      {
        output: Type.String({
          description:
            "Terminal sequences are taken out, other control characters are written as \\x08. More than 1 MiB is cut to its first and last 512 KiB.",
        }),
        exit_code: Type.Integer({ description: "128 and the signal's number when a signal ended the command." }),
        truncated: Type.Boolean({ description: "Whether `output` lacks its middle." }),
        full_output_path: Type.Optional(
          Type.String({ description: "A file with every byte, when the output or the text was cut." }),
        ),
        wall_time_seconds: Type.Number({ minimum: 0 }),
      },
      closed,
    ),
    effect: "destructive",
    openWorld: true,
    async execute({ command, timeout_seconds: timeoutSeconds }, ctx) {
      if (command.includes("\0")) return errorResult("The command has a NUL in it, which no shell can run.");
      const collector = new OutputCollector(options.outputFolder);
      const updates = createUpdateThrottle(() => {
        const text = keepTail(collector.latest(UPDATE_LIMITS.maxBytes), UPDATE_LIMITS).text;
        ctx.onUpdate({ content: [{ type: "text", text }] });
      });
      const startedAt = performance.now();
      try {
        const end = await runShell({
          command,
          cwd: options.cwd,
          env: options.env === "inherit" ? process.env : options.env,
          timeoutMs: timeoutSeconds === undefined ? undefined : Math.ceil(timeoutSeconds * 1_000),
          signal: ctx.signal,
          onOutput(chunk) {
            const behind = collector.add(chunk);
            updates.note();
            return behind;
          },
        });
        const wallTimeMs = performance.now() - startedAt;
        return await bashResult({ ...end, wallTimeMs, timeoutSeconds }, collector);
      } catch (error) {
        return await explainStart(error, options.cwd, command);
      } finally {
        updates.finish();
      }
    },
  });
}

/** What the model can mend is told to it; everything else is the host's affair. */
async function explainStart(error: unknown, cwd: string, command: string): Promise<ToolReturn> {
  const { code } = error as { readonly code?: unknown };
  if (code === "E2BIG") {
    const size = Buffer.byteLength(command).toLocaleString("en-US");
    return errorResult(`The command is too long (${size} bytes): write it to a file and run that.`);
  }
  const problem = await stat(cwd).then(
    (found) => (found.isDirectory() ? undefined : "it is a file, not a folder"),
    describeFileProblem,
  );
  if (problem !== undefined) return errorResult(`The working folder ${cwd} cannot be used: ${problem}.`);
  throw error;
}
