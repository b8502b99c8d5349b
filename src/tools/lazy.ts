// A tool whose code is imported at its first call.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, thrownText } from "../errors/text.js";

type AnyExecute = (args: never, ctx: never) => unknown;

/** What a tool's code may be: its function, or a module that has it. */
export type LoadableExecute = AnyExecute | { readonly default: AnyExecute } | { readonly execute: AnyExecute };

/** The function in what `load` gave: itself, or a module's `default` or `execute`. */
export type LoadedExecute<Loaded> = Loaded extends AnyExecute
  ? Loaded
  : Loaded extends { readonly default: infer Execute extends AnyExecute }
    ? Execute
    : Loaded extends { readonly execute: infer Execute extends AnyExecute }
      ? Execute
      : never;

/**
 * An `execute` that loads the real one at the first call: `execute: lazy(() => import("./heavy.js"))`. Calls that come
 * while it loads share one load. A load that fails is not kept: the next call tries again.
 *
 * @returns A function that rejects with `NestcallError` `TOOL_FAILED` when loading fails (`cause` is the reason), and
 *   with the signal's reason when the call was aborted meanwhile; otherwise it gives what the loaded function gives.
 * @throws NestcallError `INVALID_TOOL` at once when `load` is no function; the first call rejects with it when what was
 *   loaded is none and has none.
 */
export function lazy<Loaded extends LoadableExecute>(
  load: () => Promise<Loaded>,
): (...args: Parameters<LoadedExecute<Loaded>>) => Promise<Awaited<ReturnType<LoadedExecute<Loaded>>>> {
  if (typeof load !== "function") {
    const wanted = "lazy takes a function that loads the code of a tool, such as () => import(file)";
    throw new NestcallError(ErrorCode.INVALID_TOOL, `${wanted}; it is ${describeValue(load)}.`);
  }
  type Execute = LoadedExecute<Loaded>;
  let loading: Promise<Execute> | undefined;
  const loadOnce = () => {
    loading ??= loadExecute(load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return async (...args: Parameters<Execute>): Promise<Awaited<ReturnType<Execute>>> => {
    const execute = await loadOnce();
    // The load cannot be stopped, but a call that was aborted while it ran must not begin after all.
    const context = args[1] as { readonly signal?: AbortSignal } | undefined;
    context?.signal?.throwIfAborted();
    return (await execute(...(args as [never, never]))) as Awaited<ReturnType<Execute>>;
  };
}

async function loadExecute<Loaded>(load: () => Promise<Loaded>): Promise<LoadedExecute<Loaded>> {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (cause) {
    throw new NestcallError(ErrorCode.TOOL_FAILED, `The tool's code could not be loaded: ${thrownText(cause)}`, {
      cause,
    });
  }
  const parts = (loaded ?? {}) as { readonly default?: unknown; readonly execute?: unknown };
  const execute = [loaded, parts.default, parts.execute].find((part) => typeof part === "function");
  if (execute !== undefined) return execute as LoadedExecute<Loaded>;
  const message = `The tool's code must be a function, or a module with one as default or execute; it is ${describeValue(loaded)}.`;
  throw new NestcallError(ErrorCode.INVALID_TOOL, message);
}
