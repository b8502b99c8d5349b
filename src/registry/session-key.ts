// What stands for a session, for those who keep something for each: every view of a session is a new object.
import type { ToolSession } from "../tools/tool-session.js";

/** Registered, so that it is also found between two copies of the package. */
export const SESSION_KEY: unique symbol = Symbol.for("nestcall.sessionKey") as never;

/**
 * The same object for each view of a session and for what calls narrow it to, another one for each session that a host or
 * a tool makes. There is nothing to be had from it.
 */
export function sessionKeyOf(session: ToolSession): object {
  return (session as { readonly [SESSION_KEY]?: object })[SESSION_KEY] ?? session;
}
