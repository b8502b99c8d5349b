// B1, B2, B4: the calls of one model message.
import pLimit from "p-limit";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import type { RegistrySession } from "../registry/registry-session.js";
import type { ToolSession } from "../tools/tool-session.js";
import { type BatchOutcome, batchTerminates, messageOf, type RootCallOutcome } from "./batch-outcome.js";
import { type CallOptions, foreignSession, readCallOptions } from "./call-options.js";
import { CallScope } from "./call-scope.js";
import type { Ending } from "./ending.js";
import type { Engine } from "./engine.js";
import { emitWait } from "./events.js";
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
  /** Whose message it is. Default: `registry.session`. */
  readonly session?: ToolSession;
}

interface OpenCall {
  readonly scope: CallScope | undefined;
  readonly refused: Ending | undefined;
}

/** Runs a batch. Rejects only for arguments that are no batch at all. */
export async function runBatch(
  engine: Engine,
  calls: readonly BatchCall[],
  options?: BatchOptions,
): Promise<BatchOutcome> {
  const batch = readCalls(calls);
  const callOptions = readOptions(options, engine);
  const { session = engine.registry.session } = callOptions;
  const isSequential =
    engine.toolExecution === "sequential" ||
    options?.toolExecution === "sequential" ||
    batch.some((call) => isSequentialTool(session, call.name));
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
    const { scope, refused } = open(engine, call, options);
    if (scope !== undefined) void runCall(scope, refused);
    outcomes.push(await (scope?.promise ?? closedOutcome(call.id, nameOf(call.name))));
  }
  return outcomes;
}

/** All are announced, then asked about in their order, then run: a person sees the whole batch before it happens. */
async function together(engine: Engine, calls: readonly BatchCall[], options: CallOptions): Promise<RootCallOutcome[]> {
  const opened = calls.map((call) => open(engine, call, options));
  const allowed: CallScope[] = [];
  for (const { scope, refused } of opened) {
    if (scope === undefined || scope.isSettled) continue;
    // A hook may hang for ever; a call that was stopped meanwhile does not wait for it (T2).
    if (refused === undefined) await Promise.race([decideCall(scope), scope.promise]);
    else settleCall(scope, refused);
    if (!scope.isSettled) allowed.push(scope);
  }
  const { maxConcurrency } = engine.limits;
  const limit = allowed.length > maxConcurrency ? pLimit(maxConcurrency) : undefined;
  for (const [index, scope] of allowed.entries()) {
    if (index >= maxConcurrency) emitWait(scope, { reason: "concurrency" });
    if (limit === undefined) void runCall(scope, undefined, true);
    else void limit(runAllowed, scope);
  }
  return Promise.all(opened.map(({ scope }, index) => scope?.promise ?? closedAt(calls, index)));
}

function closedAt(calls: readonly BatchCall[], index: number): RootCallOutcome {
  const { id, name } = calls[index] as BatchCall; // one for each call
  return closedOutcome(id, nameOf(name));
}

/** Ends with the call, not with a tool that was left behind. */
function runAllowed(scope: CallScope): Promise<RootCallOutcome> {
  void runCall(scope, undefined, true);
  return scope.promise;
}

/** Begins a call; none after the executor has been closed. */
function open(engine: Engine, call: BatchCall, options: CallOptions): OpenCall {
  if (engine.isClosed) return { scope: undefined, refused: undefined };
  const scope = new CallScope(
    engine,
    undefined,
    call.id,
    nameOf(call.name),
    "model",
    "model",
    undefined,
    options.session,
  );
  return { scope, refused: openCall(scope, call.name, call.arguments, options) };
}

/** The batch as it is now; what cannot be read is refused before anything runs. */
function readCalls(calls: unknown): readonly BatchCall[] {
  if (!Array.isArray(calls))
    throw wrong(`calls must be a list of { id, name, arguments }, not ${describeValue(calls)}`);
  return Array.from(calls, (call: unknown, index) => {
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

/** A session that cannot say what is allowed refuses each call in its own turn. */
function isSequentialTool(session: RegistrySession, name: string): boolean {
  try {
    return session.findCallable(name, "model")?.tool.executionMode === "sequential";
  } catch {
    return false; // said by the calls themselves, each of which asks again
  }
}

function readOptions(options: unknown, engine: Engine): CallOptions {
  const callOptions = readCallOptions("executor.executeBatch", options);
  const problem = callOptions.problem ?? foreignSession("executor.executeBatch", engine.registry, callOptions);
  if (problem !== undefined) throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, problem);
  const mode: unknown = (options as BatchOptions | null | undefined)?.toolExecution;
  if (mode !== undefined && mode !== "parallel" && mode !== "sequential") {
    throw wrong(`options.toolExecution must be "parallel" or "sequential", not ${describeValue(mode)}`);
  }
  return callOptions;
}

function wrong(problem: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, `executor.executeBatch: ${problem}.`);
}
