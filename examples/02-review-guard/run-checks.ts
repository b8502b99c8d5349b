// The tool `run_checks`: a project's own type check and tests. The model gets the end of what each printed, cut to
// 1,000 characters; the host gets the exit codes and more in `details`. A failed check is data, not an error.
import { defineTool, Type } from "nestcall";
import { cutTextBefore } from "./cut-text.js";
import type { ReviewTarget } from "./review-target.js";
import { runProcess } from "./run-process.js";

const STEP_TIMEOUT_MS = 20_000;
const MAX_STEP_CHARS = 1000;
const closed = { additionalProperties: false };

export function createRunChecks({ folder, checks }: ReviewTarget) {
  return defineTool({
    name: "run_checks",
    title: "Run checks",
    description: `Runs the project's own type check and tests, each for at most ${STEP_TIMEOUT_MS / 1000} seconds. A check that fails is a normal result with its exit code.`,
    inputSchema: Type.Object(
      { skipTests: Type.Optional(Type.Boolean({ description: "Run the type check only. Default false." })) },
      closed,
    ),
    outputSchema: Type.Object(
      {
        steps: Type.Array(
          Type.Object(
            {
              name: Type.Enum(["types", "tests"]),
              exitCode: Type.Optional(Type.Integer({ description: "Absent when the check was stopped." })),
              seconds: Type.Number(),
              timedOut: Type.Boolean(),
              output: Type.String({ description: `The end of what it printed, at most ${MAX_STEP_CHARS} characters.` }),
            },
            closed,
          ),
        ),
        notes: Type.Array(Type.String()),
      },
      closed,
    ),
    // It runs the project's scripts, so it is no pure reading; what they do, they do in the project's own folder.
    effect: "write",
    idempotent: true,
    exposure: "direct",
    timeoutMs: STEP_TIMEOUT_MS + 5000,
    async execute({ skipTests = false }, ctx) {
      const wanted = checks.steps.filter((step) => step.name === "types" || !skipTests);
      const steps = await Promise.all(
        wanted.map(async ({ name, command, args, ...more }) => {
          const options = { ...more, cwd: folder, signal: ctx.signal, timeoutMs: STEP_TIMEOUT_MS };
          return { name, command: [command, ...args].join(" "), ...(await runProcess(command, args, options)) };
        }),
      );
      ctx.signal.throwIfAborted();
      const outputs = steps.map(({ output }) => cutTextBefore(output.trim(), MAX_STEP_CHARS));
      const texts = steps.map(({ name, timedOut, exitCode }, index) => {
        const ending = timedOut ? "stopped, out of time" : `exit ${exitCode ?? "by a signal"}`;
        return `${name}: ${ending}\n${outputs[index]}`;
      });
      return {
        content: [{ type: "text", text: [...texts, ...checks.notes].join("\n") }],
        structuredContent: {
          steps: steps.map(({ name, exitCode, durationMs, timedOut }, index) => ({
            name,
            ...(exitCode === undefined ? {} : { exitCode }),
            seconds: Math.round(durationMs / 100) / 10,
            timedOut,
            output: outputs[index],
          })),
          notes: checks.notes,
        },
        details: { steps: steps.map(({ stdout, ...step }) => step) },
        usage: {
          processes: steps.length,
          outputBytes: steps.reduce((sum, step) => sum + step.outputBytes, 0),
        },
      };
    },
  });
}
