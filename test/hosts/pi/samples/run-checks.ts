// The tool `run_checks`. What it runs is a fixture, two one-line programs; a real one would run the project's own.
import { defineTool, Type } from "nestcall/pi";
import { runStep } from "./run-step.js";

const MAX_STEP_CHARS = 1000;
const STEPS = [
  { name: "types", script: "console.log('types are fine')" },
  { name: "tests", script: "console.log('x'.repeat(3000) + ' 1 of 3 tests fails'); process.exitCode = 1" },
];

export const runChecks = defineTool({
  name: "run_checks",
  label: "Run checks",
  description: "Runs the type check and the tests. A check that fails is a normal result with its exit code.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  exposure: "direct",
  parameters: Type.Object({
    skipTests: Type.Optional(Type.Boolean({ default: false, description: "Run the type check only." })),
  }),
  async execute(_id, params, _signal) {
    const wanted = STEPS.filter(({ name }) => name === "types" || params.skipTests !== true);
    const steps = [];
    for (const { name, script } of wanted) steps.push({ name, ...(await runStep(process.execPath, ["-e", script])) });
    const texts = steps.map(
      ({ name, output, exit_code }) => `${name}: exit ${exit_code}\n${output.slice(-MAX_STEP_CHARS)}`,
    );
    return { content: [{ type: "text", text: texts.join("\n") }], details: { steps } };
  },
});
