// Code that is worth loading late.
import type { ExecuteOptions, ToolResult } from "nestcall/agntn";

export async function execute(input: { readonly days: number }, { signal }: ExecuteOptions): Promise<ToolResult> {
  signal.throwIfAborted();
  return { content: [{ type: "text", text: `A report of ${input.days} days.` }], details: { days: input.days } };
}
