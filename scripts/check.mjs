// `npm test`: the whole gate, the same here and in `.ci/run`. It stops at the first step that fails, with its exit code.
// The examples and the packed package are run by tests, so they are part of the step "tests".
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compiler, refuseToStart, runNode } from "./run-step.mjs";

const steps = {
  build: [compiler, "-p", "tsconfig.build.json"],
  "build the examples": [compiler, "-p", "examples/tsconfig.json"],
  "format and lint": ["node_modules/@biomejs/biome/bin/biome", "check", "."],
  types: [compiler, "-p", "tsconfig.json"],
  tests: ["node_modules/vitest/vitest.mjs", "run"],
  unused: ["node_modules/knip/bin/knip.js", "--config", "scripts/knip.json"],
  "package form": ["node_modules/publint/src/cli.js", "--strict"],
  "package types": ["node_modules/@arethetypeswrong/cli/dist/index.js", "--pack", ".", "--profile", "esm-only"],
};

refuseToStart();
// What a source that is gone once gave must not be packed, nor run as an example.
for (const output of ["dist", "build"]) {
  await rm(fileURLToPath(new URL(`../${output}`, import.meta.url)), { recursive: true, force: true });
}
for (const [name, command] of Object.entries(steps)) {
  console.log(`\n== ${name}`);
  const startedAt = performance.now();
  const exitCode = await runNode(command);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`== ${name}: ${exitCode === 0 ? "ok" : `failed with exit code ${exitCode}`} (${seconds} s)`);
  if (exitCode !== 0) process.exit(exitCode);
}
