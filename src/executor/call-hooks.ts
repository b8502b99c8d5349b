// Steps 6, 8 and 12 of a call: the hooks that users write. Gates fail closed (H3).
import { ErrorCode } from "../errors/error-code.js";
import { shortenText, thrownText } from "../errors/text.js";
import { isSameJson } from "../records/json-snapshot.js";
import { UsageSum } from "../records/usage-sum.js";
import type { Tool, ToolResult } from "../tools/tool.js";
import { contentProblem } from "../tools/tool-result.js";
import { checkPatchedArguments, entryOf } from "./call-arguments.js";
import type { CallScope } from "./call-scope.js";
import { checkOutput } from "./check-output.js";
import { type Ending, failure, failureWith } from "./ending.js";
import { emitWait } from "./events.js";
import type {
  BeforeMutationHookEvent,
  CallSource,
  RootCallInfo,
  ToolCallHook,
  ToolCallHookEvent,
  ToolResultHook,
  ToolResultHookEvent,
  ToolResultPatch,
} from "./hook.js";
import { isThenable } from "./observers.js";

/** What all hooks see of a call. `signal` is made when it is read. */
class CallView {
  readonly toolCallId: string;
  readonly parentToolCallId: string | undefined;
  readonly toolName: string;
  readonly tool: Tool;
  readonly depth: number;
  readonly source: CallSource;
  readonly originalArguments: unknown;
  input: unknown;
  readonly #scope: CallScope;

  constructor(scope: CallScope) {
    this.toolCallId = scope.id;
    this.parentToolCallId = scope.parent?.id;
    this.toolName = scope.name;
    this.tool = entryOf(scope).tool;
    this.depth = scope.depth;
    this.source = scope.source;
    this.originalArguments = scope.originalInput;
    this.input = scope.input;
    this.#scope = scope;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get rootCall(): RootCallInfo {
    return rootCallOf(this.#scope);
  }

  reportWait(reason: "approval"): void {
    emitWait(this.#scope, { reason });
  }
}

class MutationView extends CallView implements BeforeMutationHookEvent {
  readonly paths: readonly string[];

  constructor(scope: CallScope, paths: readonly string[]) {
    super(scope);
    this.paths = paths;
  }
}

class ResultView extends CallView implements ToolResultHookEvent {
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
  const elapsedMs = scope.engine.clock.monotonic() - scope.root.startedAt;
  return { toolCallId: top.id, calls: scope.root.calls, usage: sum.toUsage(), elapsedMs };
}

/** A settled call has handed its usage up, so what open calls have is all there is. */
function addOpenUsage(scope: CallScope, sum: UsageSum): void {
  if (scope.usage !== undefined) sum.addSum(scope.usage);
  for (const child of scope.openChildren) addOpenUsage(child, sum);
}

/** Step 6: asks the `tool_call` handlers in order; each sees the patches of those before it. */
export function askToolCallHooks(scope: CallScope): Ending | undefined | Promise<Ending | undefined> {
  const handlers = scope.engine.hooks.toolCall;
  return handlers.length === 0 ? undefined : askInOrder(scope, handlers);
}

async function askInOrder(scope: CallScope, handlers: readonly ToolCallHook[]): Promise<Ending | undefined> {
  const event: ToolCallHookEvent = new CallView(scope);
  for (const handler of handlers) {
    try {
      let decision: unknown = handler(event);
      if (isThenable(decision)) decision = await inTime(scope, decision, "tool_call");
      if (scope.isSettled) return undefined;
      if (typeof decision !== "object" || decision === null) continue;
      const blocked = blockOf(scope, decision, "tool_call");
      if (blocked !== undefined) return blocked;
      if ("input" in decision && decision.input !== undefined) event.input = decision.input;
    } catch (error) {
      return hookFailure(scope, "tool_call", error);
    }
  }
  if (event.input === scope.input && isSameJson(event.input, scope.frozenInput)) return undefined;
  return checkPatchedArguments(scope, event.input);
}

/** Step 8: asks the `before_mutation` handlers, inside the lease. */
export async function askBeforeMutationHooks(scope: CallScope, paths: readonly string[]): Promise<Ending | undefined> {
  const event = new MutationView(scope, paths);
  event.input = scope.frozenInput;
  for (const handler of scope.engine.hooks.beforeMutation) {
    try {
      let decision: unknown = handler(event);
      if (isThenable(decision)) decision = await inTime(scope, decision, "before_mutation");
      if (scope.isSettled) return undefined;
      const blocked =
        typeof decision === "object" && decision !== null ? blockOf(scope, decision, "before_mutation") : undefined;
      if (blocked !== undefined) return blocked;
    } catch (error) {
      return hookFailure(scope, "before_mutation", error);
    }
  }
  return undefined;
}

/** Step 12: hands the ending to the `tool_result` handlers, each of which may patch it. */
export function askToolResultHooks(scope: CallScope, ending: Ending): Ending | Promise<Ending> {
  const handlers = scope.engine.hooks.toolResult;
  return handlers.length === 0 ? ending : patchInOrder(scope, ending, handlers);
}

async function patchInOrder(scope: CallScope, ending: Ending, handlers: readonly ToolResultHook[]): Promise<Ending> {
  const event = new ResultView(scope, ending.result);
  let current = ending;
  for (const handler of handlers) {
    try {
      let patch: unknown = handler(event);
      if (isThenable(patch)) patch = await inTime(scope, patch, "tool_result");
      if (scope.isSettled) return current;
      if (typeof patch !== "object" || patch === null) continue;
      current = await patchEnding(scope, current, patch);
      event.result = current.result;
    } catch (error) {
      // H3: nothing of the original is shown; its usage still counts.
      const failed = hookFailure(scope, "tool_result", error);
      const { usage } = current.result;
      return usage === undefined ? failed : { ...failed, result: { ...failed.result, usage } };
    }
  }
  return current;
}

async function patchEnding(scope: CallScope, { code, result }: Ending, patch: ToolResultPatch): Promise<Ending> {
  const patched: Record<string, unknown> = { ...result };
  if (patch.content !== undefined) {
    const problem = contentProblem(patch.content);
    if (problem !== undefined) throw new TypeError(`its patch is no result: ${problem}`);
    patched.content = patch.content;
    delete patched.structuredContent; // H4: it would tell what the new content does not
  }
  if (patch.isError !== undefined && typeof patch.isError !== "boolean") {
    throw new TypeError("its patch is no result: isError is not true or false");
  }
  for (const field of ["details", "structuredContent", "isError", "usage", "terminate"] as const) {
    if (patch[field] !== undefined) patched[field] = patch[field];
  }
  const next = patched as unknown as ToolResult; // the fields of a result, each checked where it matters
  if (next.isError === true) {
    return failureWith(code ?? ErrorCode.TOOL_FAILED, next, `Tool "${shortenText(scope.name, 128)}" failed.`);
  }
  // H7: what a hook supplies is checked too, and so is an error that it makes a success.
  const mustCheck = patch.structuredContent !== undefined || result.isError === true;
  return (mustCheck ? await checkOutput(scope, next) : undefined) ?? { status: "ok", result: next };
}

function blockOf(scope: CallScope, decision: object, hook: string): Ending | undefined {
  const { block, reason, terminate } = decision as { readonly [field: string]: unknown };
  if (block === undefined || block === false) return undefined;
  if (block !== true) return hookFailure(scope, hook, new TypeError("it returned a block that is not true or false"));
  const text =
    typeof reason === "string" && reason !== "" ? reason : `Tool "${shortenText(scope.name, 128)}" was blocked.`;
  return failure(ErrorCode.BLOCKED, text, terminate === true);
}

function hookFailure(scope: CallScope, hook: string, error: unknown): Ending {
  const text = `A ${hook} hook failed, so tool "${shortenText(scope.name, 128)}" ${HOOK_EFFECTS[hook]}: ${thrownText(error)}`;
  return failure(ErrorCode.HOOK_FAILED, text);
}

const HOOK_EFFECTS: { readonly [hook: string]: string } = {
  tool_call: "was not run",
  before_mutation: "was not run",
  tool_result: "has no result that may be shown",
};

/** The answer of a handler, or a failure when it takes longer than `hookTimeoutMs`. */
function inTime(scope: CallScope, answer: PromiseLike<unknown>, hook: string): PromiseLike<unknown> {
  const { hookTimeoutMs } = scope.engine.limits;
  if (hookTimeoutMs === undefined) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`a ${hook} handler took longer than ${hookTimeoutMs} ms (limits.hookTimeoutMs)`));
    }, hookTimeoutMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
