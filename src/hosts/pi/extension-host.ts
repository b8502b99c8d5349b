// Runs Pi extensions on an executor.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import type { Registry } from "../../registry/registry.js";
import type { ToolCollision } from "../../registry/registry-entry.js";
import { closestNames } from "../../tools/closest-names.js";
import type { ToolSession } from "../../tools/tool-session.js";
import { claimOwner, isClaimed, piOwner } from "../owners.js";
import { checkOptions } from "./check-options.js";
import { Text } from "./component.js";
import { createEventBus } from "./event-bus.js";
import type { SessionShutdownEvent, SessionStartEvent } from "./events.js";
import type { ExtensionFactory } from "./extension-api.js";
import type { ExtensionMode, ExtensionUIContext } from "./extension-context.js";
import { type ExtensionError, type ReportFailure, reportTo } from "./failure-report.js";
import { HandlerContext } from "./handler-context.js";
import { type HostState, LoadedExtension } from "./loaded-extension.js";
import { Missing, type MissingHandler } from "./missing.js";
import { resolverOf } from "./renderers.js";

export interface PiExtensionHostOptions {
  /** Whose tools the extensions see and activate. Default: the session of calls that name none. */
  readonly session?: ToolSession;
  /** Default: the working directory of this moment. */
  readonly cwd?: string;
  /** How a person is asked. Without it `ctx.hasUI` is false and `ctx.ui.confirm` answers no. */
  readonly ui?: Partial<ExtensionUIContext>;
  /** Default: `rpc` with `ui`, else `print`. */
  readonly mode?: ExtensionMode;
  /** Default: `console.error`. */
  readonly onError?: (error: ExtensionError) => void;
  /**
   * Called, instead of an error being thrown, when an extension uses a part of Pi that is not there. What it throws, the
   * extension gets.
   */
  readonly missing?: MissingHandler;
}

/** What came of loading an extension. */
export interface PiExtension {
  readonly name: string;
  /** Tools that were refused because another owner has their name; later ones too. */
  readonly collisions: readonly ToolCollision[];
}

export interface PiExtensionHost {
  /**
   * Runs an extension's default export and waits for it.
   *
   * @param options.name - Its tools belong to the owner `pi:<name>`. One extension of this name can be loaded on an
   *   executor at a time, in whatever host. Default: the function's name, with a number when that is taken.
   * @throws NestcallError `HOOK_FAILED` with what the extension threw as `cause` (the code of a `NestcallError` stays);
   *   what it had registered is withdrawn. `INVALID_ARGUMENTS` for a name that is taken.
   */
  load(extension: ExtensionFactory, options?: { readonly name?: string }): Promise<PiExtension>;
  /** Tells the extensions that a session begins; they may register tools then. Waits for their handlers, one by one. */
  start(reason?: SessionStartEvent["reason"]): Promise<void>;
  /** The names of the commands that extensions have registered. */
  getCommands(): readonly string[];
  /** @throws NestcallError `INVALID_ARGUMENTS` for an unknown command; what the command throws, unchanged. */
  runCommand(name: string, args?: string): Promise<void>;
  /**
   * Tells the extensions that the session ends, then takes away all that they brought. The executor stays open. Goes
   * through to the end whatever fails; failures are reported. A second call waits for the same end.
   */
  close(reason?: SessionShutdownEvent["reason"]): Promise<void>;
}

const OPTIONS: readonly string[] = [
  "session",
  "cwd",
  "ui",
  "mode",
  "onError",
  "missing",
] satisfies (keyof PiExtensionHostOptions)[];

/**
 * Makes a host for Pi extensions: their tools and handlers become tools and hooks of this executor.
 *
 * @throws NestcallError `INVALID_ARGUMENTS` for what is no executor, or an unknown option.
 */
export function createPiExtensionHost(executor: Executor, options: PiExtensionHostOptions = {}): PiExtensionHost {
  checkExecutor(executor);
  checkOptions("createPiExtensionHost", options, OPTIONS);
  const { ui, cwd = process.cwd(), mode = ui === undefined ? "print" : "rpc" } = options;
  const report = reportTo(options.onError);
  const state: HostState = {
    executor,
    session: options.session ?? executor.registry.session,
    source: { cwd, mode, ui, missing: new Missing(options.missing, report), report },
    events: createEventBus((channel, error) => report({ extension: "(any)", event: `events "${channel}"`, error })),
    definitions: new Map(),
    commands: new Map(),
    lifecycle: [],
    resolvers: [],
  };
  const loaded = new Set<LoadedExtension>();
  const removeResolver = executor.registry.registerToolRenderer(resolverOf(() => state.resolvers, cwd, Text));
  let closing: Promise<void> | undefined;
  const tell = (event: SessionStartEvent | SessionShutdownEvent) => tellAll(state, event, report);
  return Object.freeze({
    load: async (extension: ExtensionFactory, given: { readonly name?: string } = {}) => {
      if (closing !== undefined) throw new NestcallError(ErrorCode.CLOSED, "The host of the Pi extensions was closed.");
      checkOptions("host.load", given, ["name"]);
      const name = nameFor(extension, given.name, executor.registry);
      // Nobody has it, as nameFor has seen.
      const own = new LoadedExtension(name, state, claimOwner(executor.registry, piOwner(name)) as () => void);
      loaded.add(own);
      await runFactory(extension, own).catch((error: unknown) => {
        loaded.delete(own);
        throw error;
      });
      return own;
    },
    start: (reason: SessionStartEvent["reason"] = "startup") => tell({ type: "session_start", reason }),
    getCommands: () => [...state.commands.keys()],
    runCommand: async (name: string, args = "") => runCommand(state, name, args),
    close: (reason: SessionShutdownEvent["reason"] = "quit") => {
      closing ??= tell({ type: "session_shutdown", reason }).then(() => {
        for (const extension of loaded) extension.unload();
        removeResolver();
      });
      return closing;
    },
  });
}

function checkExecutor(executor: unknown): void {
  if (typeof (executor as Partial<Executor> | null | undefined)?.executeTool === "function") return;
  const message = `createPiExtensionHost takes an executor; it got ${describeValue(executor)}.`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function nameFor(extension: unknown, given: string | undefined, registry: Registry): string {
  const isTaken = (name: string) => isClaimed(registry, piOwner(name));
  if (typeof extension !== "function") {
    const message = `host.load takes an extension's default export, a function (pi) => …; it got ${describeValue(extension)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (given !== undefined) {
    if (typeof given === "string" && given !== "" && !isTaken(given)) return given;
    const message = `host.load: options.name must be a text that no other extension has, not ${describeValue(given)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const base = extension.name === "" || extension.name === "default" ? "extension" : extension.name;
  let name = base;
  for (let number = 2; isTaken(name); number += 1) name = `${base}-${number}`;
  return name;
}

async function runFactory(extension: ExtensionFactory, own: LoadedExtension): Promise<void> {
  try {
    await extension(own.createApi());
  } catch (cause) {
    own.unload();
    const code = cause instanceof NestcallError ? cause.code : ErrorCode.HOOK_FAILED;
    const message = `The Pi extension "${shortenText(own.name, 80)}" was not loaded: ${thrownText(cause)}`;
    throw new NestcallError(code, message, { cause });
  }
}

async function tellAll(
  state: HostState,
  event: SessionStartEvent | SessionShutdownEvent,
  report: ReportFailure,
): Promise<void> {
  for (const { type, handler, extension } of state.lifecycle) {
    if (type !== event.type) continue;
    try {
      await handler(event as never, new HandlerContext(state.source)); // the handler of this type of event
    } catch (error) {
      report({ extension, event: event.type, error });
    }
  }
}

async function runCommand({ commands, source }: HostState, name: string, args: string): Promise<void> {
  const command = commands.get(name);
  if (command !== undefined) return command.handler(args, new HandlerContext(source));
  const [close] = closestNames(name, [...commands.keys()], 1);
  const known = commands.size === 0 ? "There are none." : `Known are ${[...commands.keys()].join(", ")}.`;
  const hint = close === undefined ? known : `Did you mean "${close}"?`;
  throw new NestcallError(
    ErrorCode.INVALID_ARGUMENTS,
    `No Pi extension has the command "${shortenText(name, 80)}". ${hint}`,
  );
}
