// What the handlers of a hook are given.
import { UsageSum } from "../records/usage-sum.js";
import { SessionView } from "../registry/session-view.js";
import type { Access } from "../tools/access.js";
import type { Tool, ToolResult } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";
import { beginApprovalWait } from "./approval-wait.js";
import { entryOf } from "./call-arguments.js";
import type { CallScope } from "./call-scope.js";
import { emitWait } from "./events.js";
import type {
  BeforeMutationHookEvent,
  CallSource,
  RootCallInfo,
  ToolCallHookEvent,
  ToolResultHookEvent,
} from "./hook.js";

/** What all hooks see of a call. `signal` is made when it is read. */
export class CallView implements ToolCallHookEvent {
  readonly toolCallId: string;
  readonly parentToolCallId: string | undefined;
  readonly toolName: string;
  readonly tool: Tool;
  readonly depth: number;
  readonly source: CallSource;
  readonly originalArguments: unknown;
  readonly #scope: CallScope;
  #given: unknown = undefined;

  constructor(scope: CallScope) {
    this.toolCallId = scope.id;
    this.parentToolCallId = scope.parent?.id;
    this.toolName = scope.name;
    this.tool = entryOf(scope).tool;
    this.depth = scope.depth;
    this.source = scope.source;
    this.originalArguments = scope.originalInput;
    this.#scope = scope;
  }

  /** Who reads it may change it: a call whose hooks only look at names need not be compared. */
  get input(): unknown {
    return this.#given === undefined ? this.#scope.shareInput() : this.#given;
  }

  set input(value: unknown) {
    this.#given = value ?? {};
  }

  /** Whether a handler replaced the arguments. */
  get hasNewInput(): boolean {
    return this.#given !== undefined;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get rootCall(): RootCallInfo {
    return rootCallOf(this.#scope);
  }

  get session(): ToolSession {
    return new SessionView(this.#scope.session);
  }

  access(): Access {
    return this.#scope.session.access();
  }

  reportWait(reason: "approval"): void {
    emitWait(this.#scope, { reason });
    beginApprovalWait(this.#scope);
  }
}

export class MutationView extends CallView implements BeforeMutationHookEvent {
  readonly paths: readonly string[];

  constructor(scope: CallScope, paths: readonly string[]) {
    super(scope);
    this.input = scope.frozenInput;
    this.paths = paths;
  }
}

export class ResultView extends CallView implements ToolResultHookEvent {
  result: ToolResult;

  constructor(scope: CallScope, result: ToolResult) {
    super(scope);
    this.input = scope.frozenInput;
    this.result = result;
  }
}

function rootCallOf(scope: CallScope): RootCallInfo {
  let top = scope;
  while (top.parent !== undefined) top = top.parent;
  const sum = new UsageSum();
  addOpenUsage(top, sum);
  const elapsedMs = scope.root.elapsedMs(scope.engine.clock.monotonic());
  return { toolCallId: top.id, calls: scope.ordinal, usage: sum.toUsage(), elapsedMs };
}

/** A settled call has handed its usage up, so what open calls have is all there is. */
function addOpenUsage(scope: CallScope, sum: UsageSum): void {
  if (scope.usage !== undefined) sum.addSum(scope.usage);
  for (const child of scope.openChildren) addOpenUsage(child, sum);
}
