// The tool `failing_tests`: a promise about its data. The report is a fixture; a real one would read the test runner's.
import { defineTool, Type } from "nestcall/pi";

const REPORT = { total: 3, failures: [{ name: "adds up an empty list", file: "test/total.test.ts" }] };

export const failingTests = defineTool({
  name: "failing_tests",
  label: "Failing tests",
  description: "The tests that fail, as data.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  parameters: Type.Object({}),
  outputSchema: Type.Object({
    total: Type.Integer(),
    failures: Type.Array(Type.Object({ name: Type.String(), file: Type.String() })),
  }),
  async execute() {
    const { total, failures } = REPORT;
    const text = `${failures.length} of ${total} tests fail`;
    // There is data and a failure: the caller gets both.
    return { content: [{ type: "text", text }], details: undefined, structuredContent: REPORT, isError: true };
  },
});
