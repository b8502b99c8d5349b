// One session's view of the registry (E35 to E47): what is in scope, found, active
// and callable there. session-scope.ts says what may be seen, active-set.ts what is shown.
import { ErrorCode } from "../errors/error-code.js";
import { NestcallError } from "../errors/nestcall-error.js";
import { describeValue } from "../errors/text.js";
import type { Access, AccessRestriction, Identity } from "../tools/access.js";
import { closestNames } from "../tools/closest-names.js";
import type { ToolInfo } from "../tools/tool.js";
import type {
  ActiveToolsListener,
  DelegateOptions,
  NamespaceInfo,
  SearchOptions,
  ToolMatch,
  ToolSession,
} from "../tools/tool-session.js";
import type { ActiveSet, Watcher } from "./active-set.js";
import type { Reach, Registry } from "./registry.js";
import { infoOf, type RegistryEntry } from "./registry-entry.js";
import { SESSION_KEY } from "./session-key.js";
import { checkSessionOptions } from "./session-options.js";
import type { SessionScope } from "./session-scope.js";

export class RegistrySession implements ToolSession {
  readonly registry: Registry;
  readonly #scope: SessionScope;
  readonly #active: ActiveSet;
  #reachable: { readonly revision: string; readonly infos: readonly ToolInfo[] } | undefined;

  constructor(registry: Registry, scope: SessionScope, active: ActiveSet) {
    this.registry = registry;
    this.#scope = scope;
    this.#active = active;
  }

  access(): Access {
    return this.#scope.access();
  }

  identity(): Identity {
    return this.#scope.identity();
  }

  delegate(options: DelegateOptions = {}): RegistrySession {
    checkSessionOptions("session.delegate: options", options, ["isGranted"]);
    return this.registry.sessionFor(this.#scope.delegate(options));
  }

  /** The same session for a call that may do less, and for all below it (E41). */
  narrow(by: AccessRestriction): RegistrySession {
    return new RegistrySession(this.registry, this.#scope.narrow(by), this.#active);
  }

  getAllTools(): ToolInfo[] {
    return this.#visible().map((entry) => infoOf(entry, this));
  }

  getActiveTools(): string[] {
    return this.activeEntries().map(({ name }) => name);
  }

  isActive(name: string): boolean {
    const entry = this.registry.entryOf(name);
    return entry !== undefined && this.#active.isActive(entry) && this.#scope.visibility()(entry);
  }

  setActiveTools(names: readonly string[]): { readonly ignored: readonly string[] } {
    const wanted = new Set(checkNames("setActiveTools", names));
    return this.#active.change(() => {
      // What is out of sight now, in plan mode for instance, is as it was when it comes back.
      for (const entry of this.#visible()) this.#active.choose(entry, wanted.has(entry.name));
      return { ignored: [...wanted].filter((name) => !this.isActive(name)) };
    });
  }

  activate(names: readonly string[]): { readonly activated: readonly string[]; readonly ignored: readonly string[] } {
    const wanted = new Set(checkNames("activate", names));
    return this.#active.change(() => {
      const added = this.#visible().filter((entry) => wanted.has(entry.name) && !this.#active.isActive(entry));
      for (const entry of added) this.#active.choose(entry, true);
      return {
        activated: added.map(({ name }) => name),
        ignored: [...wanted].filter((name) => !this.isActive(name)),
      };
    });
  }

  describeNamespace(name: string): NamespaceInfo | undefined {
    const members = this.#visible()
      .map(({ tool }) => tool)
      .filter(({ namespace }) => namespace?.name === name);
    if (members.length === 0) return undefined;
    const description = members.find(({ namespace }) => namespace?.description !== undefined)?.namespace?.description;
    const instructions = members.find(({ namespace }) => namespace?.instructions !== undefined)?.namespace
      ?.instructions;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      ...(instructions === undefined ? {} : { instructions }),
      tools: members.map((tool) => tool.name),
    };
  }

  searchTools(query: string, options: SearchOptions = {}): ToolMatch[] {
    if (typeof options !== "object" || options === null) {
      throw wrong(`searchTools takes options as an object such as { limit: 5 }; it got ${describeValue(options)}.`);
    }
    return this.registry.search(query, options, this.#scope.visibility(), this);
  }

  subscribe(listener: ActiveToolsListener): () => void {
    if (typeof listener !== "function") {
      throw wrong(`session.subscribe takes a function; it got ${describeValue(listener)}.`);
    }
    const stop = this.#active.subscribe(listener, this.#watcher());
    this.registry.hear(this.#active);
    return () => {
      stop();
      if (!this.#active.isHeard) this.registry.forget(this.#active);
    };
  }

  // What follows is for the engine and the registry; it is no part of `ToolSession`.

  /** What is shown to the model, in the order of registration. */
  activeEntries(): RegistryEntry[] {
    return this.#visible().filter((entry) => this.#active.isActive(entry));
  }

  /** The same object for this session and for all that calls narrow it to. */
  get [SESSION_KEY](): object {
    return this.#active.key;
  }

  /** Nothing is narrowed here, so what was allowed a moment ago still is. */
  get isPlain(): boolean {
    return this.#scope.isPlain;
  }

  /** What the tools of a call can reach now. */
  reachableByTools(): readonly ToolInfo[] {
    const revision = this.isPlain ? `${this.registry.revision} ${this.#active.revision}` : undefined;
    if (revision !== undefined && this.#reachable?.revision === revision) return this.#reachable.infos;
    const entries = this.#visible().filter((entry) => this.#isReachable(entry, "tool"));
    // Without the session: a description that is made for it may ask for this list.
    const infos = Object.freeze(entries.map((entry) => infoOf(entry)));
    this.#reachable = revision === undefined ? undefined : { revision, infos };
    return infos;
  }

  /** The entry that this caller can reach; hidden, inactive, out of scope and unknown look the same. */
  findCallable(name: string, reach: Reach): RegistryEntry | undefined {
    const entry = this.registry.entryOf(name);
    return entry !== undefined && this.canReach(entry, reach) ? entry : undefined;
  }

  canReach(entry: RegistryEntry, reach: Reach): boolean {
    return this.#isReachable(entry, reach) && (this.#isOwn(reach) || this.#scope.contains(entry));
  }

  /** Names that resemble this one, among those that this caller is shown. */
  closeCallableNames(name: string, reach: Reach, max: number): string[] {
    const isVisible = this.#isOwn(reach) ? () => true : this.#scope.visibility();
    const candidates: string[] = [];
    for (const entry of this.registry.entries()) {
      if (this.#isReachable(entry, reach) && isVisible(entry)) candidates.push(entry.name);
    }
    return closestNames(name, candidates, max);
  }

  /** Why a tool that can be reached may not run now. */
  refusalOf(entry: RegistryEntry): string | undefined {
    return this.#scope.refusalOf(entry);
  }

  /** Who registers or activates is not answerable for what the functions of a listener's session throw. */
  #watcher(): Watcher {
    const orElse = <T>(look: () => T, otherwise: T): T => {
      try {
        return look();
      } catch (error) {
        this.registry.report(error, this);
        return otherwise;
      }
    };
    return {
      shownNames: () => orElse(() => this.getActiveTools(), []),
      isShown: (name) => orElse(() => this.isActive(name), false),
    };
  }

  #isReachable(entry: RegistryEntry, reach: Reach): boolean {
    const { exposure } = entry.tool;
    if (reach === "host") return exposure !== "hidden";
    if (reach === "model" || exposure === "direct") return this.#active.isActive(entry);
    return exposure === "codemode" || exposure === "deferred";
  }

  /** The host's own call without a session reaches every scope. */
  #isOwn(reach: Reach): boolean {
    return reach === "host" && this === this.registry.session;
  }

  #visible(): RegistryEntry[] {
    const isVisible = this.#scope.visibility();
    const visible: RegistryEntry[] = [];
    for (const entry of this.registry.entries()) if (isVisible(entry)) visible.push(entry);
    return visible;
  }
}

function checkNames(method: string, names: unknown): readonly string[] {
  if (!Array.isArray(names)) throw wrong(`${method} takes a list of tool names; it got ${describeValue(names)}.`);
  const odd: unknown = names.find((name: unknown) => typeof name !== "string");
  if (odd === undefined) return names;
  throw wrong(`${method} takes a list of tool names; it contains ${describeValue(odd)}.`);
}

function wrong(message: string): NestcallError {
  return new NestcallError(ErrorCode.INVALID_ARGUMENTS, message);
}
