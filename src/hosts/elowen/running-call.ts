// E39, E40: who acts and what may be done, asked of the call that runs. The storage is entered around the `execute` of this
// door's tools and nowhere else, so that calls of other tools do not pay for it.
import { AsyncLocalStorage } from "node:async_hooks";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import type { ToolContext } from "../../tools/tool.js";

/** One for all plugins: where a tool of one calls a tool of another, the inner call counts, which never may do more. */
const running = new AsyncLocalStorage<ToolContext>();

export function runInCall<T>(ctx: ToolContext, execute: () => T): T {
  return running.run(ctx, execute);
}

/** @throws NestcallError `INVALID_ARGUMENTS` outside of a running call. */
export function runningCall(accessor: string): ToolContext {
  const ctx = running.getStore();
  if (ctx !== undefined) return ctx;
  const message =
    `ctx.${accessor}() was called outside of a running tool. Its answer belongs to one moment of one call: ` +
    "call it inside execute, where it is used, and keep no answer.";
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
