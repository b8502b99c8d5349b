// What a person is shown before a call, and what counts as consent (DESIGN 8.1).
import { safeLine, safeText } from "../../../errors/safe-text.js";
import { shortenText } from "../../../errors/text.js";
import type { ApprovalQuestion } from "./mcp-approvals.js";

/** More than a person reads. */
const MAX_ARGUMENT_BYTES = 64 * 1024;

/** The form: one required boolean, which nothing fills in beforehand. */
export const APPROVAL_SCHEMA = {
  type: "object",
  properties: {
    approve: { type: "boolean", title: "Approve", description: "Whether this one call may run." },
  },
  required: ["approve"],
} as const satisfies object;

/** Names the tool, where it is from, why it is asked for, and the arguments as they would run. */
export function approvalMessage({ request, decision }: ApprovalQuestion, origin: string): string {
  const { toolName, parentToolCallId } = request;
  const within = parentToolCallId === undefined ? "" : ", called by another tool or a script";
  const reason = decision === undefined ? [] : [`Why this is asked: ${safeLine(decision.reason)}.`];
  return [
    `May the tool ${safeLine(toolName)} (${origin}) run${within}?`,
    ...reason,
    "It would run with these arguments:",
    shownArguments(request.arguments),
  ].join("\n");
}

/**
 * The whole of the arguments: nobody consents to what is not shown. Nothing in it can reorder or hide what stands around it.
 *
 * @throws Error, which refuses the call, for arguments that are too long to be shown.
 */
export function shownArguments(args: unknown): string {
  const short = JSON.stringify(args) ?? "{}";
  const bytes = Buffer.byteLength(short);
  if (bytes > MAX_ARGUMENT_BYTES) {
    throw new Error(
      `its arguments are ${bytes} bytes of JSON, and a person can be shown ${MAX_ARGUMENT_BYTES} at most, so nobody was asked; send less at once, or let the policy allow the tool`,
    );
  }
  const indented = JSON.stringify(args, undefined, 2) ?? "{}";
  return safeText(Buffer.byteLength(indented) > MAX_ARGUMENT_BYTES ? short : indented);
}

export function originText(server: string | undefined, tool: string | undefined): string {
  if (server === undefined) return "of this host";
  const name = `of the MCP server "${shortenText(safeLine(server), 128)}"`;
  return tool === undefined ? name : `${shortenText(safeLine(tool), 256)} ${name}`;
}

/** Only `accept` with `approve: true`; the answer comes from outside, so nothing of it is taken for granted. */
export function isConsent(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  const { action, content } = answer as { readonly action?: unknown; readonly content?: unknown };
  if (action !== "accept" || typeof content !== "object" || content === null) return false;
  return Object.hasOwn(content, "approve") && (content as { readonly approve?: unknown }).approve === true;
}
