// One session's view of the registry (E35 to E47): what is in scope, found, active
// and callable there. Owns what was activated here; session-scope.ts says what may be seen.
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
import type { Reach, Registry } from "./registry.js";
import { infoOf, type RegistryEntry } from "./registry-entry.js";
import { checkSessionOptions } from "./session-options.js";
import type { SessionScope } from "./session-scope.js";

/** What was chosen for a name, and the entry it was chosen for: registering the name again may undo it. */
interface Choice {
  readonly entry: RegistryEntry;
  readonly isActive: boolean;
}

export class RegistrySession implements ToolSession {
  readonly registry: Registry;
  readonly #scope: SessionScope;
  readonly #choices = new Map<string, Choice>();
  #listeners: readonly ActiveToolsListener[] = [];
  #reachable: { readonly revision: number; readonly infos: readonly ToolInfo[] } | undefined;

  constructor(registry: Registry, scope: SessionScope) {
    this.registry = registry;
    this.#scope = scope;
  }

  access(): Access {
    return this.#scope.access();
  }

  identity(): Identity {
    return this.#scope.identity();
  }

  delegate(options: DelegateOptions = {}): RegistrySession {
    checkSessionOptions("session.delegate: options", options, ["isGranted"]);
    return new RegistrySession(this.registry, this.#scope.delegate(options));
  }

  getAllTools(): ToolInfo[] {
    return this.#visible().map(infoOf);
  }

  getActiveTools(): string[] {
    return this.activeEntries().map(({ name }) => name);
  }

  isActive(name: string): boolean {
    const entry = this.registry.entryOf(name);
    return entry !== undefined && this.#isActive(entry) && this.#scope.visibility()(entry);
  }

  setActiveTools(names: readonly string[]): { readonly ignored: readonly string[] } {
    const wanted = new Set(checkNames("setActiveTools", names));
    return this.#change(() => {
      // What is out of sight now, in plan mode for instance, is as it was when it comes back.
      for (const entry of this.#visible()) {
        this.#choices.set(entry.name, { entry, isActive: wanted.has(entry.name) });
      }
      return { ignored: [...wanted].filter((name) => !this.isActive(name)) };
    });
  }

  activate(names: readonly string[]): { readonly activated: readonly string[]; readonly ignored: readonly string[] } {
    const wanted = [...new Set(checkNames("activate", names))];
    return this.#change(() => {
      const activated: string[] = [];
      for (const name of wanted) {
        const entry = this.registry.entryOf(name);
        if (entry === undefined || this.isActive(name)) continue;
        this.#choices.set(name, { entry, isActive: true });
        if (this.isActive(name)) activated.push(name);
      }
      return { activated, ignored: wanted.filter((name) => !this.isActive(name)) };
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
    return this.registry.search(query, options, this.#scope.visibility());
  }

  subscribe(listener: ActiveToolsListener): () => void {
    if (typeof listener !== "function") {
      throw wrong(`session.subscribe takes a function; it got ${describeValue(listener)}.`);
    }
    const own: ActiveToolsListener = (event) => listener(event); // one function may subscribe twice
    this.#listeners = [...this.#listeners, own];
    this.registry.hear(this);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== own);
      if (this.#listeners.length === 0) this.registry.forget(this);
    };
  }

  // What follows is for the engine and the registry; it is no part of `ToolSession`.

  /** What is shown to the model, in the order of registration. */
  activeEntries(): RegistryEntry[] {
    return this.#visible().filter((entry) => this.#isActive(entry));
  }

  /** What the tools of a call can reach: the session's access, narrowed for that call. */
  reachableByTools(ceiling: AccessRestriction | undefined): readonly ToolInfo[] {
    if (!this.#scope.isPlain || ceiling !== undefined) {
      return Object.freeze(
        this.#visible(ceiling)
          .filter((entry) => this.#isReachable(entry, "tool"))
          .map(infoOf),
      );
    }
    const { revision } = this.registry;
    if (this.#reachable?.revision !== revision) {
      const entries = this.#visible().filter((entry) => this.#isReachable(entry, "tool"));
      this.#reachable = { revision, infos: Object.freeze(entries.map(infoOf)) };
    }
    return this.#reachable.infos;
  }

  /** The entry that this caller can reach; hidden, inactive, out of scope and unknown look the same. */
  findCallable(name: string, reach: Reach, ceiling: AccessRestriction | undefined): RegistryEntry | undefined {
    const entry = this.registry.entryOf(name);
    if (entry === undefined || !this.#isReachable(entry, reach)) return undefined;
    return this.#isOwn(entry, reach) || this.#scope.contains(entry, ceiling) ? entry : undefined;
  }

  /** Names that resemble this one, among those that this caller can reach. */
  closeCallableNames(name: string, reach: Reach, max: number, ceiling: AccessRestriction | undefined): string[] {
    const candidates: string[] = [];
    for (const entry of this.registry.entries()) {
      const isThere = this.#isOwn(entry, reach) || this.#scope.contains(entry, ceiling);
      if (isThere && this.#isReachable(entry, reach)) candidates.push(entry.name);
    }
    return closestNames(name, candidates, max);
  }

  /** Why a tool that can be reached may not run now. */
  refusalOf(entry: RegistryEntry, ceiling: AccessRestriction | undefined): string | undefined {
    return this.#scope.refusalOf(entry, ceiling);
  }

  accessWithin(ceiling: AccessRestriction | undefined): Access {
    return this.#scope.accessWithin(ceiling);
  }

  /** Looks whether a name is active; the function that comes back tells the listeners if that has changed since. */
  watchName(name: string): () => void {
    const wasActive = this.#isShown(name);
    return () => {
      const isActive = this.#isShown(name);
      if (isActive && !wasActive) this.#emit([name], []);
      else if (wasActive && !isActive) this.#emit([], [name]);
    };
  }

  /** Somebody else registers: what this session's own functions throw is not that one's affair. */
  #isShown(name: string): boolean {
    try {
      return this.isActive(name);
    } catch (error) {
      this.registry.report(error, this);
      return false;
    }
  }

  #change<T>(change: () => T): T {
    const before = this.#listeners.length === 0 ? undefined : this.getActiveTools();
    const result = change();
    this.#reachable = undefined;
    if (before === undefined) return result;
    const after = this.getActiveTools();
    const [had, has] = [new Set(before), new Set(after)];
    const added = after.filter((name) => !had.has(name));
    const removed = before.filter((name) => !has.has(name));
    if (added.length > 0 || removed.length > 0) this.#emit(added, removed);
    return result;
  }

  #emit(added: readonly string[], removed: readonly string[]): void {
    const event = Object.freeze({ type: "active_tools_changed", added, removed } as const);
    for (const listener of this.#listeners) this.registry.observe(listener, event);
  }

  #isActive(entry: RegistryEntry): boolean {
    if (entry.tool.exposure === "hidden") return false;
    const choice = this.#choices.size === 0 ? undefined : this.#choices.get(entry.name);
    if (choice === undefined) return entry.startsActive;
    if (choice.entry === entry) return choice.isActive;
    return entry.startsActive || (choice.isActive && entry.defaultActive); // registered again since
  }

  #isReachable(entry: RegistryEntry, reach: Reach): boolean {
    const { exposure } = entry.tool;
    if (reach === "host") return exposure !== "hidden";
    if (reach === "model" || exposure === "direct") return this.#isActive(entry);
    return exposure === "codemode" || exposure === "deferred";
  }

  /** The host's own call without a session reaches every scope. */
  #isOwn(entry: RegistryEntry, reach: Reach): boolean {
    return entry.scope === undefined || (reach === "host" && this === this.registry.session);
  }

  #visible(ceiling?: AccessRestriction): RegistryEntry[] {
    const isVisible = this.#scope.visibility(ceiling);
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
