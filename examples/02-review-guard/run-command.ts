// The tool `run_command`: a shell, and so the one tool here that a guard has to stand in front of.
// Without somebody to ask, the approval guard blocks every call of it.
import { defineTool, Type } from "nestcall";
import { cutTextBefore } from "./cut-text.js";
import type { ReviewTarget } from "./review-target.js";
import { runProcess } from "./run-process.js";

const TIMEOUT_MS = 20_000;

export function createRunCommand({ folder }: ReviewTarget) {
  return defineTool({
    name: "run_command",
    title: "Run a command",
    description: `Runs a command line in the project's folder, for at most ${TIMEOUT_MS / 1000} seconds.`,
    inputSchema: Type.Object({ command: Type.String() }, { additionalProperties: false }),
    effect: "destructive",
    openWorld: true,
    exposure: "codemode",
    async execute({ command }, ctx) {
      const options = { cwd: folder, signal: ctx.signal, timeoutMs: TIMEOUT_MS, shell: true };
      const run = await runProcess(command, [], options);
      ctx.signal.throwIfAborted();
      return {
        content: [{ type: "text", text: cutTextBefore(run.output.trim(), 1000) }],
        details: run,
        usage: { processes: 1, outputBytes: run.outputBytes },
      };
    },
  });
}
