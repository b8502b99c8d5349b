// The way in: one executor, its registry, its hooks and its calls (DESIGN 4.2).
import { nanoid } from "nanoid";
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";
import type { Registry } from "../registry/registry.js";
import type { SchemaInput, SchemaValue, Tool, ToolSchema, UpdateCallback } from "../tools/tool.js";
import type { ToolSession } from "../tools/tool-session.js";
import type { BatchOutcome, RootCallOutcome } from "./batch-outcome.js";
import { type CallOptions, foreignSession, readCallOptions } from "./call-options.js";
import { CallScope } from "./call-scope.js";
import type { Engine } from "./engine.js";
import { announceExecutor } from "./executor-channel.js";
import { type ExecutorOptions, engineOf } from "./executor-options.js";
import type { HookTypes } from "./hook.js";
import type { ObserverErrorHandler, ToolExecutionListener } from "./observers.js";
import { closedOutcome, nameOf, refusedRoot } from "./refusals.js";
import { type BatchCall, type BatchOptions, runBatch } from "./run-batch.js";
import { openCall, runCall } from "./run-call.js";
import { abortCause } from "./time-limits.js";
import type { ToolExecutionEvent } from "./tool-execution-event.js";

export interface RootCallOptions {
  /** Default: made by `generateId`. */
  readonly toolCallId?: string;
  readonly signal?: AbortSignal;
  readonly onUpdate?: UpdateCallback;
  /** Milliseconds from the call on, waits included. */
  readonly timeoutMs?: number;
  /** The longest silence between two updates while the tool runs, in milliseconds. */
  readonly idleTimeoutMs?: number;
  /** Whose call it is: only what is in the session's scope can be called, here and below. Default: `registry.session`. */
  readonly session?: ToolSession;
}

export interface Executor {
  readonly registry: Registry;
  /**
   * Adds a hook, a handler for the errors of observers, or a listener to one kind of event.
   *
   * @returns A function that takes it away.
   * @throws NestcallError `INVALID_ARGUMENTS` for an unknown type or a handler that is no function.
   */
  on<K extends keyof HookTypes>(type: K, handler: HookTypes[K]): () => void;
  on(type: "observer_error", handler: ObserverErrorHandler): () => void;
  on<K extends ToolExecutionEvent["type"]>(
    type: K,
    handler: (event: Extract<ToolExecutionEvent, { readonly type: K }>) => unknown,
  ): () => void;
  /** Hears start, update and end of every call at every depth, in order. Never awaited; changes no outcome. */
  subscribe(listener: ToolExecutionListener): () => void;
  /** The host's own call: reaches every tool that is not hidden. Resolves to an outcome, whatever happens. */
  executeTool<Input extends ToolSchema, Output>(
    tool: Tool<Input, Output>,
    args: SchemaInput<Input>,
    options?: RootCallOptions,
  ): Promise<RootCallOutcome<Output extends object ? SchemaValue<Output> : unknown>>;
  executeTool(name: string, args?: unknown, options?: RootCallOptions): Promise<RootCallOutcome>;
  /**
   * The calls of one model message: reaches what the model is shown.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `calls` is no list of calls with ids, or an option is wrong.
   */
  executeBatch(calls: readonly BatchCall[], options?: BatchOptions): Promise<BatchOutcome>;
  /** Aborts every call, waits until all have settled, and refuses later ones with `CLOSED`. */
  close(): Promise<void>;
}

/**
 * Makes an engine for tools that call tools. Subscribers of the `node:diagnostics_channel` named `nestcall:executor` get it as
 * `{ executor }` at once.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted; `INVALID_TOOL` for a tool.
 */
export function createExecutor(options: ExecutorOptions = {}): Executor {
  const engine = engineOf(options);
  const execute = (target: unknown, args?: unknown, callOptions?: RootCallOptions) =>
    executeRoot(engine, target, args, readCallOptions("executor.executeTool", callOptions));
  const batch = async (calls: readonly BatchCall[], batchOptions?: BatchOptions) =>
    runBatch(engine, calls, batchOptions);
  return announceExecutor(
    Object.freeze({
      registry: engine.registry,
      on: (type: string, handler: never) => addHandler(engine, type, handler),
      subscribe: (listener: ToolExecutionListener) => engine.observers.subscribe(listener),
      executeTool: execute as Executor["executeTool"], // the overloads differ in types only
      executeBatch: batch,
      close: () => closeEngine(engine),
    }),
  );
}

const EVENT_TYPES: readonly string[] = [
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "tool_execution_wait",
] satisfies ToolExecutionEvent["type"][];

function addHandler(engine: Engine, type: string, handler: never): () => void {
  if (type === "observer_error") return engine.observers.onError(handler);
  if (EVENT_TYPES.includes(type)) return engine.observers.onEvent(type as ToolExecutionEvent["type"], handler);
  if (type !== "tool_call" && type !== "before_mutation" && type !== "tool_result") {
    const known = `tool_call, before_mutation, tool_result, observer_error, ${EVENT_TYPES.join(", ")}`;
    const message = `executor.on knows no ${describeValue(type)}; known are ${known}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (typeof handler !== "function") {
    const message = `executor.on("${type}") takes a function; it got ${describeValue(handler)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  return engine.hooks.add(type, handler);
}

function executeRoot(engine: Engine, target: unknown, args: unknown, options: CallOptions): Promise<RootCallOutcome> {
  const name = nameOf(target);
  const made = options.toolCallId ?? madeId(engine);
  if (typeof made !== "string")
    return Promise.resolve(refusedRoot(`call_${nanoid()}`, name, ErrorCode.INVALID_ARGUMENTS, made.problem));
  if (engine.isClosed) return Promise.resolve(closedOutcome(made, name));
  const foreign = foreignSession("executor.executeTool", engine.registry, options);
  if (foreign !== undefined) return Promise.resolve(refusedRoot(made, name, ErrorCode.INVALID_ARGUMENTS, foreign));
  const scope = new CallScope(engine, undefined, made, name, "model", "host", undefined, options.session);
  void runCall(scope, openCall(scope, target, args, options));
  return scope.promise;
}

function madeId(engine: Engine): string | { readonly problem: string } {
  try {
    return engine.generateId();
  } catch (error) {
    return { problem: `The call got no id: ${thrownText(error)}` };
  }
}

async function closeEngine(engine: Engine): Promise<void> {
  engine.isClosed = true;
  const open = engine.openRoots.toArray();
  const reason = new NestcallError(ErrorCode.CLOSED, "The executor was closed.");
  for (const scope of open) scope.stop({ ...abortCause(reason), text: "was aborted: the executor was closed" });
  await Promise.all(open.map((scope) => scope.promise));
}
