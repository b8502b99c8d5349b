// B1, B2, B4: the calls of one model message.
import pLimit from "p-limit";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import { type BatchOutcome, batchTerminates, messageOf, type RootCallOutcome } from "./batch-outcome.js";
import { type CallOptions, readCallOptions } from "./call-options.js";
import { CallScope } from "./call-scope.js";
import type { Engine } from "./engine.js";
import { closedOutcome, nameOf } from "./refusals.js";
import { decideCall, openCall, runCall } from "./run-call.js";
import { settleCall } from "./settle-call.js";

/** One call of a model message, as the model made it. */
export interface BatchCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
}
export interface BatchOptions {
  readonly signal?: AbortSignal;
  /** `sequential` makes this batch run one call at a time. */
  readonly toolExecution?: "parallel" | "sequential";
}

/** Runs a batch. Rejects only for arguments that are no batch at all. */
export async function runBatch(
  engine: Engine,
  calls: readonly BatchCall[],
  options?: BatchOptions,
): Promise<BatchOutcome> {
  const batch = readCalls(calls);
  const callOptions = readOptions(options);
  const isSequential =
    engine.toolExecution === "sequential" ||
    options?.toolExecution === "sequential" ||
    batch.some((call) => engine.registry.get(call.name)?.executionMode === "sequential");
  const outcomes = isSequential ? await inTurn(engine, batch, callOptions) : await together(engine, batch, callOptions);
  return {
    messages: outcomes.map((outcome) => messageOf(outcome, engine.clock.now())),
    outcomes,
    terminate: batchTerminates(outcomes.map(({ result }) => result)),
  };
}

async function inTurn(engine: Engine, calls: readonly BatchCall[], options: CallOptions): Promise<RootCallOutcome[]> {
  const outcomes: RootCallOutcome[] = [];
  for (const call of calls) {
    const opened = open(engine, call, options);
    if (opened instanceof CallScope) void runCall(opened, undefined);
    outcomes.push(await outcomeOf(opened));
  }
  return outcomes;
}

/** All are announced, then asked about in their order, then run: a person sees the whole batch before it happens. */
async function together(engine: Engine, calls: readonly BatchCall[], options: CallOptions): Promise<RootCallOutcome[]> {
  const opened = calls.map((call) => open(engine, call, options));
  const allowed: CallScope[] = [];
  for (const scope of opened) {
    if (!(scope instanceof CallScope) || scope.isSettled) continue;
    // A hook may hang for ever; a call that was stopped meanwhile does not wait for it (T2).
    await Promise.race([decideCall(scope), scope.promise]);
    if (!scope.isSettled) allowed.push(scope);
  }
  const { maxConcurrency } = engine.limits;
  if (allowed.length <= maxConcurrency) {
    for (const scope of allowed) void runCall(scope, undefined, true);
  } else {
    const limit = pLimit(maxConcurrency);
    for (const scope of allowed) void limit(runAllowed, scope);
  }
  return Promise.all(opened.map(outcomeOf));
}

/** Ends with the call, not with a tool that was left behind. */
function runAllowed(scope: CallScope): Promise<RootCallOutcome> {
  void runCall(scope, undefined, true);
  return scope.promise;
}

/** A call that has begun, or the outcome of one that was refused before it could. */
function open(engine: Engine, call: BatchCall, options: CallOptions): CallScope | RootCallOutcome {
  const name = typeof call.name === "string" ? call.name : nameOf(call.name);
  if (engine.isClosed) return closedOutcome(call.id, name);
  const scope = new CallScope(engine, undefined, call.id, name, "model", "model", undefined);
  const refused = openCall(scope, call.name, call.arguments, options);
  if (refused !== undefined) settleCall(scope, refused);
  return scope;
}

function outcomeOf(opened: CallScope | RootCallOutcome): Promise<RootCallOutcome> {
  return opened instanceof CallScope ? opened.promise : Promise.resolve(opened);
}

/** The batch as it is now; what cannot be read is refused before anything runs. */
function readCalls(calls: unknown): readonly BatchCall[] {
  if (!Array.isArray(calls))
    throw wrong(`calls must be a list of { id, name, arguments }, not ${describeValue(calls)}`);
  return calls.map((call: unknown, index) => {
    let read: { readonly [field: string]: unknown };
    try {
      const { id, name, arguments: args } = (call ?? {}) as { readonly [field: string]: unknown };
      read = { id, name, arguments: args };
    } catch (error) {
      throw wrong(`calls[${index}] cannot be read: ${thrownText(error)}`);
    }
    if (typeof read.id !== "string") throw wrong(`calls[${index}].id must be a string, not ${describeValue(read.id)}`);
    return read as unknown as BatchCall; // a name that is no string is an unknown tool
  });
}

function readOptions(options: unknown): CallOptions {
  const callOptions = readCallOptions("executor.executeBatch", options);
  if (callOptions.problem !== undefined) throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, callOptions.problem);
  const mode: unknown = (options as BatchOptions | null | undefined)?.toolExecution;
  if (mode !== undefined && mode !== "parallel" && mode !== "sequential") {
    throw wrong(`options.toolExecution must be "parallel" or "sequential", not ${describeValue(mode)}`);
  }
  return callOptions;
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `executor.executeBatch: ${problem}.`);
}
