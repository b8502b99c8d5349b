// Asks before each call that may do harm, by what the tool claims of itself; a claim that is missing is taken for the worst.
import type { ExtensionAPI } from "nestcall/pi";

export default function approvalGuard(pi: ExtensionAPI) {
  pi.on("tool_call", async (event, ctx) => {
    const hints = pi.getAllTools().find(({ name }) => name === event.toolName)?.annotations;
    const mayHarm = (hints?.destructiveHint ?? true) || (hints?.openWorldHint ?? true);
    const needsApproval = hints?.destructiveHint === true || (hints?.readOnlyHint !== true && mayHarm);
    if (!needsApproval) return undefined;
    if (!ctx.hasUI) return { block: true, reason: `${event.toolName} needs approval, and there is no UI to ask` };
    const isApproved = await ctx.ui.confirm("Allow this call?", `${event.toolName} ${JSON.stringify(event.input)}`);
    return isApproved ? undefined : { block: true, reason: `${event.toolName} was not approved` };
  });
}
