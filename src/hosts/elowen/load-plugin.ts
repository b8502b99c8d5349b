// The way in for plugins: checks the manifest, runs `register`, and puts what it registered into the registry.
import { onAbort } from "../../errors/abort-listeners.js";
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import { Registry } from "../../registry/registry.js";
import { closestNames } from "../../tools/closest-names.js";
import { claimOwner } from "../owners.js";
import { type ContributionReport, contributionReport } from "./contribution-report.js";
import { checkManifest, type PluginManifest } from "./manifest.js";
import { type PluginContext, pluginContext } from "./plugin-context.js";
import { LOG_LEVELS, namedLogger, type PluginLogger } from "./plugin-logger.js";
import { PluginTools } from "./plugin-tools.js";

/** A plugin: its manifest, and what its entry module exports. */
export interface Plugin {
  readonly manifest: PluginManifest;
  register(ctx: PluginContext): void | Promise<void>;
}

/** `executor` or `registry` is needed. */
export interface LoadPluginOptions {
  readonly executor?: Executor;
  readonly registry?: Registry;
  /** Gets what the plugin logs, each line with the plugin's name before it. Default: stderr. */
  readonly logger?: PluginLogger;
  /** More members of the plugin's context. */
  readonly context?: object;
  /** Ends the wait for `register`. */
  readonly signal?: AbortSignal;
}

export interface LoadedPlugin {
  readonly name: string;
  /** What it declared and what it brings, at this moment. */
  report(): ContributionReport;
  /** Withdraws its tools. Their names stay the plugin's, which may be loaded anew. */
  unload(): void;
}

/**
 * Loads a plugin: when the promise resolves, what its `register` registered is there, all at once. Of a plugin that fails
 * nothing is registered. Its tools belong to the plugin's name, which `forSession({ isGranted })` is asked about.
 *
 * @throws NestcallError naming the plugin: `INVALID_ARGUMENTS` for the manifest or an option, `HOOK_FAILED` for what
 *   `register` threw (as `cause`), or its own code when that was a `NestcallError`, such as `INVALID_TOOL`.
 * @throws The signal's reason when it aborts.
 */
export async function loadPlugin(plugin: Plugin, options: LoadPluginOptions): Promise<LoadedPlugin> {
  if (typeof plugin !== "object" || plugin === null) {
    throw wrong(`loadPlugin takes { manifest, register }; it got ${describeValue(plugin)}.`);
  }
  const manifest = checkManifest(plugin.manifest);
  const { name } = manifest;
  const called = `Plugin "${shortenText(name, 80)}"`;
  if (typeof plugin.register !== "function") {
    throw wrong(`${called}: register must be a function, not ${describeValue(plugin.register)}.`);
  }
  const registry = checkOptions(called, options);
  const { logger, context, signal } = options;
  signal?.throwIfAborted();
  const release = claimOwner(registry, name);
  if (release === undefined)
    throw wrong(`${called} is loaded already; unload() it first, or give one of the two another name.`);
  const named = namedLogger(name, logger);
  const tools = new PluginTools(registry, manifest, named);
  try {
    await untilAbort(async () => plugin.register(pluginContext(tools, named, context)), signal);
    tools.goLive();
  } catch (error) {
    tools.fail();
    release();
    throw signal?.aborted === true ? signal.reason : notLoaded(called, error);
  }
  const unload = () => {
    tools.unload();
    release();
  };
  return Object.freeze({ name, report: () => contributionReport(registry, manifest), unload });
}

/** T5: leaves at once, and leaves no listener behind. */
function untilAbort(run: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return run();
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason as Error));
    run().then(resolve, reject).finally(stop);
  });
}

function notLoaded(called: string, error: unknown): NestcallError {
  const code = error instanceof NestcallError ? error.code : ErrorCode.HOOK_FAILED;
  const text = thrownText(error);
  const message = text.startsWith(called) ? text : `${called} was not loaded: ${text}`;
  return new NestcallError(code, message, { cause: error });
}

const OPTIONS: readonly string[] = ["executor", "registry", "logger", "context", "signal"];

function checkOptions(called: string, options: unknown): Registry {
  const where = `${called}: the options of loadPlugin`;
  if (typeof options !== "object" || options === null) {
    throw wrong(`${where} must be an object with an executor or a registry, not ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    const [close] = closestNames(unknown, OPTIONS, 1);
    const hint = close === undefined ? `known are ${OPTIONS.join(", ")}` : `did you mean "${close}"?`;
    throw wrong(`${where} have no "${shortenText(unknown, 60)}"; ${hint}`);
  }
  const { executor, registry, logger, context, signal } = options as { readonly [option: string]: unknown };
  if (logger !== undefined && !isLogger(logger)) {
    throw wrong(`${where}: logger must have the functions ${LOG_LEVELS.join(", ")}; it is ${describeValue(logger)}.`);
  }
  if (context !== undefined && (typeof context !== "object" || context === null)) {
    throw wrong(`${where}: context must be an object, not ${describeValue(context)}.`);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw wrong(`${where}: signal must be an AbortSignal, not ${describeValue(signal)}.`);
  }
  const found = registry ?? (executor as Executor | null | undefined)?.registry;
  if (found instanceof Registry) return found;
  throw wrong(`${where} must have an executor made by createExecutor, or its registry.`);
}

function isLogger(logger: unknown): logger is PluginLogger {
  if (typeof logger !== "object" || logger === null) return false;
  return LOG_LEVELS.every((level) => typeof (logger as Partial<PluginLogger>)[level] === "function");
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
