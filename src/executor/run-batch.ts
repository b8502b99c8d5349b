// B1, B2, B4: the calls of one model message.
import pLimit from "p-limit";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import { type BatchOutcome, batchTerminates, messageOf, type RootCallOutcome } from "./batch-outcome.js";
import { type CallOptions, readCallOptions } from "./call-options.js";
import { CallScope } from "./call-scope.js";
import type { Ending } from "./ending.js";
import type { Engine } from "./engine.js";
import { decideCall, openCall, runCall } from "./run-call.js";

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

interface OpenCall {
  readonly scope: CallScope;
  readonly refused: Ending | undefined;
}

/** Runs a batch. Rejects only for arguments that are no batch at all. */
export async function runBatch(
  engine: Engine,
  calls: readonly BatchCall[],
  options?: BatchOptions,
): Promise<BatchOutcome> {
  const callOptions = checkBatch(calls, options);
  const isSequential =
    engine.toolExecution === "sequential" ||
    options?.toolExecution === "sequential" ||
    calls.some((call) => engine.registry.get(call?.name)?.executionMode === "sequential");
  const outcomes = isSequential ? await inTurn(engine, calls, callOptions) : await together(engine, calls, callOptions);
  return {
    messages: outcomes.map((outcome) => messageOf(outcome, engine.clock.now())),
    outcomes,
    terminate: batchTerminates(outcomes.map(({ result }) => result)),
  };
}

async function inTurn(engine: Engine, calls: readonly BatchCall[], options: CallOptions): Promise<RootCallOutcome[]> {
  const outcomes: RootCallOutcome[] = [];
  for (const call of calls) {
    const { scope, refused } = open(engine, call, options);
    await runCall(scope, refused);
    outcomes.push(await scope.promise);
  }
  return outcomes;
}

/** All are announced, then asked about in their order, then run: a person sees the whole batch before it happens. */
async function together(engine: Engine, calls: readonly BatchCall[], options: CallOptions): Promise<RootCallOutcome[]> {
  const opened = calls.map((call) => open(engine, call, options));
  const allowed: CallScope[] = [];
  for (const { scope, refused } of opened) if (await decideCall(scope, refused)) allowed.push(scope);
  const { maxConcurrency } = engine.limits;
  if (allowed.length <= maxConcurrency) {
    for (const scope of allowed) void runCall(scope, undefined, true);
  } else {
    const limit = pLimit(maxConcurrency);
    for (const scope of allowed) void limit(runCall, scope, undefined, true);
  }
  return Promise.all(opened.map(({ scope }) => scope.promise));
}

function open(engine: Engine, call: BatchCall, options: CallOptions): OpenCall {
  const name = typeof call?.name === "string" ? call.name : `(${describeValue(call?.name)})`;
  const scope = new CallScope(engine, undefined, call.id, name, "model", "model", undefined);
  return { scope, refused: openCall(scope, call.name, call.arguments, options) };
}

function checkBatch(calls: unknown, options: unknown): CallOptions {
  if (!Array.isArray(calls))
    throw wrong(`calls must be a list of { id, name, arguments }, not ${describeValue(calls)}`);
  for (const [index, call] of calls.entries()) {
    const id: unknown = (call as { readonly id?: unknown } | null | undefined)?.id;
    if (typeof id !== "string") throw wrong(`calls[${index}].id must be a string, not ${describeValue(id)}`);
  }
  const callOptions = readCallOptions("executor.executeBatch", options);
  const mode: unknown = (options as BatchOptions | null | undefined)?.toolExecution;
  if (mode !== undefined && mode !== "parallel" && mode !== "sequential") {
    throw wrong(`options.toolExecution must be "parallel" or "sequential", not ${describeValue(mode)}`);
  }
  if (callOptions.problem !== undefined) throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, callOptions.problem);
  return callOptions;
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `executor.executeBatch: ${problem}.`);
}
