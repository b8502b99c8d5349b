// `npm start [-- PATH]`: builds the package, then runs `nestcall demo` with the same arguments.
// The build prints to stderr only, so that stdout is the review's alone.
import { compiler, refuseToStart, runNode } from "./run-step.mjs";

refuseToStart();
process.exitCode =
  (await runNode([compiler, "-p", "tsconfig.build.json"], ["ignore", 2, 2])) ||
  (await runNode(["dist/cli/main.js", "demo", ...process.argv.slice(2)]));
