// `npm start [-- PATH]`: builds the package and the examples, then runs the review example with the same arguments.
// The build prints to stderr only, so that stdout is the review's alone.
import { compiler, refuseToStart, runNode } from "./run-step.mjs";

refuseToStart();
const onStderr = ["ignore", 2, 2];
process.exitCode =
  (await runNode([compiler, "-p", "tsconfig.build.json"], onStderr)) ||
  (await runNode([compiler, "-p", "examples/tsconfig.json"], onStderr)) ||
  (await runNode(["build/examples/02-review-guard/main.js", ...process.argv.slice(2)]));
