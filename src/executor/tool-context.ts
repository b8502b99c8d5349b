// What a running tool sees of its call.

import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { absolutePaths } from "../mutation-queue/file-mutation-queue.js";
import { ancestorsOf } from "../mutation-queue/lease.js";
import { currentLease } from "../mutation-queue/lease-context.js";
import { SessionView } from "../registry/session-view.js";
import type { Access, Identity } from "../tools/access.js";
import type { Host, NestedCallOptions, ToolCallOutcome, ToolContext, ToolInfo, ToolResult } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";
import type { CallScope } from "./call-scope.js";
import { CALL_FOR_SCRIPT, type ScriptCall } from "./script-call.js";
import { reportUpdate } from "./updates.js";

/** A call of a running tool; never rejects. */
export type NestedCall = (
  scope: CallScope,
  target: unknown,
  args: unknown,
  options: unknown,
  script?: ScriptCall,
) => Promise<ToolCallOutcome>;

/** Members are made when they are read: most tools use one or two. Functions are bound, so they may be passed on. */
export class RunningToolContext implements ToolContext {
  readonly #scope: CallScope;
  readonly #call: NestedCall;

  constructor(scope: CallScope, call: NestedCall) {
    this.#scope = scope;
    this.#call = call;
  }

  /** A call of a script that the tool runs. */
  [CALL_FOR_SCRIPT](call: ScriptCall): Promise<ToolCallOutcome> {
    return this.#call(this.#scope, call.name, call.args, { signal: call.signal }, call);
  }

  get toolCallId(): string {
    return this.#scope.id;
  }
  get parentToolCallId(): string | undefined {
    return this.#scope.parent?.id;
  }
  get depth(): number {
    return this.#scope.depth;
  }
  get signal(): AbortSignal {
    return this.#scope.signal;
  }
  get tools(): readonly ToolInfo[] {
    return this.#scope.session.reachableByTools();
  }
  get session(): ToolSession {
    return new SessionView(this.#scope.session);
  }
  get access(): ToolContext["access"] {
    return () => accessOf(this.#scope);
  }
  get identity(): ToolContext["identity"] {
    return () => identityOf(this.#scope);
  }
  get host(): Host {
    return this.#scope.engine.host;
  }
  get executeTool(): ToolContext["executeTool"] {
    const call = (target: unknown, args?: unknown, options?: NestedCallOptions) =>
      this.#call(this.#scope, target, args, options);
    return call as ToolContext["executeTool"]; // the overloads differ in types only
  }
  get onUpdate(): ToolContext["onUpdate"] {
    return (partial: Partial<ToolResult>) => reportUpdate(this.#scope, partial);
  }
  get withFileMutationQueue(): ToolContext["withFileMutationQueue"] {
    return (path, fn) => withFileMutationQueueOf(this.#scope, path, fn);
  }
}

/** E40: read at the moment of use; a value that outlives its call would be a captured one. */
function accessOf(scope: CallScope): Access {
  assertRunning(scope, "access");
  return scope.session.access();
}

function identityOf(scope: CallScope): Identity {
  assertRunning(scope, "identity");
  return scope.session.identity();
}

function assertRunning(scope: CallScope, what: string): void {
  if (!scope.isClosed && !scope.isSettled) return;
  const message = `ctx.${what}() was read after the call of tool "${scope.name}" had ended; read it where it is used, inside the call.`;
  throw new NestcallError(ErrorCode.CALLER_FINISHED, message);
}

/** F5: as the free function, for the call and with its signal; paths are relative to the executor's `cwd`. */
async function withFileMutationQueueOf<T>(
  scope: CallScope,
  path: string | readonly string[],
  fn: () => T | Promise<T>,
): Promise<T> {
  if (typeof fn !== "function") {
    const message = `ctx.withFileMutationQueue takes a function as its second argument; it got ${describeValue(fn)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const { queue, cwd } = scope.engine;
  const paths = absolutePaths(path, cwd);
  const { signal } = scope;
  signal.throwIfAborted();
  const above = [...(scope.leasesAbove() ?? []), currentLease()];
  const request = queue.acquire({ paths, ancestors: ancestorsOf(above), owner: scope.id });
  return queue.follow(request, fn, signal);
}
