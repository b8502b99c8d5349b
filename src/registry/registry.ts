// DESIGN 4.4: what is there and whose it is. Owns the entries; what is active, in scope and allowed is the sessions' affair.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue, shortenText } from "../errors/text.js";
import { atOnce, isThenable } from "../errors/thenable.js";
import { defineTool, isDefinedTool } from "../tools/define-tool.js";
import type { Tool, ToolDefinition, ToolInfo } from "../tools/tool.js";
import type { NamespaceInfo, SearchOptions, SessionOptions, ToolMatch, ToolSession } from "../tools/tool-session.js";
import { ActiveSet } from "./active-set.js";
import type { ToolDeclaration } from "./declarations.js";
import { Declarer } from "./declarer.js";
import type { ToolDecoration } from "./decoration.js";
import { type CacheDiagnostics, diagnose } from "./diagnostics.js";
import type { LoadoutHandler } from "./loadout.js";
import { isCoreReadOnly } from "./plan-safe.js";
import {
  checkRegisterOptions,
  entryFor,
  infoOf,
  metadataOf,
  type PluginToolMetadata,
  type RegisterOptions,
  type Registration,
  type RegistryEntry,
  type ToolCollision,
} from "./registry-entry.js";
import { RegistrySession } from "./registry-session.js";
import { type CheckedRenderers, Renderers, type ToolRendererResolver } from "./renderers.js";
import { checkSessionOptions } from "./session-options.js";
import { SessionScope } from "./session-scope.js";
import { sessionBehind } from "./session-view.js";
import { ToolIndex } from "./tool-index.js";

/** Who asks: the host's own call, a call of the model, or a call of a running tool or script. */
export type Reach = "host" | "model" | "tool";

export class Registry {
  /** The session of calls that name none: tools without a scope, no restriction. */
  readonly session: RegistrySession;
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #collisions = new Map<string, ToolCollision>();
  readonly #index = new ToolIndex();
  /** Registered since the last search; nothing is read of a tool that nobody searches for. */
  #unindexed: Set<string> | undefined;
  readonly #planSafe = new Set<string>();
  readonly #heard = new Set<ActiveSet>();
  readonly #renderers = new Renderers({
    toolOf: (name) => this.get(name),
    onError: (failure) => this.#report(failure.error, this.#renderers),
  });
  readonly #declarer = new Declarer((error, origin) => this.#report(error, origin));
  readonly #tell = (error: unknown, origin: object) => this.#report(error, origin);
  #revision = 0;
  #report: (error: unknown, origin: object) => void = (error) => console.error("nestcall: an observer failed:", error);

  constructor() {
    this.session = this.sessionFor(new SessionScope(this, {}));
  }

  /**
   * Adds a tool, or replaces the one of this name and owner. A `direct` or `model-only` tool becomes active.
   * There is no way to unregister: register the name again with exposure `hidden`.
   *
   * @returns Whether it was accepted; a name that another owner, or the same one in another scope, has is not, and changes
   *   nothing.
   * @throws NestcallError `INVALID_TOOL` for a bad definition, `INVALID_ARGUMENTS` for a bad option.
   */
  register(tool: Tool | ToolDefinition, options: RegisterOptions = {}): Registration {
    const defined = isDefinedTool(tool) ? tool : (defineTool(tool) as unknown as Tool); // checked by defineTool
    const entry = entryFor(defined, checkRegisterOptions(defined.name, options), this.#tell);
    const { name, owner } = entry;
    const taken = this.#entries.get(name);
    const isOther =
      taken !== undefined && (taken.owner !== owner || (!isWithdrawn(entry, taken) && !isSameScope(entry, taken)));
    if (isOther) {
      const collision = Object.freeze({ name, owner: taken.owner, rejectedOwner: owner });
      this.#collisions.set(JSON.stringify([name, owner]), collision);
      return { accepted: false, collision };
    }
    const tellSessions = this.#heard.size === 0 ? [] : [...this.#heard].map((active) => active.watchName(name));
    this.#entries.set(name, entry);
    this.#unindexed?.add(name);
    this.#revision += 1;
    for (const tell of tellSessions) tell();
    return { accepted: true };
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The tool of this name, hidden ones too. */
  get(name: string): Tool | undefined {
    return this.#entries.get(name)?.tool;
  }

  /** Whose the tool is, where it came from and what is claimed of it; never part of what a model is shown. */
  getMetadata(name: string): PluginToolMetadata | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined ? undefined : metadataOf(entry);
  }

  /** The registrations that were refused because another owner had the name, one for each name and owner. */
  getCollisions(): readonly ToolCollision[] {
    return [...this.#collisions.values()];
  }

  /** Everything that is registered, in the order of registration. For the host: it contains hidden tools and every scope. */
  getAllTools(): ToolInfo[] {
    return [...this.#entries.values()].map((entry) => infoOf(entry));
  }

  /** The names that the model is shown in calls without a session, in the order of registration. */
  getActiveTools(): string[] {
    return this.session.getActiveTools();
  }

  isActive(name: string): boolean {
    return this.session.isActive(name);
  }

  /**
   * Makes exactly these tools active for calls without a session. Unknown and hidden names are ignored and given back.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` when `names` is no list of names.
   */
  setActiveTools(names: readonly string[]): { readonly ignored: readonly string[] } {
    return this.session.setActiveTools(names);
  }

  /** What belongs to a namespace, with the first description and instructions given; `undefined` for an unknown one. */
  describeNamespace(name: string): NamespaceInfo | undefined {
    return this.session.describeNamespace(name);
  }

  /**
   * A view of the registry for one user, project, platform or agent. It lists, finds and calls what is in its scope only, and
   * has an active set of its own.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` that names the option, what came, and what is wanted.
   */
  forSession(options: SessionOptions = {}): RegistrySession {
    checkSessionOptions("registry.forSession: options", options, ["userId", "platform", "live", "isGranted"]);
    return this.sessionFor(new SessionScope(this, options));
  }

  /**
   * What a provider is given for each active tool of a session: name, description, schema, and what it costs. The order is
   * that of registration, so that a request begins as the one before. External tools are capped here, and only here.
   */
  declarations(session: ToolSession = this.session): readonly ToolDeclaration[] {
    return this.#declarer.declarations(this.#own("declarations", session));
  }

  /** Whether the model is shown a declaration of this tool: it is active, and no handler hides it. */
  isDeclared(name: string, session: ToolSession = this.session): boolean {
    return this.declarations(session).some((declaration) => declaration.name === name);
  }

  /** What is declared, for logs and cache diagnostics: the names of external tools and of their namespaces are redacted. */
  diagnostics(session: ToolSession = this.session): CacheDiagnostics {
    return diagnose(this.#own("diagnostics", session).activeEntries(), this.declarations(session), this.entries());
  }

  /**
   * Adds a handler that may reword descriptions and hide declarations each time they are composed.
   *
   * @returns A function that takes it away.
   */
  on(type: "prepare_loadout", handler: LoadoutHandler): () => void {
    if (type === "prepare_loadout") return this.#declarer.addHandler(handler);
    throw wrong(`registry.on knows no ${describeValue(type)}; known is prepare_loadout.`);
  }

  /**
   * Adds properties, such as a `reason` for people to read, to what internal tools declare. The model's answers for them are
   * taken out before the arguments are checked; hooks find them in `originalArguments`.
   *
   * @returns A function that takes the decoration away; there is one at a time.
   */
  decorate(decoration: ToolDecoration): () => void {
    return this.#declarer.decorate(decoration);
  }

  /** Says how tools are drawn, of any name. The latest resolver is asked first. Returns a function that takes it away. */
  registerToolRenderer(resolver: ToolRendererResolver): () => void {
    return this.#renderers.register(resolver);
  }

  /** How a tool of this name is drawn, registered or not. */
  renderersOf(name: string): CheckedRenderers {
    return this.#renderers.of(name);
  }

  /** Shows the successful output of tools whose names fit a pattern (`*` stands for any text) in lists of calls. */
  showOutput(patterns: readonly string[]): () => void {
    return this.#renderers.showOutput(patterns);
  }

  isOutputShown(name: string, isError = false): boolean {
    return this.#renderers.isOutputShown(name, isError);
  }

  /**
   * Says which tools may be used in plan mode besides the host's own read-only ones and those registered as `planSafe`.
   *
   * @throws NestcallError `INVALID_ARGUMENTS` for a pattern: names are exact here.
   */
  allowInPlanMode(names: readonly string[]): void {
    if (!Array.isArray(names))
      throw wrong(`registry.allowInPlanMode takes a list of names; it got ${describeValue(names)}.`);
    for (const name of names as readonly unknown[]) {
      if (typeof name === "string" && /^[\w-]+$/.test(name)) continue;
      const shown = typeof name === "string" ? `"${shortenText(name, 80)}"` : describeValue(name);
      throw wrong(`A planSafe name must be the exact name of a tool, not a pattern; it is ${shown}.`);
    }
    for (const name of names) this.#planSafe.add(name);
    this.#revision += 1;
  }

  // What follows is for the engine and the sessions.

  /** Grows with every change of what is registered. */
  get revision(): number {
    return this.#revision;
  }

  entryOf(name: string): RegistryEntry | undefined {
    return this.#entries.get(name);
  }

  entries(): IterableIterator<RegistryEntry> {
    return this.#entries.values();
  }

  isPlanSafe(entry: RegistryEntry): boolean {
    return entry.planSafe || isCoreReadOnly(entry) || this.#planSafe.has(entry.name);
  }

  /** The executor hands the failures of listeners to its observers. */
  reportTo(report: (error: unknown, origin: object) => void): void {
    this.#report = report;
  }

  /** What `decorate` added, taken out of the arguments of a root call. */
  stripDecoration(entry: RegistryEntry, args: unknown): unknown {
    return this.#declarer.strip(entry, args).args;
  }

  report(error: unknown, origin: object): void {
    this.#report(error, origin);
  }

  /** Calls a listener, which changes nothing by what it throws or rejects. */
  observe<T>(listener: (event: T) => unknown, event: T): void {
    try {
      const returned = listener(event);
      if (isThenable(returned)) returned.then(undefined, (error: unknown) => this.#report(error, listener));
    } catch (error) {
      this.#report(error, listener);
    }
  }

  sessionFor(scope: SessionScope): RegistrySession {
    const tell: ActiveSet["tell"] = (listener, added, removed) =>
      this.observe(listener, Object.freeze({ type: "active_tools_changed", added, removed } as const));
    return new RegistrySession(this, scope, new ActiveSet(tell));
  }

  hear(active: ActiveSet): void {
    this.#heard.add(active);
  }

  forget(active: ActiveSet): void {
    this.#heard.delete(active);
  }

  /** The tools that fit a text best, among those that are visible. */
  search(
    query: string,
    options: SearchOptions,
    isVisible: (entry: RegistryEntry) => boolean,
    session: RegistrySession,
  ): ToolMatch[] {
    for (const name of this.#unindexed ?? this.#entries.keys()) {
      this.#index.set(name, infoOf(this.#entries.get(name) as RegistryEntry)); // entries stay
    }
    this.#unindexed = new Set();
    const { filter } = options;
    const isThere = (info: ToolInfo) => {
      const entry = this.#entries.get(info.name);
      return entry !== undefined && isVisible(entry) && (filter === undefined || atOnce(filter(info)));
    };
    return this.#index.search(query, { ...options, filter: isThere }).map(({ name, score }) => {
      return { ...infoOf(this.#entries.get(name) as RegistryEntry, session), score }; // what the filter let through is there
    });
  }

  #own(method: string, session: ToolSession): RegistrySession {
    const own = sessionBehind(session);
    if (own?.registry === this) return own;
    throw wrong(`registry.${method} takes a session that this registry gave; it got ${describeValue(session)}.`);
  }
}

/** Hiding a tool, and taking up a hidden one again, is free of its scope. */
function isWithdrawn(...entries: readonly RegistryEntry[]): boolean {
  return entries.some(({ tool }) => tool.exposure === "hidden");
}

/** Another scope means another tool: the one would be lost to those who have it. */
function isSameScope(one: RegistryEntry, other: RegistryEntry): boolean {
  return one.ownerUserId === other.ownerUserId && one.projectId === other.projectId && one.platform === other.platform;
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
