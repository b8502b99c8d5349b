// The candidate of the codemode bench: CANDIDATE=bench/codemode-adapter.mjs. It runs what `npm run build` has built.
import { createCodemodeRuntime } from "../dist/codemode/index.js";

// 10 MB of JSON are more than 64 MiB as values; the peer has no limit of its own.
const runtime = createCodemodeRuntime({
  limits: { memoryBytes: 256 * 1024 * 1024, argumentBytes: 4 * 1024 * 1024, cpuMs: 120_000 },
});
const options = new Map();

function optionsOf(tools) {
  let known = options.get(tools);
  if (known === undefined) {
    known = {
      tools: Object.keys(tools).map((name) => ({ name })),
      callTool: async (name, args) => tools[name](args),
    };
    options.set(tools, known);
  }
  return known;
}

export async function runScript(code, tools) {
  const run = await runtime.run(code, optionsOf(tools));
  if (run.status !== "ok") throw new Error(`${run.status}: ${run.error.message}`);
  return { value: run.value };
}

export const close = () => runtime.close();
