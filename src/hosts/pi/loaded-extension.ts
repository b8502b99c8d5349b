// One extension: the `pi` that it gets, and what it brought, so that all of it can be taken away again.
import { ErrorCode } from "../../errors/error-code.js";
import { NestcallError } from "../../errors/nestcall-error.js";
import { describeValue } from "../../errors/text.js";
import type { Executor } from "../../executor/create-executor.js";
import type { ToolCollision } from "../../registry/registry-entry.js";
import { defineTool } from "../../tools/define-tool.js";
import type { Tool } from "../../tools/tool.js";
import type { ToolSession } from "../../tools/tool-session.js";
import { piOwner, withoutDoor } from "../owners.js";
import { callUnheard } from "../unheard.js";
import type { ToolRendererResolver } from "./component.js";
import type { EventBus } from "./event-bus.js";
import type { HandlerOf } from "./events.js";
import type { ExtensionAPI, RegisteredCommand, ToolInfo } from "./extension-api.js";
import { toolOf } from "./from-pi-tool.js";
import type { ContextSource } from "./handler-context.js";
import { addCallHandler } from "./hooks.js";
import { API_METHODS_LEFT_OUT } from "./missing.js";
import { loadoutHandler } from "./prepare-loadout.js";
import { runProgram } from "./run-program.js";
import type { AnyToolDefinition } from "./tool-definition.js";

type LifecycleEventType = "session_start" | "session_shutdown";

/** What the extensions of a host share. Lists are replaced, never changed. */
export interface HostState {
  readonly executor: Executor;
  readonly session: ToolSession;
  readonly source: ContextSource;
  readonly events: EventBus;
  /** By tool name: what our own tool has no place for, as it was when the tool was registered. */
  readonly definitions: Map<string, Pick<AnyToolDefinition, "namespace" | "reachesTools">>;
  readonly commands: Map<string, RegisteredCommand & { readonly extension: string }>;
  lifecycle: readonly {
    readonly type: LifecycleEventType;
    readonly handler: HandlerOf<LifecycleEventType>;
    readonly extension: string;
  }[];
  resolvers: readonly ToolRendererResolver[];
}

const GONE = {
  description: "A tool that was withdrawn.",
  inputSchema: { type: "object" },
  strict: false,
  exposure: "hidden",
} as const;

export class LoadedExtension {
  readonly name: string;
  readonly #owner: string;
  readonly #state: HostState;
  readonly #release: () => void;
  readonly #tools = new Set<string>();
  readonly #loadouts = new Map<string, () => void>();
  readonly #collisions: ToolCollision[] = [];
  readonly #removals = new Set<() => void>();
  #isUnloaded = false;

  /** @param release - Gives the name back. */
  constructor(name: string, state: HostState, release: () => void) {
    this.name = name;
    this.#owner = piOwner(name);
    this.#state = state;
    this.#release = release;
  }

  /** Tools that were refused because another owner has their name. */
  get collisions(): readonly ToolCollision[] {
    return [...this.#collisions];
  }

  /** What the extension's default export is called with. */
  createApi(): ExtensionAPI {
    const { session, source, events } = this.#state;
    const api: ExtensionAPI = {
      on: (type, handler) => this.#on(type, handler),
      registerTool: (tool) => this.#registerTool(tool),
      registerCommand: (name, options) => this.#registerCommand(name, options),
      registerToolRenderer: (resolver) => this.#registerResolver(resolver),
      getAllTools: () => session.getAllTools().map((info) => this.#infoOf(info)),
      getActiveTools: () => session.getActiveTools(),
      setActiveTools: (names) => void session.setActiveTools(names),
      exec: (command, args, options = {}) => runProgram(command, args, { cwd: source.cwd, ...options }),
      events,
    };
    source.missing.addMethods(api, "pi", API_METHODS_LEFT_OUT);
    return api;
  }

  /**
   * Takes handlers, renderers and commands away, and withdraws the tools; then the name is free. Goes through to the end,
   * and once only: another extension may have the name afterwards.
   */
  unload(): void {
    if (this.#isUnloaded) return;
    this.#isUnloaded = true;
    const { report } = this.#state.source;
    const failed = (error: unknown) => report({ extension: this.name, event: "unload", error });
    for (const name of this.#tools) callUnheard(() => this.#withdraw(name), failed); // first, so that none is there without its guards
    for (const remove of this.#removals) callUnheard(remove, failed);
    this.#release();
  }

  /** A tool cannot be unregistered, so its name stays taken and leads nowhere. Nothing of the tool is read: it may throw. */
  #withdraw(name: string): void {
    const { executor, definitions } = this.#state;
    const gone = defineTool({ ...GONE, name, execute: () => undefined }) as unknown as Tool; // nobody calls it
    executor.registry.register(gone, { owner: this.#owner });
    definitions.delete(name);
  }

  #on(type: unknown, handler: unknown): () => void {
    this.#assertLoaded();
    const { executor, source } = this.#state;
    if (!source.missing.hasEvent(type)) return () => {};
    if (typeof handler !== "function") {
      throw wrong(`pi.on("${type}") takes a function; it got ${describeValue(handler)}.`);
    }
    // The types of `pi.on` say that the handler is one of this type.
    if (type !== "session_start" && type !== "session_shutdown") {
      return this.#removable(addCallHandler(executor, source, type, handler as HandlerOf<typeof type>));
    }
    const own = { type, handler: handler as HandlerOf<LifecycleEventType>, extension: this.name };
    this.#state.lifecycle = [...this.#state.lifecycle, own];
    return this.#removable(() => {
      this.#state.lifecycle = this.#state.lifecycle.filter((other) => other !== own);
    });
  }

  #registerTool(definition: AnyToolDefinition): void {
    this.#assertLoaded();
    const { executor, source, definitions } = this.#state;
    const tool = toolOf(definition, source);
    const { defaultActive } = definition;
    const options = { owner: this.#owner, ...(defaultActive === undefined ? {} : { defaultActive }) };
    const registration = executor.registry.register(tool, options);
    if (!registration.accepted) {
      this.#collisions.push(registration.collision);
      return;
    }
    const { name } = tool;
    const { namespace, reachesTools, prepareLoadout } = definition;
    this.#tools.add(name);
    definitions.set(name, {
      ...(namespace === undefined ? {} : { namespace: { ...namespace } }),
      ...(reachesTools === undefined ? {} : { reachesTools }),
    });
    this.#loadouts.get(name)?.();
    this.#loadouts.delete(name);
    if (prepareLoadout === undefined) return;
    const guidelinesOf = (other: string) => executor.registry.get(other)?.guidelines ?? [];
    const handler = loadoutHandler(name, (loadout) => prepareLoadout.call(definition, loadout), guidelinesOf);
    this.#loadouts.set(name, this.#removable(executor.registry.on("prepare_loadout", handler)));
  }

  #registerCommand(name: string, command: RegisteredCommand): void {
    this.#assertLoaded();
    const { commands } = this.#state;
    const taken = commands.get(name);
    if (taken !== undefined && taken.extension !== this.name) {
      throw wrong(`pi.registerCommand: the extension "${taken.extension}" has a command "${name}" already.`);
    }
    commands.set(name, { ...command, extension: this.name });
    this.#removable(() => commands.delete(name));
  }

  #registerResolver(resolver: ToolRendererResolver): void {
    this.#assertLoaded();
    if (typeof resolver !== "function") {
      throw wrong(
        `pi.registerToolRenderer takes a function (toolName, next) => renderers; it got ${describeValue(resolver)}.`,
      );
    }
    const own: ToolRendererResolver = (name, next) => resolver(name, next);
    this.#state.resolvers = [...this.#state.resolvers, own];
    this.#removable(() => {
      this.#state.resolvers = this.#state.resolvers.filter((other) => other !== own);
    });
  }

  #infoOf(info: ReturnType<ToolSession["getAllTools"]>[number]): ToolInfo {
    const { executor, definitions } = this.#state;
    const { name, description, inputSchema, exposure, namespace, annotations } = info;
    const guidelines = executor.registry.get(name)?.guidelines;
    const owner = executor.registry.getMetadata(name)?.owner;
    const definition = definitions.get(name);
    return {
      name,
      description,
      parameters: inputSchema,
      ...(guidelines === undefined ? {} : { promptGuidelines: [...guidelines] }),
      exposure,
      ...(namespace === undefined ? {} : { namespace: definition?.namespace ?? namespace }),
      annotations,
      ...(definition?.reachesTools === undefined ? {} : { reachesTools: definition.reachesTools }),
      sourceInfo: {
        path: owner === undefined ? "<host>" : `<extension:${withoutDoor(owner)}>`,
        source: owner === undefined ? "host" : "extension",
        scope: "temporary",
        origin: "top-level",
      },
    };
  }

  #removable(remove: () => unknown): () => void {
    const own = () => {
      this.#removals.delete(own);
      remove();
    };
    this.#removals.add(own);
    return own;
  }

  #assertLoaded(): void {
    if (!this.#isUnloaded) return;
    throw new NestcallError(
      ErrorCode.CLOSED,
      `The extension "${this.name}" was unloaded; its pi cannot be used any more.`,
    );
  }
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
