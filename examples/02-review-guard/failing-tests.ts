// The tool `failing_tests`: runs the tests with a reporter that a program can read, and gives the failures as data.
// Its output schema is a promise to callers: what does not match it is an error, never a surprise.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, Type } from "nestcall";
import { cutTextBefore } from "./cut-text.js";
import type { ReviewTarget } from "./review-target.js";
import { runProcess } from "./run-process.js";
import { readTestReport, type TestReport } from "./test-report.js";

const TIMEOUT_MS = 20_000;
const closed = { additionalProperties: false };

export function createFailingTests({ folder, checks }: ReviewTarget) {
  return defineTool({
    name: "failing_tests",
    title: "Failing tests",
    description: "Runs the project's tests and lists those that fail, each with its message and file.",
    inputSchema: Type.Object({}),
    outputSchema: Type.Object(
      {
        total: Type.Integer({ description: "Tests that ran; skipped ones do not count." }),
        passed: Type.Integer(),
        failed: Type.Integer(),
        failures: Type.Array(
          Type.Object({ name: Type.String(), message: Type.String(), file: Type.Optional(Type.String()) }, closed),
        ),
      },
      closed,
    ),
    effect: "write",
    idempotent: true,
    timeoutMs: TIMEOUT_MS + 5000,
    async execute(_args, ctx) {
      const { reporter } = checks;
      if (reporter === undefined) throw new Error("There is no test runner here whose report can be read.");
      const scratch = await mkdtemp(join(tmpdir(), "nestcall-report-"));
      try {
        const file = join(scratch, "report");
        const { command, args, ...more } = reporter.command(file);
        const options = { ...more, cwd: folder, signal: ctx.signal, timeoutMs: TIMEOUT_MS };
        const run = await runProcess(command, args, options);
        ctx.signal.throwIfAborted();
        if (run.timedOut) throw new Error(`The tests did not end within ${TIMEOUT_MS / 1000} seconds.`);
        const text = await readFile(file, "utf8").catch(() => "");
        if (text === "") throw new Error(`The tests gave no report: ${cutTextBefore(run.output.trim(), 1000)}`);
        const report = readTestReport(reporter.kind, text, folder);
        return {
          content: [{ type: "text", text: describe(report) }],
          structuredContent: report,
          usage: { processes: 1, outputBytes: run.outputBytes + Buffer.byteLength(text) },
        };
      } finally {
        await rm(scratch, { recursive: true });
      }
    },
  });
}

function describe({ total, failed, failures }: TestReport): string {
  const list = failures.map(({ name, message, file }) => `- ${name} (${file ?? "unknown file"}): ${message}`);
  return [`${failed} of ${total} tests fail`, ...list].join("\n");
}
