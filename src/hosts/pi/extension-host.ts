// Runs Pi extensions on an executor.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue, shortenText, thrownText } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import type { ToolCollision } from "../../registry/registry-entry.js";
import { closestNames } from "../../tools/closest-names.js";
import type { ToolSession } from "../../tools/tool-session.js";
import { Text } from "./component.js";
import { createEventBus } from "./event-bus.js";
import type { SessionShutdownEvent, SessionStartEvent } from "./events.js";
import type { ExtensionFactory } from "./extension-api.js";
import type { ExtensionMode, ExtensionUIContext } from "./extension-context.js";
import { HandlerContext } from "./handler-context.js";
import { type HostState, LoadedExtension } from "./loaded-extension.js";
import { Missing, type MissingHandler } from "./missing.js";
import { resolverOf } from "./renderers.js";

/** What an extension's own code threw where nobody could be told: a session handler, or one of `pi.events`. */
export interface ExtensionError {
  readonly extension: string;
  /** The event, such as `session_start`. */
  readonly event: string;
  readonly error: unknown;
}

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
  /** Called, instead of an error being thrown, when an extension uses a part of Pi that is not there. */
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
   * @param options.name - The owner of its tools. Default: the function's name, or a number.
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
  /** Tells the extensions that the session ends, then takes away all that they brought. The executor stays open. */
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
  checkOptions(executor, options);
  const { ui, cwd = process.cwd(), mode = ui === undefined ? "print" : "rpc" } = options;
  const report = options.onError ?? reportToConsole;
  const state: HostState = {
    executor,
    session: options.session ?? executor.registry.session,
    source: { cwd, mode, ui, missing: new Missing(options.missing) },
    events: createEventBus((channel, error) => report({ extension: "(any)", event: `events "${channel}"`, error })),
    definitions: new Map(),
    commands: new Map(),
    lifecycle: [],
    resolvers: [],
  };
  const loaded = new Map<string, LoadedExtension>();
  const removeResolver = executor.registry.registerToolRenderer(resolverOf(() => state.resolvers, cwd, Text));
  let isClosed = false;
  const tell = (event: SessionStartEvent | SessionShutdownEvent) => tellAll(state, event, report);
  return Object.freeze({
    load: async (extension: ExtensionFactory, given: { readonly name?: string } = {}) => {
      if (isClosed) throw new NestcallError(ErrorCode.CLOSED, "The host of the Pi extensions was closed.");
      const own = new LoadedExtension(nameFor(extension, given.name, loaded), state);
      loaded.set(own.name, own);
      await runFactory(extension, own).catch((error: unknown) => {
        loaded.delete(own.name);
        throw error;
      });
      return own;
    },
    start: (reason: SessionStartEvent["reason"] = "startup") => tell({ type: "session_start", reason }),
    getCommands: () => [...state.commands.keys()],
    runCommand: async (name: string, args = "") => runCommand(state, name, args),
    close: async (reason: SessionShutdownEvent["reason"] = "quit") => {
      if (isClosed) return;
      isClosed = true;
      await tell({ type: "session_shutdown", reason });
      removeResolver();
      for (const extension of loaded.values()) extension.unload();
    },
  });
}

function checkOptions(executor: unknown, options: object): void {
  if (typeof (executor as Partial<Executor> | undefined)?.executeTool !== "function") {
    const message = `createPiExtensionHost takes an executor; it got ${describeValue(executor)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown === undefined) return;
  const [close] = closestNames(unknown, OPTIONS, 1);
  const hint = close === undefined ? `Known are ${OPTIONS.join(", ")}.` : `Did you mean "${close}"?`;
  const message = `createPiExtensionHost has no option "${shortenText(unknown, 60)}". ${hint}`;
  throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}

function nameFor(extension: unknown, given: string | undefined, loaded: ReadonlyMap<string, unknown>): string {
  if (typeof extension !== "function") {
    const message = `host.load takes an extension's default export, a function (pi) => …; it got ${describeValue(extension)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  if (given !== undefined) {
    if (typeof given === "string" && given !== "" && !loaded.has(given)) return given;
    const message = `host.load: options.name must be a text that no other extension has, not ${describeValue(given)}.`;
    throw new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
  }
  const base = extension.name === "" || extension.name === "default" ? "extension" : extension.name;
  let name = base;
  for (let number = 2; loaded.has(name); number += 1) name = `${base}-${number}`;
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
  report: (error: ExtensionError) => void,
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

function reportToConsole({ extension, event, error }: ExtensionError): void {
  console.error(`nestcall: the Pi extension "${extension}" failed (${event}):`, error);
}
