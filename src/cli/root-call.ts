// One root call of a command: drawn on stderr while it runs, ended by Ctrl-C.
import type { RootCallOutcome } from "../executor/batch-outcome.js";
import type { Gateway } from "../hosts/mcp/gateway/create-gateway.js";
import { type ApprovalMode, type CommandApprovals, commandApprovals } from "./approvals.js";
import type { Cli } from "./cli.js";
import { drawLiveTree, type LiveTree } from "./live-tree.js";
import { note } from "./output.js";
import { openWorkbench, type WorkbenchOptions } from "./workbench.js";

export interface CallBench {
  readonly gateway: Gateway;
  /** Makes the call; `isQuiet` draws nothing. */
  call(name: string, args: unknown, options: { readonly isQuiet: boolean }): Promise<RootCallOutcome>;
}

export interface CallBenchOptions extends Omit<WorkbenchOptions, "confirm"> {
  readonly approve: ApprovalMode;
  /** The root call's tool, when it is the gateway's own. */
  readonly ownTool?: string;
}

/** A gateway whose policy asks as the command line says. */
export async function openCallBench(options: CallBenchOptions, cli: Cli): Promise<CallBench> {
  let tree: LiveTree | undefined;
  const pause = () => tree?.pause() ?? (() => {});
  const isFree = (name: string) => name === options.ownTool;
  const approvals: CommandApprovals = commandApprovals(options.approve, { pause, isFree });
  const gateway = await openWorkbench({ ...options, confirm: approvals.confirm }, cli);
  const { executor } = gateway;
  if (approvals.hook !== undefined) executor.on("tool_call", approvals.hook);
  return {
    gateway,
    async call(name, args, { isQuiet }) {
      tree = isQuiet ? undefined : drawLiveTree(executor, { isAsking: options.approve === "ask" });
      try {
        return await executor.executeTool(name, args, { signal: cli.signal });
      } finally {
        tree?.stop();
      }
    },
  };
}

/** Why nobody was asked, when that is why the call failed. */
export function tellOfApprovals(mode: ApprovalMode, text: string): void {
  if (mode !== "none" || !text.includes("nobody can be asked here")) return;
  note("--approve ask asks you at a terminal, --approve all allows what the policy would ask for.");
}
