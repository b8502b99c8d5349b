// Reads what a test runner reported: vitest's JSON file, or the lines of our reporter for node's own runner.
// A test file that could not be loaded counts as one failure, so that a broken import never looks like success.
import { relative } from "node:path";
import { cutText } from "./cut-text.js";
import type { NodeTestLine } from "./node-test-reporter.js";

interface TestFailure {
  readonly name: string;
  readonly message: string;
  /** Relative to the project's folder. */
  readonly file?: string;
}
export interface TestReport {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly TestFailure[];
}

const MAX_FAILURES = 50;
const MAX_MESSAGE_CHARS = 500;

/** @throws when the text is not a report of that runner. */
export function readTestReport(kind: "vitest" | "node:test", text: string, folder: string): TestReport {
  const lines = kind === "vitest" ? vitestLines(text) : nodeLines(text);
  const failed = lines.filter((line) => !line.passed);
  return {
    total: lines.length,
    passed: lines.length - failed.length,
    failed: failed.length,
    failures: failed.slice(0, MAX_FAILURES).map(({ name, message = "failed", file }) => ({
      name: file === name ? "the test file could not be run" : name,
      message: cutText(message.trim(), MAX_MESSAGE_CHARS),
      ...(file === undefined ? {} : { file: relative(folder, file) }),
    })),
  };
}

function nodeLines(text: string): readonly NodeTestLine[] {
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length === 0) throw new Error("the report is empty");
  return lines.map((line) => JSON.parse(line) as NodeTestLine); // written by our own reporter
}

/** The part of vitest's JSON report (the form that jest introduced) that is read here. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

function vitestLines(text: string): readonly NodeTestLine[] {
  const report = JSON.parse(text) as VitestReport; // a report of another form fails below, where it is read
  return report.testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const ran = assertionResults.filter((test) => test.status === "passed" || test.status === "failed");
    const lines = ran.map((test): NodeTestLine => {
      const failure = test.failureMessages?.[0];
      return { passed: test.status === "passed", name: test.fullName, file, ...(failure ? { message: failure } : {}) };
    });
    if (status !== "failed" || lines.some((line) => !line.passed)) return lines;
    return [...lines, { passed: false, name: file, file, ...(message ? { message } : {}) }];
  });
}
