// Steps 6, 8 and 12 of a call: the hooks that users write. Gates fail closed (H3).
import { ErrorCode } from "../errors/error-code.js";
import { shortenText, thrownText } from "../errors/text.js";
import { isThenable } from "../errors/thenable.js";
import { runInsideLease } from "../mutation-queue/lease-context.js";
import { cloneJson, isSameJson } from "../records/json-snapshot.js";
import { type AccessRestriction, restrictionProblem } from "../tools/access.js";
import type { ToolResult } from "../tools/tool.js";
import { contentProblem } from "../tools/tool-result.js";
import { endApprovalWait } from "./approval-wait.js";
import { checkPatchedArguments } from "./call-arguments.js";
import type { CallScope } from "./call-scope.js";
import { withUsage } from "./check-output.js";
import { type Ending, failure, failureWith } from "./ending.js";
import type { BeforeMutationHook, ToolCallHook, ToolResultHook, ToolResultPatch } from "./hook.js";
import { CallView, MutationView, ResultView } from "./hook-views.js";
import { accessRefusal } from "./refusals.js";

/**
 * One pass over the handlers of a hook. `next` runs them until one answers later and gives its promise; the caller awaits
 * it, hands the answer to `take` or the rejection to `fail`, and calls `next` again. So a pass without promises takes no
 * turn of the event loop, and one with promises takes as many as there are.
 */
abstract class HookPass<H extends (event: never) => unknown> {
  readonly scope: CallScope;
  readonly #name: string;
  readonly #handlers: readonly H[];
  #index = 0;

  constructor(scope: CallScope, name: string, handlers: readonly H[]) {
    this.scope = scope;
    this.#name = name;
    this.#handlers = handlers;
  }

  /** The answer that is still to come; `undefined` when the pass is over. */
  next(): Promise<unknown> | undefined {
    while (this.#index < this.#handlers.length && !this.isOver && !this.scope.isSettled) {
      const handler = this.#handlers[this.#index] as H; // inside the array
      this.#index += 1;
      try {
        const answer = this.ask(handler);
        // A promise of our own: what else has a `then` may answer in its own way, and a gate must not take that for a yes.
        if (isThenable(answer)) return inTime(this.scope, Promise.resolve(answer), this.#name);
        this.apply(answer);
      } catch (error) {
        this.fail(error);
      }
    }
    return undefined;
  }

  take(answer: unknown): void {
    try {
      this.apply(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.end(hookFailure(this.scope, this.#name, error));
  }

  protected abstract readonly isOver: boolean;
  protected abstract ask(handler: H): unknown;
  /** What an answer means; throws for an answer that has no meaning. */
  protected abstract apply(answer: unknown): void;
  protected abstract end(ending: Ending): void;
}

/** A gate lets a call through or ends it. */
abstract class Gate<H extends (event: never) => unknown> extends HookPass<H> {
  /** The end of a call that was not let through. */
  refused: Ending | undefined = undefined;

  protected get isOver(): boolean {
    return this.refused !== undefined;
  }

  protected end(ending: Ending): void {
    this.refused = ending;
  }

  protected apply(answer: unknown): void {
    if (typeof answer !== "object" || answer === null) return;
    const { block, reason, terminate } = answer as { readonly [field: string]: unknown };
    if (block === undefined || block === false) return;
    if (block !== true) throw new TypeError("it returned a block that is not true or false");
    const isText = typeof reason === "string" && reason !== "";
    const text = isText ? reason : `Tool "${shortenText(this.scope.name, 128)}" was blocked.`;
    this.end(failure(ErrorCode.BLOCKED, text, terminate === true));
  }
}

/** Step 6: the `tool_call` handlers, each of which sees the patches of those before it. */
export class ToolCallGate extends Gate<ToolCallHook> {
  readonly #event: CallView;

  constructor(scope: CallScope) {
    super(scope, "tool_call", scope.engine.hooks.toolCall);
    this.#event = new CallView(scope);
  }

  /** The check of what the handlers made of the arguments; `undefined` when they left them alone. */
  patched(): Ending | undefined | Promise<Ending | undefined> {
    const { scope, refused } = this;
    if (refused !== undefined || scope.isSettled) return refused;
    if (!scope.isInputShared && !this.#event.hasNewInput) return undefined;
    const { input } = this.#event;
    if (input !== scope.input || !isSameJson(input, scope.frozenInput)) return checkPatchedArguments(scope, input);
    // What a handler kept must not change what has been checked.
    scope.setInput({ frozen: scope.frozenInput, copy: cloneJson(scope.frozenInput) }, scope.schemaOutput);
    return undefined;
  }

  protected ask(handler: ToolCallHook): unknown {
    return handler(this.#event);
  }

  override fail(error: unknown): void {
    endApprovalWait(this.scope);
    super.fail(error);
  }

  protected override apply(answer: unknown): void {
    endApprovalWait(this.scope);
    super.apply(answer);
    if (typeof answer !== "object" || answer === null) return;
    const { input, access } = answer as { readonly [field: string]: unknown };
    if (input !== undefined) this.#event.input = input;
    if (access === undefined) return;
    const problem = restrictionProblem(access);
    if (problem !== undefined) throw new TypeError(`it returned an access that is none: access${problem}`);
    this.scope.narrow(access as AccessRestriction); // checked just now
    const refused = accessRefusal(this.scope);
    if (refused !== undefined) this.end(refused);
  }
}

/** Step 8: the `before_mutation` handlers, inside the lease. */
export class MutationGate extends Gate<BeforeMutationHook> {
  readonly #event: MutationView;

  constructor(scope: CallScope, paths: readonly string[]) {
    super(scope, "before_mutation", scope.engine.hooks.beforeMutation);
    this.#event = new MutationView(scope, paths);
  }

  /** F5: inside the lease, so that a handler that asks for the file, or calls a tool that does, has it. */
  protected ask(handler: BeforeMutationHook): unknown {
    const { lease } = this.scope;
    return lease === undefined ? handler(this.#event) : runInsideLease(lease, () => handler(this.#event));
  }
}

/** Step 12: the `tool_result` handlers, each of which may patch what it gets. */
export class ResultPass extends HookPass<ToolResultHook> {
  ending: Ending;
  readonly #event: ResultView;
  protected isOver = false;
  /** H7: a hook made or freed a result that has to keep the output schema. */
  mustCheck = false;

  constructor(scope: CallScope, ending: Ending) {
    super(scope, "tool_result", scope.engine.hooks.toolResult);
    this.ending = ending;
    this.#event = new ResultView(scope, ending.result);
  }

  protected ask(handler: ToolResultHook): unknown {
    return handler(this.#event);
  }

  protected apply(answer: unknown): void {
    if (typeof answer !== "object" || answer === null) return;
    const patch = answer as ToolResultPatch; // each field is checked where it is used
    if (patch.structuredContent !== undefined || (patch.isError === false && this.ending.status !== "ok"))
      this.mustCheck = true;
    this.ending = patchEnding(this.scope, this.ending, patch);
    this.#event.result = this.ending.result;
  }

  /** H3: what a hook says of its failure may quote the result, so only the host hears of it. */
  override fail(error: unknown): void {
    const { scope } = this;
    if (error instanceof HookTimeout) {
      super.fail(error);
      return;
    }
    scope.engine.observers.report({ error, source: "listener", toolCallId: scope.id }, scope.engine.hooks);
    const text = `A tool_result hook failed, so tool "${shortenText(scope.name, 128)}" has no result that may be shown.`;
    this.end(failure(ErrorCode.HOOK_FAILED, text));
  }

  /** H3: nothing of the original is shown; its usage still counts. */
  protected end(ending: Ending): void {
    this.ending = withUsage(ending, this.ending.result);
    this.isOver = true;
    this.mustCheck = false;
  }
}

function patchEnding(scope: CallScope, { code, result }: Ending, patch: ToolResultPatch): Ending {
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
  if (next.isError !== true) return { status: "ok", result: next };
  return failureWith(code ?? ErrorCode.TOOL_FAILED, next, `Tool "${shortenText(scope.name, 128)}" failed.`);
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

class HookTimeout extends Error {}

/** The answer of a handler, or a failure when it takes longer than `hookTimeoutMs`. */
function inTime(scope: CallScope, answer: Promise<unknown>, hook: string): Promise<unknown> {
  const { hookTimeoutMs } = scope.engine.limits;
  if (hookTimeoutMs === undefined) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (scope.isAskedAbout) return; // 8.1: it waits for a person
      reject(new HookTimeout(`a ${hook} handler took longer than ${hookTimeoutMs} ms (limits.hookTimeoutMs)`));
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
