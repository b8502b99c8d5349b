// The five tools of the review.
import type { ExtensionAPI } from "nestcall/pi";
import { collectDiff } from "./collect-diff.js";
import { dangerousCommands } from "./dangerous-commands.js";
import { failingTests } from "./failing-tests.js";
import { reviewDiff } from "./review-diff.js";
import { runChecks } from "./run-checks.js";

export default function review(pi: ExtensionAPI) {
  for (const tool of [runChecks, collectDiff, dangerousCommands, failingTests, reviewDiff]) pi.registerTool(tool);
}
