// A reporter for node's own test runner that a program can read: one JSON line for each test.
// The runner loads it in its own process: `node --test --test-reporter=<this file>`.

/** One line of the report. */
export interface NodeTestLine {
  readonly passed: boolean;
  readonly name: string;
  readonly file?: string;
  readonly message?: string;
}

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly file?: string;
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly details?: { readonly type?: string; readonly error?: TestError };
  };
}
interface TestError extends Error {
  readonly failureType?: string;
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const error = data.details?.error;
    // Suites and tests with subtests only repeat what is below them.
    if (data.details?.type === "suite" || error?.failureType === "subtestsFailed") continue;
    if (data.skip !== undefined || data.todo !== undefined) continue;
    const line: NodeTestLine = {
      passed: type === "test:pass",
      name: data.name,
      ...(data.file === undefined ? {} : { file: data.file }),
      ...(error === undefined ? {} : { message: messageOf(error) }),
    };
    yield `${JSON.stringify(line)}\n`;
  }
}

function messageOf(error: TestError): string {
  const { cause } = error;
  return cause instanceof Error ? cause.message : typeof cause === "string" ? cause : error.message;
}
